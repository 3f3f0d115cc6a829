// Whatever happens in a session, any prefix of its log folds to a history that the API accepts and a session that continues.
import assert from 'node:assert/strict';
import { capabilitiesOf } from '../../../../src/core/model/capabilities';
import fc from 'fast-check';
import { buildRequest } from '../../../../src/core/loop/build-request';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { foldInSlices } from '../../../../src/core/sessions/fold-slices';
import { foldLog } from '../../../../src/core/sessions/fold-log';
import { partedWriters } from '../../../../src/core/sessions/parted-writers';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { replayInSlices } from '../../../../src/core/projection/replay-slices';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { readRecords } from '../../../../src/node/sessions/session-reader';
import { emptyChat, type ChatState } from '../../../../src/shared/chat';
import { compactions } from '../../../../src/core/sessions/compacted-log';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { type AnyTool } from '../../../../src/core/tool/tool';
import { askingTool, fakeTool, safeTool, said } from '../../../support/fake-tools';
import {
  brokenToolUse,
  dropAfter,
  errorEvent,
  httpError,
  redactedThinking,
  reply,
  thinking,
  toolUse,
  withFields,
  type ReplyBlock,
  type ScriptedReply,
} from '../../../support/messages-api/script';
import { refuseBody } from '../../../support/messages-api/validate-request';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, prompt, type Harness } from '../../../support/session-harness';
import { visibleChat } from '../session/visible-chat';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';

interface Plan {
  replies: ScriptedReply[];
  answers: ApprovalDecision[];
  /** The turn is stopped at this event. */
  stopAt: number | undefined;
  /** What the user does with the compaction between the two turns; undefined where they do not compact. */
  compaction: 'keep' | 'undo' | 'edit' | undefined;
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const call = fc
  .record({
    name: fc.constantFrom('Look', 'Look', 'Act', 'Ask', 'Fail', 'Steer', 'Big', 'Nope'),
    words: word,
    bad: fc.boolean(),
  })
  .map(({ name, words, bad }) => toolUse(name, bad && name === 'Act' ? { unknown: 1 } : { text: words }));
const thought = fc.oneof(
  fc.tuple(word, word).map(([thoughts, signature]) => thinking(thoughts, signature)),
  word.map((data) => redactedThinking(data)),
);
const text = fc
  .oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: fc.constantFrom('', ' \n') })
  .map((part): ReplyBlock => ({ kind: 'text', parts: [part] }));
