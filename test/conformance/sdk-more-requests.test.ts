// Files, settings, skills, plugins, servers and tasks, asked for by the SDK itself: each answer and each effect.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { headlessBundle, type HeadlessPlace } from '../support/headless-run';
import { withHeadlessPlace } from '../support/headless-suite';
import { reply, toolUse } from '../support/messages-api/script';
import { type MessagesApi } from '../support/messages-api/server';
import { installPrograms, programFile } from './programs';

interface Told {
  answers: Record<string, unknown>;
  heard: { elicited: Record<string, unknown>[]; stderr: string };
  started: string[];
  ended: string[];
  capabilities: string[];
}

describe('more requests of the agent SDK', function () {
  this.timeout(240_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  before(() => void installPrograms());
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const file = (name: string): string => path.join(place.workspace, name);

  /** What the model does, and what the program has been told in the end. */
  const played = async (): Promise<Told> => {
    const { workspace, home } = place;
    const outside = path.join(path.dirname(workspace), 'outside');
    await mkdir(outside);
    await mkdir(path.join(home, '.claude'), { recursive: true });
    await writeFile(file('notes.txt'), 'one\ntwo\n');
    await writeFile(file('changed.txt'), 'one\n');
    await writeFile(file('secret.txt'), 'secret\n');
    await writeFile(file('bytes.bin'), Buffer.from([0xff, 0x00, 0x41]));
    await writeFile(path.join(outside, 'other.txt'), 'other\n');
    await symlink(path.join(outside, 'other.txt'), file('link.txt'));
    const edit = (name: string, id: string) =>
      toolUse('Edit', { file_path: file(name), old_string: 'one', new_string: 'ONE' }, id);
    const until = (name: string, id: string) =>
      toolUse('Bash', { command: `until [ -e ${name} ]; do sleep 0.05; done` }, id);
    server.setScript([
      reply(edit('notes.txt', 'toolu_notes'), edit('changed.txt', 'toolu_changed')),
      reply('Edited.'),
      reply('HELLO'),
      reply(toolUse('mcp__official__ask', {}, 'toolu_ask')),
      reply('Asked.'),
      reply(toolUse('mcp__official__die', {}, 'toolu_die')),
      reply('Died.'),
      reply('Explained.'),
      reply(until('go', 'toolu_wait')),
      reply('Moved.'),
      reply(until('busy', 'toolu_busy')),
      reply('Was busy.'),
      reply('It has ended.'),
    ]);
    const end = await place.run([await headlessBundle(), workspace, home, outside], {
      url: server.url,
      script: programFile('sdk-more-requests.mjs'),
    });
    assert.equal(end.code, 0, end.stderr);
    return JSON.parse(end.stdout) as Told;
  };

  it('each do what they say, and no more than Read and the settings allow', async () => {
    const { home } = place;
    const { answers, heard, started, ended, capabilities } = await played();
    const refused = (name: string): string => {
      const { refused: why } = answers[name] as { refused?: string };
      return why ?? assert.fail(`${name} was not refused: ${JSON.stringify(answers[name])}`);
    };
    const sent = (at: number): string => JSON.stringify(server.requests[at]?.body['messages']);

    assert.deepEqual(answers['read'], { contents: 'one\ntwo\n', absPath: file('notes.txt'), lossy: false });
    assert.deepEqual(answers['cut'], {
      ...{ contents: 'one', absPath: file('notes.txt') },
      ...{ truncated: true, lossy: false },
    });
    assert.deepEqual(answers['encoded'], { contents: '/wBB', encoding: 'base64', absPath: file('bytes.bin') });
    assert.equal(answers['lossy'], true);
    for (const name of ['denied', 'outside', 'throughLink']) assert.equal(answers[name], null, name);

    assert.match(refused('seedDenied'), /secret\.txt may not be read/);
    assert.equal(readFileSync(file('notes.txt'), 'utf8'), 'ONE\ntwo\n');
    assert.equal(readFileSync(file('changed.txt'), 'utf8'), 'one\n', 'it was changed after it was read');

    assert.ok((answers['skills'] as string[][]).some(([name, about]) => name === 'late' && about === 'Comes late.'));
    const added = answers['added'] as Named;
    assert.deepEqual([added.plugins, added.loud, added.error_count, added.held], [['shout'], true, 0, undefined]);
    const held = answers['held'] as Named;
    assert.deepEqual([held.held, held.plugins], [true, ['shout']]);
    assert.deepEqual(held.cache_impact?.mcp_servers_added, ['plugin:odd:own']);
    const without = answers['without'] as Named;
    assert.deepEqual(
      [without.plugins.sort(), without.servers.sort()],
      [
        ['odd', 'shout'],
        ['inside', 'official'],
      ],
    );
    assert.match(refused('relative'), /absolute/);
    assert.deepEqual([answers['loud'], /Say it loudly: hello/.test(sent(2))], ['HELLO', true]);

    assert.deepEqual(
      [answers['off'], answers['on']],
      [
        ['done', 'disabled'],
        ['done', 'connected'],
      ],
    );
    assert.match(refused('unknown'), /There is no MCP server "nobody"/);
    assert.deepEqual(answers['widget'], {
      contents: [
        { uri: 'ui://official/widget', mimeType: 'text/html', text: '<p>Hello</p>', _meta: { ui: { csp: {} } } },
      ],
    });
    assert.match(refused('notUi'), /ui:\/\//);
    assert.match(refused('ofProgram'), /inside the program/);

    const [asked] = heard.elicited;
    assert.deepEqual(
      [asked?.['serverName'], asked?.['message'], asked?.['mode']],
      ['official', 'What is your name?', 'form'],
    );
    assert.match(sent(4), /accept: Ada/);
    assert.deepEqual([answers['died'], answers['reconnected']], ['Died.', ['done', 'connected']]);

    assert.deepEqual([answers['effort'], answers['style']], ['done', 'done']);
    assert.deepEqual(JSON.parse(await readFile(path.join(home, '.claude/settings.json'), 'utf8')), {
      effortLevel: 'low',
    });
    assert.deepEqual(JSON.parse(await readFile(file('.claude/settings.local.json'), 'utf8')), {
      outputStyle: 'Explanatory',
    });
    assert.match(refused('max'), /effortLevel takes low, medium, high, xhigh/);
    assert.match(refused('noStyle'), /no output style "Nobody"/);
    assert.match(refused('rules'), /writes only outputStyle into localSettings, not permissions/);
    assert.match(refused('hooks'), /writes only effortLevel into userSettings, not hooks/);
    assert.match(sent(7), /chosen the output style \\"Explanatory\\"/);

    assert.equal(answers['nothing'], false);
    assert.equal(answers['moved'], 'Moved.');
    assert.match(sent(9), /background/);
    assert.equal((answers['busy'] as { code?: string }).code, 'reload_plugins_busy');
    assert.deepEqual(answers['told'], ['It has ended.', { kind: 'task-notification' }]);
    assert.match(sent(12), /has ended without an error/);
    assert.deepEqual([started, ended], [['toolu_wait'], ['completed']]);
    assert.deepEqual(capabilities, ['mcp_read_resource_v1', 'reload_plugins_refuse_if_busy_v1']);
    assert.equal(existsSync(file('go')), true);
    assert.match(heard.stderr, /holds for this run. Later runs read it .* only with --trust-project/);
  });
});

interface Named {
  plugins: string[];
  loud: boolean;
  servers: string[];
  held?: boolean;
  cache_impact?: { mcp_servers_added: string[] };
  error_count: number;
}
