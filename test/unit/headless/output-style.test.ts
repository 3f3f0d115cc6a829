// The output style of a headless run: as settings files name it, in init and in what is sent to the model; agents have none.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('a headless output style', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('comes from settings of the user and a file of the project, and reaches no agent', async () => {
    const folder = path.join(place.workspace, '.claude/output-styles');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'pirate.md'), '---\nname: Pirate\n---\nSay arr.\n');
    await mkdir(path.join(place.home, '.claude'));
    await writeFile(path.join(place.home, '.claude/settings.json'), '{"outputStyle":"pirate"}');
    server.setScript([
      reply(
        toolUse('Agent', {
          description: 'Look',
          prompt: 'Look around',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      ),
      reply('Nothing.'),
      reply('Arr.'),
    ]);
    const end = await place.run(['-p', 'Hello', '--output-format', 'stream-json', '--trust-project'], {
      url: server.url,
    });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(jsonLines(end.stdout).find(({ subtype }) => subtype === 'init')?.['output_style'], 'Pirate');
    assert.deepEqual(
      server.requests.map(({ body }) => JSON.stringify(body['messages']).includes('Say arr.')),
      [true, false, true],
    );
    assert.ok(server.requests.every(({ body }) => !JSON.stringify(body['system']).includes('Say arr')));
  });

  it("is none of the project's without --trust-project", async () => {
    const folder = path.join(place.workspace, '.claude/output-styles');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'pirate.md'), '---\nname: Pirate\n---\nSay arr.\n');
    await mkdir(path.join(place.home, '.claude'));
    await writeFile(path.join(place.home, '.claude/settings.json'), '{"outputStyle":"pirate"}');
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', 'Hello', '--output-format', 'stream-json'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    assert.equal(jsonLines(end.stdout).find(({ subtype }) => subtype === 'init')?.['output_style'], 'default');
    assert.ok(server.requests.every(({ body }) => !JSON.stringify(body).includes('Say arr')));
  });

  it("is Deft's own where none is named", async () => {
    server.setScript([reply('Hello.')]);
    const end = await place.run(['-p', 'Hello', '--output-format', 'stream-json'], { url: server.url });
    assert.equal(jsonLines(end.stdout).find(({ subtype }) => subtype === 'init')?.['output_style'], 'default');
    assert.doesNotMatch(JSON.stringify(server.requests[0]?.body['messages']), /output style/);
  });
});