const block = fc.oneof({ weight: 3, arbitrary: call }, { weight: 2, arbitrary: text });
/** Thinking is first, then also between other blocks. */
const blocks = fc.oneof(
  fc.array(block, { maxLength: 5 }),
  fc
    .tuple(
      thought,
      fc.array(fc.oneof({ weight: 4, arbitrary: block }, { weight: 1, arbitrary: thought }), { maxLength: 5 }),
    )
    .map(([first, rest]) => [first, ...rest]),
);
const whole = blocks.map((content) => reply(...content));
const scripted: fc.Arbitrary<ScriptedReply> = fc.oneof(
  { weight: 6, arbitrary: whole },
  {
    weight: 2,
    arbitrary: fc.tuple(whole, fc.integer({ min: 1, max: 30 })).map(([base, events]) => dropAfter(base, { events })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(whole, fc.integer({ min: 1, max: 12 }))
      .map(([base, events]) => errorEvent(base, events, 'overloaded_error', 'Busy')),
  },
  { weight: 1, arbitrary: fc.constant(httpError(529, 'overloaded_error', 'Busy')) },
  { weight: 1, arbitrary: fc.constant(httpError(400, 'invalid_request_error', 'No')) },
  {
    weight: 1,
    arbitrary: blocks.map((content) =>
      withFields(reply(...content, brokenToolUse('Act', '{"te')), { stopReason: 'max_tokens' }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(whole, fc.constantFrom('max_tokens', 'refusal', 'pause_turn', 'model_context_window_exceeded'))
      .map(([base, stopReason]) => withFields(base, { stopReason })),
  },
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
    fakeTool('Act', {
      call: async ({ text: words = '' }) => (
        await later(words.length),
        { data: { said: words }, contextModifier: { cwd: `/w/${words.length}` } }
      ),
    }),
    askingTool('Ask'),
    safeTool('Fail', {
      call: async () => {
        throw new Error('broken');
      },
    }),
    fakeTool('Steer', {
      call: async ({ text: words = '' }) => (session().session.steer(prompt(`about ${words}`)), said('ok')),
    }),
    safeTool('Big', { maxResultSizeChars: 10 }),
  ];
}

async function play({
  replies,
  answers,
  stopAt,
  compaction,
}: Plan): Promise<{ harness: Harness; model: ScriptedModel }> {
  const controller = new AbortController();
  let answered = 0;
  let seen = 0;
  const model = createScriptedModel((_request, index) => replies[index] ?? reply(`That is all (${index}).`), {
    deltaSize: 7,
  });
  const harness: Harness = createHarness({
    model,
    tools: tools(() => harness),
    answer: () => answers[answered++] ?? { behavior: 'allow' },
    onEvent: () => {
      if (++seen === stopAt) controller.abort(new DOMException('Stopped.', 'AbortError'));
    },
  });
  await harness.run('First', controller.signal);
  if (compaction !== undefined && harness.stored().some(({ type }) => type === 'assistant'))
    await compact(harness, compaction);
  await harness.run('Second');
  return { harness, model };
}

async function compact(harness: Harness, then: 'keep' | 'undo' | 'edit'): Promise<void> {
  const { session } = harness;
  await featureOf(session, compaction).byHand('', new AbortController().signal);
  const boundary = compactions(session.records).findLast(({ undone }) => !undone)?.boundary.uuid;
  if (boundary === undefined) return;
  if (then === 'undo') featureOf(session, compaction).undo(boundary);
  if (then === 'edit') featureOf(session, compaction).edit(boundary, 'Mine.');
}

/** As users see them, except for compactions that failed, which no log holds. */
function shown(state: ChatState): unknown {
  return visibleChat({
    ...state,
    items: state.items.filter((item) => item.kind !== 'compaction' || item.state !== 'failed'),
  });
}

const atOnce = { pause: async () => undefined };

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
        assertLinked(harness.stored());
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
          const request = buildRequest(prefix, {
            model: 'claude-opus-5',
            can: capabilitiesOf('anthropic', 'claude-opus-5'),
            system: ['s'],
            tools: [],
            maxOutputTokens: 1_000,
            sessionId: 's',
          });
          const refusal = refuseBody(request, { 'anthropic-version': '2023-06-01' }, model.sent, {}, false);
          assert.deepEqual(refusal?.violations ?? [], [], `after ${length} records`);
          for (const { content } of request.messages)
            assert.ok(!/thinking/.test(content.at(-1)?.type ?? ''), 'no message ends in thinking');
          prefixes++;
        }
      }),
      { numRuns: 30 },
    );
    assert.ok(prefixes > 200);
    assert.ok(compacted > 2, `${compacted} of them compacted`);
  });

  it('folds to messages that are accepted where two machines have written the same log at once, in whatever order', async () => {
    let parted = 0;
    await fc.assert(
      fc.asyncProperty(
        plan,
        plan,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        async (one, other, order) => {
          const [first, second] = [await play(one), await play(other)];
          const begun: SessionRecord = { ...promptRecord, uuid: 'begun' };
          // Both continued from the same record, and nothing else has the same id.
          const owned = <Value>(value: Value, own: string): Value =>
            JSON.parse(
              JSON.stringify(value)
                .replace(/"(toolu_|msg_)/g, `"$1${own}`)
                .replace(/("(?:uuid|parentUuid)":")/g, `$1${own}`),
            ) as Value;
          const goesOn = (records: readonly SessionRecord[], own: string): SessionRecord[] =>
            owned(records, own).map((record): SessionRecord =>
              'parentUuid' in record && record.parentUuid === null ? { ...record, parentUuid: 'begun' } : record,
            );
          const [left, right] = [goesOn(first.harness.stored(), 'a'), goesOn(second.harness.stored(), 'b')];
          const sent = [...owned(first.model.sent, 'a'), ...owned(second.model.sent, 'b')];
          const records: SessionRecord[] = [begun];
          for (let at = 0; left.length + right.length > 0; at++) {
            const next = (order[at % order.length] === true ? left : right).shift() ?? left.shift() ?? right.shift();
            if (next !== undefined) records.push(next);
          }
          for (let length = 1; length <= records.length; length++) {
            const prefix = await partedWriters(records.slice(0, length), atOnce);
            assert.deepEqual(new Set(prefix), new Set(records.slice(0, length)), 'all of it, once');
            assert.equal(prefix.length, length);
            const request = buildRequest([...prefix, { ...promptRecord, uuid: `p${length}` }], {
              model: 'claude-opus-5',
              can: capabilitiesOf('anthropic', 'claude-opus-5'),
              system: ['s'],
              tools: [],
              maxOutputTokens: 1_000,
              sessionId: 's',
            });
            const refusal = refuseBody(request, { 'anthropic-version': '2023-06-01' }, sent, {}, false);
            assert.deepEqual(refusal?.violations ?? [], [], `after ${length} records`);
          }
          if ((await partedWriters(records, atOnce)) !== records) parted++;
          const alone = [...first.harness.stored()];
          assert.equal(await partedWriters(alone, atOnce), alone);
        },
      ),
      { numRuns: 25 },
    );
    assert.ok(parted > 5, `${parted} logs were parted`);
  });

  it('folds from any bytes that a crash leaves of its log, among records of every kind, to messages that are accepted', async () => {
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...otherLines)), { maxLength: 12 }),
        fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
        async (planned, others, places) => {
          const { harness, model } = await play(planned);
          const lines = [...harness.lines];
          for (const [at, line] of others) lines.splice(at % (lines.length + 1), 0, line);
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          for (const place of places) {
            const torn = Buffer.concat([
              bytes.subarray(0, place % (bytes.length + 1)),
              Buffer.alloc(place % 3 === 0 ? place % 5_000 : 0),
            ]);
            const { records, size } = readRecords(torn);
            assert.deepEqual(readRecords(torn.subarray(0, size)).records, records, 'what is kept reads the same');
            const request = buildRequest([...records, { ...promptRecord, uuid: 'p' }], {
              model: 'claude-opus-5',
              can: capabilitiesOf('anthropic', 'claude-opus-5'),
              system: ['s'],
              tools: [],
              maxOutputTokens: 1_000,
              sessionId: 's',
            });
            const refusal = refuseBody(request, { 'anthropic-version': '2023-06-01' }, model.sent, {}, false);
            assert.deepEqual(refusal?.violations ?? [], [], `after ${torn.length} bytes`);
            cuts++;
          }
        },
      ),
      { numRuns: 40 },
    );
    assert.ok(cuts >= 200);
  });

  it('is replayed and folded in slices as at once', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        const { harness } = await play(planned);
        let ticks = 0;
        const slices = { pause: async () => undefined, now: () => (ticks += 7) };
        const projection = createChatProjection({
          registry: createToolRegistry(tools(() => harness)),
          folders: [{ name: 'w', path: '/w' }],
        });
        assert.deepEqual(
          visibleChat(
            await replayInSlices(
              projection,
              emptyChat('session-1', 'default', 'claude-opus-5'),
              harness.stored(),
              slices,
            ),
          ),
          visibleChat(harness.replayed()),
        );
        // Long enough for several slices, with calls of their own ids.
        const copies = Array.from({ length: Math.ceil(9_000 / harness.lines.length) }, (_, copy) =>
          harness.lines.map((line) => line.replaceAll(/"(toolu|msg)_/g, `"$1_c${copy}_`)),
        );
        const { records } = readRecords(
          Buffer.from(
            copies
              .flat()
              .map((line) => `${line}\n`)
              .join(''),
          ),
        );
        const folded = await foldInSlices(records, { pause: async () => undefined, now: () => 0 });
        assert.deepEqual(folded, records);
        assert.deepEqual(foldLog(folded), messagesFromRecords(records));
      }),
      { numRuns: 10 },
    );
  });

  it('goes on from any prefix of its log as a new process', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (planned, cut) => {
        const { harness } = await play(planned);
        const records = harness.stored();
        const prefix = records.slice(0, 1 + (cut % records.length));
        const model = createScriptedModel([reply(toolUse('Look', { text: 'again' })), reply('Done.')], {
          acceptUnknownThinking: true,
          idPrefix: 'r',
        });
        const resumed: Harness = createHarness({ model, records: prefix, tools: tools(() => resumed) });
        const waiting = resumed.session.pending.waiting.map(({ display }) => display.text);
        assert.deepEqual((await resumed.run('Go on')).reason, 'completed');
        assert.deepEqual(model.violations, []);
        const sent = JSON.stringify(model.requests.at(-1)?.messages);
        for (const words of waiting)
          assert.ok(sent.includes(JSON.stringify(words).slice(1, -1)), 'a message that waited is delivered');
        assert.deepEqual(resumed.session.pending.waiting, []);
        assert.deepEqual(shown(resumed.replayed()), shown(resumed.chat()));
      }),
      { numRuns: 60 },
    );
  });
});

