// Whatever happens in a session, any prefix of its log folds to a history that the API accepts and a session that goes on.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildRequest } from '../../../../src/core/agent/build-request';
import { type SessionRecord } from '../../../../src/core/sessions/record';
import { compactions } from '../../../../src/core/sessions/compacted-log';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { type ApprovalDecision } from '../../../../src/core/ports';
import { type AnyTool } from '../../../../src/core/tools/tool';
import { type ChatState } from '../../../../src/shared/chat';
import { askingTool, fakeTool, safeTool, said } from '../../../support/fake-tools';
import { brokenToolUse, dropAfter, errorEvent, httpError, redactedThinking, reply, thinking, toolUse, withFields, type ReplyBlock, type ScriptedReply } from '../../../support/messages-api/script';
import { refuseBody } from '../../../support/messages-api/validate-request';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness } from '../../../support/session-harness';
import { visibleChat } from './visible-chat';

interface Plan {
  replies: ScriptedReply[];
  answers: ApprovalDecision[];
  /** The turn is stopped at this event. */
  stopAt: number | undefined;
  /** What the person does with the compaction between the two turns; undefined where they do not compact. */
  compaction: 'keep' | 'undo' | 'edit' | undefined;
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const call = fc
  .record({ name: fc.constantFrom('Look', 'Look', 'Act', 'Ask', 'Fail', 'Steer', 'Big', 'Nope'), words: word, bad: fc.boolean() })
  .map(({ name, words, bad }) => toolUse(name, bad && name === 'Act' ? { unknown: 1 } : { text: words }));
const thought = fc.oneof(
  fc.tuple(word, word).map(([thoughts, signature]) => thinking(thoughts, signature)),
  word.map((data) => redactedThinking(data)),
);
const text = fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('', ' \n') }).map((part): ReplyBlock => ({ kind: 'text', parts: [part] }));
const block = fc.oneof({ weight: 3, arbitrary: call }, { weight: 2, arbitrary: text });
/** Thinking stands first, then also between other blocks. */
const blocks = fc.oneof(
  fc.array(block, { maxLength: 5 }),
  fc.tuple(thought, fc.array(fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: thought }), { maxLength: 5 })).map(([first, rest]) => [first, ...rest]),
);
const whole = blocks.map((content) => reply(...content));
const scripted: fc.Arbitrary<ScriptedReply> = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 2, arbitrary: fc.tuple(whole, fc.integer({ min: 1, max: 30 })).map(([base, events]) => dropAfter(base, { events })) },
  { weight: 1, arbitrary: fc.tuple(whole, fc.integer({ min: 1, max: 12 })).map(([base, events]) => errorEvent(base, events, 'overloaded_error', 'Busy')) },
  { weight: 1, arbitrary: fc.constant(httpError(529, 'overloaded_error', 'Busy')) },
  { weight: 1, arbitrary: fc.constant(httpError(400, 'invalid_request_error', 'No')) },
  { weight: 1, arbitrary: blocks.map((content) => withFields(reply(...content, brokenToolUse('Act', '{"te')), { stopReason: 'max_tokens' })) },
  { weight: 1, arbitrary: fc.tuple(whole, fc.constantFrom('max_tokens', 'refusal', 'pause_turn', 'model_context_window_exceeded')).map(([base, stopReason]) => withFields(base, { stopReason })) },
);
const answer: fc.Arbitrary<ApprovalDecision> = fc.constantFrom<ApprovalDecision>(
  { behavior: 'allow' },
  { behavior: 'allow', comment: 'Careful.' },
  { behavior: 'deny', message: 'Not so.', interrupt: false },
  { behavior: 'deny', interrupt: true },
);
const plan: fc.Arbitrary<Plan> = fc.record({
  replies: fc.array(scripted, { minLength: 1, maxLength: 6 }),
  answers: fc.array(answer, { maxLength: 4 }),
  stopAt: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
  compaction: fc.constantFrom(undefined, 'keep', 'undo', 'edit'),
});

function tools(session: () => Harness): AnyTool[] {
  const later = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) await Promise.resolve();
  };
  return [
    safeTool('Look', { call: async ({ text: words = '' }) => (await later(words.length * 3), said(words)) }),
    fakeTool('Act', { call: async ({ text: words = '' }) => (await later(words.length), { data: { said: words }, contextModifier: { cwd: `/w/${words.length}` } }) }),
    askingTool('Ask'),
    safeTool('Fail', {
      call: async () => {
        throw new Error('broken');
      },
    }),
    fakeTool('Steer', { call: async ({ text: words = '' }) => (session().session.steer(prompt(`about ${words}`)), said('ok')) }),
    safeTool('Big', { maxResultSizeChars: 10 }),
  ];
}

