// Prompt caching: the prefix of each request is that of the one before, byte for byte, with few and well-placed marks.
import assert from 'node:assert/strict';
import { withCacheBreakpoints } from '../../../../src/core/loop/cache-breakpoints';
import { type Message, type ModelRequest } from '../../../../src/core/wire/wire';
import { safeTool } from '../../../support/fake-tools';
import { reply, thinking, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness } from '../../../support/session-harness';

const turns = 50;

describe('cached prefix', function () {
  this.timeout(60_000);
  let model: ScriptedModel;
  let harness: Harness;

  before(async () => {
    const tools = [
      safeTool('Look', { maxResultSizeChars: 500 }),
      safeTool('Fail', { call: async () => ({ failure: { code: 'x', message: 'no' } }) }),
    ];
    model = createScriptedModel((_request, index) => {
      if (index % 5 === 4) return reply('Done.');
      const calls = Array.from({ length: 1 + ((index * 7) % 12) }, (_, call) =>
        toolUse(call % 3 === 2 ? 'Fail' : 'Look', { text: `${index}-${call} `.repeat(index % 3 === 0 ? 200 : 1) }),
      );
      return reply(thinking(`Thought ${index}`, `sig-${index}`), 'On it.', ...calls);
    });
    harness = createHarness({
      model,
      tools,
      onEvent: (event) => {
        if (event.type === 'tool_state' && harness.events.length % 17 === 0)
          harness.session.steer(prompt('By the way.'));
      },
    });
    for (let turn = 0; turn < turns / 5; turn++) {
      if (turn === 5) harness.session.permission.setMode('acceptEdits');
      if (turn === 7) harness.session.remind('Something ended.');
      await harness.run(`Task ${turn}`);
    }
  });

  it('was looked at in many requests, all accepted', () => {
    assert.deepEqual(model.violations, []);
    assert.ok(model.requests.length >= turns);
    assert.ok(
      [...harness.files.calls].some((call) => call.startsWith('writeOwnFile /results/')),
      'large results were stored',
    );
  });

  it('only grows: system, tools, and every message that was sent before', () => {
    model.requests.slice(1).forEach((request, index) => {
      const before = model.requests[index] ?? assert.fail();
      assert.equal(JSON.stringify(request.system), JSON.stringify(before.system));
      assert.equal(JSON.stringify(request.tools), JSON.stringify(before.tools));
      assert.ok(
        wire(request.messages).startsWith(wire(before.messages).replace(/\]\}$/, '')),
        `request ${index + 2} keeps the prefix`,
      );
    });
  });

  it('carries at most four marks, one on the system prompt, one at the end, none on thinking', () => {
    for (const request of model.requests) {
      const marks = JSON.stringify(request).match(/"cache_control"/g)?.length ?? 0;
      assert.ok(marks >= 2 && marks <= 4, `${marks} marks`);
      assert.ok(request.system.at(-1)?.cache_control !== undefined);
      for (const { content } of request.messages) {
        for (const block of content) assert.ok(!(/thinking/.test(block.type) && 'cache_control' in block));
      }
      const end = request.messages.at(-1)?.content.at(-1);
      assert.ok(end !== undefined && 'cache_control' in end && end.cache_control !== undefined);
    }
  });

  it("finds a mark of the request before within the API's lookback of 20 blocks", () => {
    let looked = 0;
    model.requests.slice(1).forEach((request, index) => {
      const before = markedPositions(model.requests[index]?.messages ?? []).at(-1) ?? 0;
      const found = markedPositions(request.messages).some((at) => at >= before && at - before <= 20);
      assert.ok(found, `request ${index + 2}`);
      looked++;
    });
    assert.ok(looked >= turns - 1);
  });
});

describe('withCacheBreakpoints', () => {
  it('changes nothing in place and passes over what cannot carry a mark', () => {
    const request: ModelRequest = {
      model: 'm',
      max_tokens: 1,
      system: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      tools: [],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'x' },
            { type: 'server_tool_use', id: 's' },
            { type: 'redacted_thinking', data: 'd' },
          ],
        },
      ],
    };
    const copy = structuredClone(request);
    const marked = withCacheBreakpoints(request);
    assert.deepEqual(request, copy);
    assert.deepEqual(
      marked.system.map((block) => block.cache_control !== undefined),
      [false, true],
    );
    assert.deepEqual(
      marked.messages[1]?.content.map((block) => 'cache_control' in block),
      [true, false, false],
    );
  });

  it('leaves an empty system prompt and no messages alone', () => {
    const empty: ModelRequest = { model: 'm', max_tokens: 1, system: [], tools: [], messages: [] };
    assert.deepEqual(withCacheBreakpoints(empty), empty);
  });
});

/** Without marks, and without what ends the last message. */
function wire(messages: Message[]): string {
  return JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)).slice(0, -1);
}

function markedPositions(messages: Message[]): number[] {
  const blocks: object[] = messages.flatMap(({ content }): object[] => content);
  return blocks.flatMap((block, at) => ('cache_control' in block && block.cache_control !== undefined ? [at] : []));
}
