// The results of one reply share a budget: the biggest go to files first, and what was sent once is sent again.
import assert from 'node:assert/strict';
import { resultBudgetChars } from '../../../../src/core/loop/result-budget';
import { previewChars } from '../../../../src/core/calls/tool-result-storage';
import { type ToolResultBlock } from '../../../../src/core/wire/wire';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { latch, safeTool, said } from '../../../support/fake-tools';
import { createMemoryFiles } from '../../../support/memory-files';
import { reply, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import { visibleChat } from '../session/visible-chat';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
/** Answers with as many characters as its text says; "40000 image" with a picture in addition. */
const big: AnyTool = safeTool('Big', {
  maxResultSizeChars: 1_000_000,
  call: async ({ text = '' }) =>
    said(`${text.slice(0, 1)}`.repeat(Number.parseInt(text, 10)) + (text.endsWith('image') ? '!' : '')),
  mapToolResultToToolResultBlockParam: ({ said: content }, id) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: content.endsWith('!') ? [{ type: 'text', text: content.slice(0, -1) }, image] : content,
  }),
});
const callsOf = (...sizes: (number | string)[]): ScriptedReply =>
  reply(...sizes.map((size, index) => toolUse('Big', { text: String(size) }, `t${index}`)));

const results = (model: ScriptedModel, request: number): ToolResultBlock[] =>
  model.requests[request]?.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  ) ?? assert.fail();
const charsOf = ({ content }: ToolResultBlock): number =>
  typeof content === 'string'
    ? content.length
    : content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
const isStored = (block: ToolResultBlock): boolean =>
  /^Output too large\. Original size: /.test(
    typeof block.content === 'string' ? block.content : block.content[0]?.type === 'text' ? block.content[0].text : '',
  );
const stored = (records: readonly SessionRecord[]): string[] =>
  records.flatMap((record) =>
    record.type === 'system' && record.subtype === 'result_stored' ? [record.block.tool_use_id] : [],
  );
/** Without the marks of the cache, which move. */
const bytes = (block: ToolResultBlock): string => JSON.stringify({ ...block, cache_control: undefined });

async function play(...script: ScriptedReply[]): Promise<{ harness: Harness; model: ScriptedModel }> {
  const model = createScriptedModel([...script, reply('Done.'), reply('Again.')]);
  const harness = createHarness({ model, tools: [big] });
  await harness.run('Go');
  assert.deepEqual(model.violations, []);
  return { harness, model };
}

describe('result budget of a message', () => {
  const cases: [string, (number | string)[], string[]][] = [
    ['nothing, where all fits', [100_000, 99_000, 1_000], []],
    ['nothing, exactly at the budget', [150_000, 50_000], []],
    ['the biggest alone, where that is enough', [60_000, 90_000, 70_000], ['t1']],
    ['the biggest ones, biggest first', [90_000, 150_000, 120_000, 30_000], ['t1', 't2']],
    ['the first of two of a size', [110_000, 110_000], ['t0']],
    ['many middling ones', [50_000, 50_000, 50_000, 50_000, 50_000, 50_000], ['t0', 't1', 't2']],
    ['the text beside a picture', ['150000 image', 90_000], ['t0']],
  ];
  for (const [name, sizes, expected] of cases) {
    it(`stores ${name}`, async () => {
      const { harness, model } = await play(callsOf(...sizes));
      assert.deepEqual(stored(harness.stored()), expected);
      const sent = results(model, 1);
      assert.deepEqual(
        sent.map(({ tool_use_id: id }) => id),
        sizes.map((_, index) => `t${index}`),
        'in call order',
      );
      assert.deepEqual(
        sent
          .filter(isStored)
          .map(({ tool_use_id: id }) => id)
          .sort(),
        [...expected].sort(),
      );
      assert.ok(sent.reduce((sum, block) => sum + charsOf(block), 0) <= resultBudgetChars);
      for (const id of expected) {
        const size = sizes[Number(id.slice(1))];
        assert.equal(
          harness.files.text(`/results/${id}.txt`)?.length,
          Number.parseInt(String(size), 10),
          'the file holds it all',
        );
        const block = sent.find(({ tool_use_id: own }) => own === id) ?? assert.fail();
        assert.ok(charsOf(block) < previewChars + 300);
        assert.equal(
          typeof block.content === 'string' ? 0 : block.content.filter(({ type }) => type === 'image').length,
          String(size).endsWith('image') ? 1 : 0,
        );
      }
    });
  }

  it('keeps what many short results come to: storing them would win nothing', async () => {
    const { harness } = await play(callsOf(...Array.from({ length: 60 }, () => 3_900)));
    assert.deepEqual(stored(harness.stored()), []);
  });

  it('sends the same bytes on every later request, also of a new process', async () => {
    const { harness, model } = await play(callsOf(150_000, 120_000), reply(toolUse('Big', { text: '5' }, 'small')));
    await harness.run('Again');
    const first = results(model, 1).map(bytes);
    for (const request of [2, 3]) assert.deepEqual(results(model, request).slice(0, 2).map(bytes), first);
    const later = createScriptedModel([reply('Hello.')], { idPrefix: 'r' });
    await createHarness({ model: later, tools: [big], records: harness.stored() }).run('Go on');
    assert.deepEqual(results(later, 0).slice(0, 2).map(bytes), first);
  });

  it('decides the same after a crash before it had decided', async () => {
    const { harness, model } = await play(callsOf(150_000, 120_000));
    const records = harness.stored();
    const crashed = records.slice(
      0,
      records.findIndex((record) => record.type === 'system' && record.subtype === 'result_stored'),
    );
    assert.ok(crashed.length > 3);
    const later = createScriptedModel([reply('Hello.')], { idPrefix: 'r' });
    await createHarness({ model: later, tools: [big], records: crashed }).run('Go on');
    assert.deepEqual(results(later, 0).map(bytes), results(model, 1).map(bytes));
    assert.deepEqual(later.violations, []);
  });

  it('does not depend on which call ended first', async () => {
    const gates = [latch(), latch()];
    const slow = {
      ...big,
      call: async ({ text = '' }: { text?: string }) => (
        await gates[text === '150000' ? 0 : 1]?.opened,
        said('x'.repeat(Number(text)))
      ),
    };
    const model = createScriptedModel([callsOf(150_000, 120_000), reply('Done.')]);
    const harness = createHarness({
      model,
      tools: [slow],
      onEvent: (event) => {
        if (event.type === 'tool_state' && event.toolUseId === 't1' && event.state === 'running') gates[1]?.open();
        if (event.type === 'record' && event.record.type === 'user' && event.record.toolState !== undefined)
          gates[0]?.open();
      },
    });
    await harness.run('Go');
    assert.deepEqual(results(model, 1).map(isStored), [true, false]);
    assert.deepEqual(
      results(model, 1).map(({ tool_use_id: id }) => id),
      ['t0', 't1'],
    );
  });

  it('leaves the chat as it was: the user sees whole results', async () => {
    const { harness } = await play(callsOf(150_000, 120_000));
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
    assert.ok(harness.chat().items.every((item) => item.kind !== 'tool' || item.state === 'done'));
  });

  it('cuts where the disk refuses, and says so', async () => {
    const model = createScriptedModel([callsOf(150_000, 120_000), reply('Done.')]);
    const files = createMemoryFiles({});
    files.writeOwnFile = async () => {
      throw new Error('no space left');
    };
    const harness = createHarness({ model, tools: [big], files });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.match(String(results(model, 1)[0]?.content), /could not be stored \(no space left\)/);
  });
});