/** Lines of kinds that the plans do not make, ours and others', whole and broken. */
const otherLines = [
  '{"type":"ai-title","title":"T"}',
  '{"type":"custom-title","title":"Mine"}',
  '{"type":"queue-operation","operation":"enqueue","messageId":"q","content":[{"type":"text","text":"later"}]}',
  '{"type":"queue-operation","operation":"dequeue","messageId":"q"}',
  '{"type":"system","subtype":"api_retry","attempt":1,"maxAttempts":10,"delayMs":5,"message":"overloaded"}',
  '{"type":"system","subtype":"permission_update","update":{"type":"setMode"}}',
  '{"type":"system","subtype":"setting","name":"mode","value":"plan"}',
  '{"type":"system","subtype":"images_dropped","message":"Could not process image"}',
  '{"type":"system","subtype":"result_stored","block":{"type":"tool_result","tool_use_id":"toolu_none","content":"short"}}',
  '{"type":"system","subtype":"background_end","taskId":"b","message":"done"}',
  '{"type":"system","subtype":"hook_notice","hookName":"h","level":"info","message":"m"}',
  '{"type":"system","subtype":"prompt_blocked","display":{"text":"t","attachments":[],"images":0}}',
  '{"type":"system","subtype":"decision","toolUseId":"toolu_none","by":"rule","behavior":"allow","code":"rule","reason":"R."}',
  '{"type":"system","subtype":"tool_started","toolUseId":"toolu_none"}',
  '{"type":"system","subtype":"side_usage","model":"m","usage":{"input_tokens":1,"output_tokens":1}}',
  '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_none","content":"of nothing"}]}}',
  '{"type":"progress","data":{"any":1},"toolUseID":"t"}',
  '{"type":"summary","summary":"s","leafUuid":"l"}',
  '{"type":"file-history-snapshot","messageId":"m","snapshot":{}}',
  '{"type":"of tomorrow", "n": 12345678901234567890}',
  '\uFEFF{"type":"mode","mode":"plan"}\r',
  '\0\0\0',
  '{"type":"assistant","message":{"id":"broken","content":[{"type":"tool_u',
];

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

