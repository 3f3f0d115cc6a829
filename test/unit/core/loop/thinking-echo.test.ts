// Thinking goes back byte for byte: through the log, its lines on disk, the fold and the body of the request; also after a resume, a compaction and a fork.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildRequest } from '../../../../src/core/loop/build-request';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import { type AssistantBlock } from '../../../../src/core/wire/wire';
import { forkRecords } from '../../../../src/core/sessions/fork-records';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';
import { writeBody } from '../../../../src/providers/request-body';
import {
  redactedThinking,
  reply,
  thinking,
  toolUse,
  withFields,
  type ReplyBlock,
} from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

const never = new AbortController().signal;
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', ' \n', '\u2028"\\', '</thinking>', 'é\u0301\u{1F600}', '\u0000\u007f'),
);
const signature = fc.oneof(
  fc.base64String({ minLength: 4, maxLength: 200 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
);
const thought = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(words, signature).map(([text, sign]) => thinking(text, sign)) },
  { weight: 1, arbitrary: signature.map((data) => redactedThinking(data)) },
);
const round = fc
  .tuple(fc.array(thought, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([thoughts, says]): ReplyBlock[] => [
    ...thoughts,
    ...(says ? [{ kind: 'text' as const, parts: ['Well.'] }] : []),
  ]);

function blockOf(block: ReplyBlock): AssistantBlock[] {
  if (block.kind === 'thinking') return [{ type: 'thinking', thinking: block.thinking, signature: block.signature }];
  return block.kind === 'redacted' ? [{ type: 'redacted_thinking', data: block.data }] : [];
}

function bodyOf(records: readonly SessionRecord[], model = 'claude-opus-5'): string {
  const request = buildRequest(records, {
    model,
    can: capabilitiesOf('anthropic', model),
    provider: 'anthropic',
    system: ['s'],
    tools: [],
    maxOutputTokens: 1_000,
    sessionId: 's',
  });
  return Buffer.concat(writeBody(request)).toString('utf8');
}

describe('thinking of the same model', function () {
  this.timeout(60_000);

  it('comes back byte for byte, whatever is in it and wherever the log has been', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 6 }), async (rounds) => {
        const model = createScriptedModel(
          (_request, index) => {
            const blocks = rounds[index] ?? [];
            const calls = index < rounds.length - 2;
            return reply(...blocks, ...(calls ? [toolUse('Look', { text: `${index}` })] : ['End.']));
          },
          { provider: 'anthropic' },
        );
        const harness = createHarness({ model });
        await harness.run('one');
        await harness.run('two');
        const resumed = harness.stored();
        const twice = resumed.flatMap((record) => decodeRecord(encodeRecord(record)) ?? []);
        const expected = rounds.flatMap((blocks) => blocks.flatMap(blockOf));
        for (const records of [harness.session.records, resumed, twice, forkRecords(resumed, 'copy')]) {
          const body = bodyOf(records);
          const sent = (JSON.parse(body) as { messages: { content: AssistantBlock[] }[] }).messages.flatMap(
            ({ content }) => content.filter(({ type }) => /thinking/.test(type)),
          );
          assert.deepEqual(sent, expected);
          for (const block of expected) assert.ok(body.includes(JSON.stringify(block)), 'the bytes are the same');
        }
        assert.deepEqual(model.violations, []);
      }),
      { numRuns: 60 },
    );
  });

  it('stays in the turn that a compaction keeps; where the model binds it to what stood before, it is left out there', async () => {
    for (const [name, kept] of [
      ['claude-opus-5', true],
      ['claude-fable-5-1', false],
    ] as const) {
      let index = 0;
      const model = createScriptedModel(
        (request) =>
          withFields(
            reply(
              thinking(`Thought ${++index}`, `signature ${index}`),
              index === 3 ? 'Summary.' : index === 1 ? 'word '.repeat(9_000) : 'Well.',
            ),
            { model: request.model },
          ),
        { provider: 'anthropic' },
      );
      const harness = createHarness({ model, session: { model: name } });
      await harness.run('one');
      await harness.run('two');
      assert.equal((await featureOf(harness.session, compaction).byHand('', never)).kind, 'compacted');
      await harness.run('three');
      await harness.run('four');
      assert.deepEqual(model.violations, [], name);
      const last = JSON.stringify(model.requests.at(-1)?.messages);
      assert.doesNotMatch(last, /signature 1"/);
      assert.equal(last.includes('"signature 2"'), kept, `${name}: the kept turn`);
      assert.match(last, /signature 4"/, 'what was thought since');
    }
  });

  it("is told to be dropped where it does not count any more, with the header, by the vendor's own API alone", () => {
    const request = (provider: 'anthropic' | 'bedrock', model: string) =>
      buildRequest([], {
        model,
        can: capabilitiesOf(provider, model),
        provider,
        system: ['s'],
        tools: [],
        maxOutputTokens: 1_000,
        sessionId: 's',
      });
    assert.deepEqual(request('anthropic', 'claude-fable-5-1').thinking, {
      type: 'adaptive',
      display: 'summarized',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    });
    assert.deepEqual(request('anthropic', 'claude-fable-5-1').betas, ['thinking-binding-controls-2026-08-01']);
    for (const other of [
      request('bedrock', 'anthropic.claude-fable-5-1-v1:0'),
      request('anthropic', 'claude-opus-5'),
      request('anthropic', 'claude-fable-5'),
    ]) {
      assert.deepEqual([other.thinking, other.betas], [{ type: 'adaptive', display: 'summarized' }, undefined]);
    }
  });
});
