// /goal in a headless run: it is sent, checked, kept in the session and taken back, as in the chat.
import assert from 'node:assert/strict';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('a headless goal', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  const run = (prompt: string, ...more: string[]) => place.run(['-p', prompt, ...more], { url: server.url });

  it('sends the agent back to work until the check finds it reached', async () => {
    server.setScript([
      reply('Half of it.'),
      reply('{"ok": false, "reason": "The other half is missing."}'),
      reply('All of it.'),
      reply('{"ok": true, "reason": "Both halves are there."}'),
    ]);
    const end = await run('/goal both halves are there', '--output-format', 'stream-json');
    assert.equal(end.code, 0, end.stderr);
    const lines = jsonLines(end.stdout);
    const commands = lines.find(({ subtype }) => subtype === 'init')?.['slash_commands'] as string[];
    assert.deepEqual(
      commands.filter((name) => name === 'goal'),
      ['goal'],
    );
    assert.equal(lines.at(-1)?.['result'], 'All of it.');
    const [first, , third] = server.requests.map(({ body }) => JSON.stringify(body['messages']));
    assert.match(first ?? '', /My goal for you, until it is reached: both halves are there/);
    assert.match(third ?? '', /not reached yet: The other half is missing\./);
    const states = (await place.transcript()).flatMap(({ subtype, state }) => (subtype === 'goal' ? [state] : []));
    assert.deepEqual(states, ['set', 'met']);
  });

  it('goes on with its session, says which one holds, and is taken back, without a word to the model', async () => {
    server.setScript([reply('Hm.'), reply('Who knows.')]);
    assert.equal((await run('/goal the moon')).code, 0);
    const asked = await run('/goal', '--continue');
    assert.deepEqual([asked.code, asked.stdout], [0, 'Goal\nthe moon\n/goal clear removes it.\n'], asked.stderr);
    const cleared = await run('/goal clear', '--continue', '--output-format', 'json');
    const [result] = jsonLines(cleared.stdout);
    assert.deepEqual([result?.['subtype'], result?.['num_turns']], ['success', 0]);
    assert.match(String(result?.['result']), /^Goal cleared\./);
    assert.equal(server.requests.length, 2);
    assert.equal((await run('/goal', '--continue')).stdout.split('\n')[0], 'There is no goal.');
  });
});