/** Every record follows one before it, and every result names the record of its call and holds its structured output. */
function assertLinked(records: readonly SessionRecord[]): void {
  const seen = new Map<unknown, SessionRecord>();
  records.forEach((record, at) => {
    const { uuid, parentUuid, ...fields } = ('raw' in record ? record.raw : record) as Record<string, unknown>;
    assert.ok(at === 0 ? parentUuid === null : seen.has(parentUuid), `record ${at} follows none`);
    assert.ok(
      [fields['timestamp'], fields['sessionId'], fields['cwd'], fields['version']].every(
        (field) => typeof field === 'string' && field !== '',
      ),
    );
    seen.set(uuid, record);
    if (record.type !== 'user' || typeof record.message.content === 'string') return;
    for (const block of record.message.content) {
      if (block.type !== 'tool_result') continue;
      const source = seen.get(record.sourceToolAssistantUUID);
      assert.ok(
        source?.type === 'assistant' &&
          source.message.content.some((one) => one.type === 'tool_use' && one.id === block.tool_use_id),
      );
      assert.ok('toolUseResult' in record);
    }
  });
}

function assertEachCallAnsweredOnce(records: readonly SessionRecord[]): void {
  const messages = messagesFromRecords(records);
  const calls = messages.flatMap(({ content }) => content.flatMap((one) => (one.type === 'tool_use' ? [one.id] : [])));
  const results = messages.flatMap(({ content }) =>
    content.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : [])),
  );
  assert.deepEqual(results, calls);
}
