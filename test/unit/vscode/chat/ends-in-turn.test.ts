// Whether a reload cut the last turn: what begins one, what ends one, and Deft's own notes, which do neither.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { decodeRecord, encodeRecord } from '../../../../src/core/sessions/session-codec';
import { endsInTurn } from '../../../../src/vscode/chat/conversation/shown-end';
import { fakeTool, said } from '../../../support/fake-tools';
import { httpError, reply, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const envelope = {
  uuid: 'u',
  parentUuid: null,
  timestamp: '2026-11-21T00:00:00.000Z',
  sessionId: 's',
  cwd: '/w',
  version: '0',
};
const record = (fields: object): SessionRecord =>
  decodeRecord(encodeRecord({ ...envelope, ...fields } as SessionRecord)) ?? assert.fail('no record');
const user = (text: string, fields: object = {}): SessionRecord =>
  record({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] }, ...fields });
const note = (text: string, fields: object = {}): SessionRecord =>
  user(`<system-reminder>\n${text}\n</system-reminder>`, { isMeta: true, ...fields });
const prompt = user('Do it.');
const answer = record({
  type: 'assistant',
  message: {
    id: 'm',
    role: 'assistant',
    model: 'claude-opus-5',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: null,
  },
});
const result = record({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
});
const end = record({ type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 1 });
const setting = record({ type: 'system', subtype: 'setting', name: 'model', value: 'claude-opus-5' });

const table: [string, SessionRecord[], boolean][] = [
  ['nothing', [], false],
  ['nothing but notes', [note('Date: today')], false],
  ['a prompt', [prompt], true],
  ['a reply', [prompt, answer], true],
  ['a result', [prompt, answer, result], true],
  ['late diagnostics, while the model thinks', [prompt, answer, result, note('New problems in a.ts')], true],
  [
    'the note of a nested file',
    [prompt, answer, result, note('Rules of /w/a', { contextKeys: ['memory:/w/a'] })],
    true,
  ],
  [
    'a nudge in the turn',
    [prompt, answer, note('Your last reply was empty. Continue the task, or say that it is done.')],
    true,
  ],
  ['a summary in the turn', [prompt, answer, result, user('Summary', { isMeta: true, isCompactSummary: true })], true],
  ['the end', [prompt, answer, end], false],
  ['the end and a setting', [prompt, answer, end, setting], false],
  ['additions of tools behind the end', [prompt, answer, end, user('Added', { isMeta: true })], false],
  ['a summary behind the end', [prompt, answer, end, user('Summary', { isMeta: true, isCompactSummary: true })], false],
  ['the note that the user stopped it', [prompt, answer, note('The user interrupted this turn.'), end], false],
  ['notes in front of a prompt that never came', [prompt, answer, end, note('Date: today')], false],
  ['notes and a prompt', [prompt, answer, end, note('Date: today'), prompt], true],
  ['"Go on"', [prompt, answer, end, note('Continue the task from where it stopped.')], true],
  [
    '"Go on" and a note behind it',
    [prompt, answer, end, note('Continue the task from where it stopped.'), note('New problems in a.ts')],
    true,
  ],
  [
    '"Go on" that has ended',
    [prompt, answer, end, note('Continue the task from where it stopped.'), answer, end],
    false,
  ],
];

describe('a cut turn', () => {
  for (const [name, records, expected] of table)
    it(`${expected ? 'is' : 'is not'} where a log ends in ${name}`, () => assert.equal(endsInTurn(records), expected));

  it('is what a session leaves when its process dies: at every record of a turn, and of one that "Go on" began', async () => {
    const act = fakeTool('Act', {
      call: async () => {
        harness.session.remind('A command ended.');
        return said('done');
      },
    });
    const harness: Harness = createHarness({
      model: createScriptedModel([
        reply(toolUse('Act', {})),
        httpError(400, 'invalid_request_error', 'No.'),
        reply('Done.'),
      ]),
      tools: [act],
    });
    assert.equal((await harness.run('Go')).reason, 'error');
    assert.equal(endsInTurn(harness.stored()), false);
    const before = harness.stored().length;
    assert.equal((await harness.run()).reason, 'completed');
    const records = harness.stored();
    const isEnd = (one: SessionRecord): boolean => one.type === 'system' && one.subtype === 'turn_end';
    const begins = records.findIndex((one) => one.type === 'user' && one.isMeta !== true);
    for (let cut = begins + 1; cut < records.length; cut++) {
      const log = records.slice(0, cut);
      const last = log.at(-1);
      assert.equal(endsInTurn(log), last !== undefined && !isEnd(last), `cut behind ${JSON.stringify(last)}`);
    }
    assert.ok(records.length > before + 2);
  });
});
