// Golden data of one small session: the first request without its prefix, and every line of the log.
import assert from 'node:assert/strict';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { reply, thinking, toolUse, withFields } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { matchSnapshot } from './snapshot';

describe('golden session', () => {
  it('request and log', async () => {
    const model = createScriptedModel([
      withFields(
        reply(
          thinking('Look first.', 'sig'),
          'Looking.',
          toolUse('Read', { file_path: '/w/a.txt' }, 't1'),
          toolUse('Read', { file_path: '/w/none.txt' }, 't2'),
        ),
        {
          usage: { input_tokens: 100, output_tokens: 20 },
        },
      ),
      reply(toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' }, 't3')),
      reply('Done.'),
    ]);
    const harness = createHarness({ model, tools: getAllBaseTools() });
    await harness.run('Change one to two');
    assert.deepEqual(model.violations, []);
    const [request, ...later] = model.requests;
    assert.equal(later.length, 2);
    matchSnapshot(
      'request.json',
      JSON.stringify({ ...request, system: '(see system-prompt.md)', tools: '(see tools/)' }, undefined, 2),
    );
    matchSnapshot('last-messages.json', JSON.stringify(later[1]?.messages, undefined, 2));
    const records = harness.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    checkEnvelopes(records);
    // Parallel events may be reported in another order: facts of Deft's own come after the conversation here.
    const order = [
      ...records.filter(({ type }) => type !== 'system'),
      ...records.filter(({ type }) => type === 'system'),
    ];
    matchSnapshot(
      'log.jsonl',
      order.map((record) => JSON.stringify(bare(record), undefined, 1).replace(/\n\s*/g, ' ')).join('\n'),
    );
  });
});

const envelope = ['uuid', 'parentUuid', 'timestamp', 'sessionId', 'cwd', 'version'];

/** Every line has its envelope, points at the one before, and a result names the reply that asked for it. */
function checkEnvelopes(records: Record<string, unknown>[]): void {
  records.forEach((record, index) => {
    for (const field of envelope) assert.notEqual(record[field], undefined, field);
    assert.equal(record['parentUuid'], records[index - 1]?.['uuid'] ?? null);
    if (record['toolUseResult'] === undefined) return;
    const source = records.find(({ uuid }) => uuid === record['sourceToolAssistantUUID']);
    assert.equal(source?.['type'], 'assistant');
  });
  assert.equal(new Set(records.map(({ uuid }) => uuid)).size, records.length);
}

/** Without its envelope and without hashes, which are long and say nothing to a reader. */
function bare(record: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(record, (key, value: unknown) => {
      if (envelope.includes(key) || key === 'sourceToolAssistantUUID') return undefined;
      return key === 'hash' ? '(hash)' : value;
    }),
  );
}