async function play({ replies, answers, stopAt, compaction }: Plan): Promise<{ harness: Harness; model: ScriptedModel }> {
  const controller = new AbortController();
  let answered = 0;
  let seen = 0;
  const model = createScriptedModel((_request, index) => replies[index] ?? reply(`That is all (${index}).`), { deltaSize: 7 });
  const harness: Harness = createHarness({
    model,
    tools: tools(() => harness),
    answer: () => answers[answered++] ?? { behavior: 'allow' },
    onEvent: () => {
      if (++seen === stopAt) controller.abort(new DOMException('Stopped.', 'AbortError'));
    },
  });
  await harness.run('First', controller.signal);
  if (compaction !== undefined && harness.stored().some(({ type }) => type === 'assistant')) await compact(harness, compaction);
  await harness.run('Second');
  return { harness, model };
}

async function compact(harness: Harness, then: 'keep' | 'undo' | 'edit'): Promise<void> {
  const { session } = harness;
  await session.compact('', new AbortController().signal);
  const boundary = compactions(session.records).findLast(({ undone }) => !undone)?.boundary.uuid;
  if (boundary === undefined) return;
  if (then === 'undo') session.compaction.undo(boundary);
  if (then === 'edit') session.compaction.edit(boundary, 'Mine.');
}

/** As people see them, but for compactions that failed, which no log holds. */
function shown(state: ChatState): unknown {
  return visibleChat({ ...state, items: state.items.filter((item) => item.kind !== 'compaction' || item.state !== 'failed') });
}

describe('any history', function () {
  this.timeout(120_000);

  it('is accepted, turn after turn, and looks the same live and when read again', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        const { harness, model } = await play(planned);
        assert.deepEqual(model.violations, []);
        assert.ok(harness.stored().some((record) => record.type === 'system' && record.subtype === 'turn_end'));
        assert.deepEqual(shown(harness.replayed()), shown(harness.chat()));
        assertEachCallAnsweredOnce(harness.stored());
      }),
      { numRuns: 120 },
    );
  });

  it('folds from any prefix of its log to messages that are accepted', async () => {
    let prefixes = 0;
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        const { harness, model } = await play(planned);
        const records = harness.stored();
        if (records.some((record) => record.type === 'user' && record.isCompactSummary)) compacted++;
        for (let length = 1; length <= records.length; length++) {
          const prefix = [...records.slice(0, length), { ...promptRecord, uuid: `p${length}` }];
          const request = buildRequest(prefix, { model: 'claude-opus-5', system: ['s'], tools: [], maxOutputTokens: 1_000, sessionId: 's' });
          const refusal = refuseBody(request, { 'anthropic-version': '2023-06-01' }, model.sent, {}, false);
          assert.deepEqual(refusal?.violations ?? [], [], `after ${length} records`);
          for (const { content } of request.messages) assert.ok(!/thinking/.test(content.at(-1)?.type ?? ''), 'no message ends in thinking');
          prefixes++;
        }
      }),
      { numRuns: 30 },
    );
    assert.ok(prefixes > 200);
    assert.ok(compacted > 2, `${compacted} of them compacted`);
  });

  it('goes on from any prefix of its log as a new process', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (planned, cut) => {
        const { harness } = await play(planned);
        const records = harness.stored();
        const prefix = records.slice(0, 1 + (cut % records.length));
        const model = createScriptedModel([reply(toolUse('Look', { text: 'again' })), reply('Done.')], { acceptUnknownThinking: true, idPrefix: 'r' });
        const resumed: Harness = createHarness({ model, records: prefix, tools: tools(() => resumed) });
        const waiting = resumed.session.waiting.map(({ display }) => display.text);
        assert.deepEqual((await resumed.run('Go on')).reason, 'completed');
        assert.deepEqual(model.violations, []);
        const sent = JSON.stringify(model.requests.at(-1)?.messages);
        for (const words of waiting) assert.ok(sent.includes(JSON.stringify(words).slice(1, -1)), 'a message that waited is delivered');
        assert.deepEqual(resumed.session.waiting, []);
        assert.deepEqual(shown(resumed.replayed()), shown(resumed.chat()));
      }),
      { numRuns: 60 },
    );
  });
});

const promptRecord = {
  type: 'user' as const,
  message: { role: 'user' as const, content: 'Next' },
  uuid: '',
  parentUuid: null,
  timestamp: '',
  sessionId: '',
  cwd: '',
  version: '',
};

function assertEachCallAnsweredOnce(records: readonly SessionRecord[]): void {
  const messages = messagesFromRecords(records);
  const calls = messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool_use' ? [one.id] : [])));
  const results = messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : [])));
  assert.deepEqual(results, calls);
}
