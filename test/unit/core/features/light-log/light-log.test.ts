// A session that was compacted holds little of what came before, and everything that reads its log finds all of it.
import assert from 'node:assert/strict';
import { compaction } from '../../../../../src/core/features/compaction/compaction-key';
import { compactions } from '../../../../../src/core/sessions/compacted-log';
import { forkRecords, writtenPrompt } from '../../../../../src/core/sessions/fork-records';
import { isLight, wholeRecords } from '../../../../../src/core/sessions/light-records';
import { exportJson } from '../../../../../src/core/projection/export-json';
import { exportMarkdown } from '../../../../../src/core/projection/export-markdown';
import { loggedResult } from '../../../../../src/core/sessions/call-records';
import { encodeRecord } from '../../../../../src/core/sessions/session-codec';
import { usageReport } from '../../../../../src/core/usage/usage-report';
import { type ModelRequest } from '../../../../../src/core/wire/wire';
import { featureOf } from '../../../../support/feature-of';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness } from '../../../../support/session-harness';

const never = new AbortController().signal;
const sent = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
/** Long enough not to be kept as the last turn. */
const long = 'word '.repeat(8_000);
const uuids = (records: readonly object[]): unknown[] => records.map((one) => ('uuid' in one ? one.uuid : undefined));

describe('a compacted session', () => {
  let harness: Harness;
  let model: ScriptedModel;

  const light = (): number => harness.session.records.filter(isLight).length;
  const boundary = (): string =>
    compactions(harness.stored()).findLast(({ undone }) => !undone)?.boundary.uuid ??
    assert.fail('nothing is compacted');
  const compact = async (): Promise<void> => {
    assert.equal((await featureOf(harness.session, compaction).byHand('', never)).kind, 'compacted');
  };
  /** What is let go is let go beside the turn. */
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  beforeEach(async () => {
    model = createScriptedModel((request, index) => {
      const last = request.messages.at(-1)?.content.at(-1);
      if (JSON.stringify(last).includes('is about to be replaced by a summary')) return reply(`Sum ${index}.`);
      if (last?.type === 'tool_result') return reply(`Answer ${index}. ${long}`);
      return reply(toolUse('Look', { text: `result ${index}` }));
    });
    harness = createHarness({ model });
    await harness.run('First question');
    await harness.run('Second question');
    assert.equal(light(), 0);
    await compact();
    await harness.run('Third question');
    await settled();
    assert.ok(light() > 0);
  });
  afterEach(() => assert.deepEqual(model.violations, []));

  it('lets go of what came before, and sends what it would have sent', async () => {
    const { records } = harness.session;
    const at = records.findIndex((record) => record.type === 'system' && record.subtype === 'compact_boundary');
    const before = records.slice(0, at);
    assert.ok(before.every((record) => isLight(record) === !['user-held', 'rare'].includes(kindOf(record))));
    assert.ok(!records.slice(at).some(isLight));
    assert.ok(!sent(model.requests.at(-1)).includes('result 0'));
    const again = createHarness({ model: createScriptedModel([reply('Fourth.')]), records: harness.stored() });
    await again.run('More');
    await harness.run('More');
    const text = (request: ModelRequest | undefined): string => sent(request).slice(0, 2_000);
    assert.ok(text(model.requests.at(-1)).includes('First question'));
  });

  const kindOf = (record: (typeof harness.session.records)[number]): string => {
    if (record.type === 'user' && record.toolState === undefined) return 'user-held';
    return record.type === 'system' && ['setting', 'permission_update'].includes(record.subtype) ? 'rare' : 'many';
  };

  it('is exported, copied and counted as its log says', async () => {
    const { records } = harness.session;
    const stored = harness.stored();
    assert.deepEqual(records.map(encodeRecord), harness.lines);
    assert.deepEqual(records, stored);
    const facts = { id: 's', title: 'T', secrets: [] };
    assert.equal(exportMarkdown(records, facts), exportMarkdown(stored, facts));
    assert.equal(exportJson(records, facts), exportJson(stored, facts));
    assert.deepEqual(usageReport(records), usageReport(stored));
    assert.deepEqual(await wholeRecords(records, { pause: async () => undefined, now: () => 0 }), stored);
    const copy = forkRecords(records, 'copy');
    assert.deepEqual(copy, forkRecords(stored, 'copy'));
    assert.ok(!copy.some(isLight), 'a copy does not hang on the log that it was made from');
  });

  it('goes back to before the compaction', () => {
    const { records } = harness.session;
    const second = records.filter((record) => record.type === 'user' && record.display !== undefined)[1];
    const id = second?.type === 'user' ? second.uuid : assert.fail();
    assert.equal(writtenPrompt(records, id)?.text, 'Second question');
    const copy = forkRecords(records, 'copy', id);
    assert.deepEqual(copy, forkRecords(harness.stored(), 'copy', id));
    assert.ok(JSON.stringify(copy).includes('result 0') && !JSON.stringify(copy).includes('Second question'));
  });

  it('finds results of calls before the compaction', () => {
    const stored = harness.stored();
    const result = stored.find((record) => record.type === 'user' && record.toolState !== undefined);
    const block = result?.type === 'user' ? result.message.content[0] : undefined;
    const id = typeof block === 'object' && block.type === 'tool_result' ? block.tool_use_id : assert.fail();
    assert.deepEqual(loggedResult(harness.session.records, id), result?.type === 'user' && result.toolUseResult);
  });

  it('is whole again where the compaction is undone, byte for byte', async () => {
    const before = model.requests[2];
    assert.ok(featureOf(harness.session, compaction).undo(boundary()));
    assert.equal(light(), 0);
    await harness.run('Go on');
    await settled();
    const messages = model.requests.at(-1)?.messages ?? [];
    const wire = (from: unknown): string =>
      JSON.stringify(from).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, '');
    assert.equal(wire(messages.slice(0, 3)), wire(before?.messages.slice(0, 3)));
    assert.equal(light(), 0, 'it is sent again, so it stays');
    await compact();
    await harness.run('And on');
    await settled();
    assert.ok(light() > 0);
    assert.deepEqual(uuids(harness.session.records), uuids(harness.stored()));
  });

  it('is not undone where what came before cannot be read', () => {
    const at = harness.session.records.findIndex(isLight);
    const [lost = ''] = harness.lines.splice(at, 1, '');
    const count = harness.lines.length;
    const held = light();
    assert.throws(() => featureOf(harness.session, compaction).undo(boundary()), { code: 'session-changed' });
    assert.deepEqual([harness.lines.length, light()], [count, held]);
    assert.throws(() => exportMarkdown(harness.session.records, { title: 'T', secrets: [] }), {
      code: 'session-changed',
    });
    harness.lines[at] = lost;
    assert.ok(featureOf(harness.session, compaction).undo(boundary()));
  });

  it('goes on where what came before cannot be read any more', async () => {
    const boundaryAt = harness.lines.findIndex((line) => line.includes('compact_boundary'));
    for (let at = 0; at < boundaryAt; at++) harness.lines[at] = '';
    const end = await harness.run('Go on');
    assert.equal(end.reason, 'completed');
    await compact();
    assert.equal((await harness.run('And on')).reason, 'completed');
    assert.ok(sent(model.requests.at(-1)).includes('Go on'));
  });

  it('lets go at each compaction', async () => {
    const whole = (): number => harness.session.records.length - light();
    const counts: number[] = [];
    for (let round = 0; round < 6; round++) {
      await harness.run(`Question ${round}`);
      await compact();
      await harness.run(`Answered ${round}?`);
      await settled();
      counts.push(whole());
    }
    const [first = 0, second = 0, third = 0] = counts;
    // What the user wrote stays, and the facts of a compaction itself.
    assert.ok(second - first <= 6, counts.join());
    assert.ok(counts.every((count, index) => count <= first + index * Math.max(second - first, third - second)));
    assert.deepEqual(harness.session.records.map(encodeRecord), harness.lines);
  });
});
