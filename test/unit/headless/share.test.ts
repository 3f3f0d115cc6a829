// "/share": a copy of a session in Claude Code's folder, by the rules of its format, and back again once another program has gone on in it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from '../../support/git-repository';
import { withControlPrograms } from '../../support/control-suite';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { reply, text, thinking, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

type Line = Record<string, unknown> & { message: { role: string; id?: string; content: string | Block[] } };
interface Block {
  type: string;
  id?: string;
  tool_use_id?: string;
}

describe('headless /share', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const { program, result } = withControlPrograms((...opened) => ([place, server] = opened));
  const projects = (): string =>
    path.join(place.home, '.claude/projects', place.workspace.replace(/[^A-Za-z0-9]/g, '-'));

  /** A conversation with thinking, two calls at once, one of which fails, and the answer to "/share". */
  const shared = async (): Promise<{ answer: string; id: string }> => {
    server.setScript([
      reply(
        thinking('Two at once.', 'c2lnbmF0dXJl'),
        text('I look.'),
        toolUse('Bash', { command: 'echo found' }, 'one'),
        toolUse('Read', { file_path: path.join(place.workspace, 'none.txt') }, 'two'),
      ),
      reply('It is there.'),
    ]);
    const started = program('--allowedTools=Bash', '--name', 'The search', '--model=claude-opus-4-8');
    started.say('Where is it?');
    const { session_id: id } = await result(started);
    started.say('/share');
    const answer = String((await result(started))['result']);
    await started.close();
    return { answer, id: String(id) };
  };
  const lines = async (): Promise<{ file: string; lines: Line[] }> => {
    const [name = ''] = await readdir(projects());
    const file = path.join(projects(), name);
    return { file, lines: jsonLines(await readFile(file, 'utf8')) as Line[] };
  };

  it('writes one chain of known lines with everything that was said and done', async () => {
    await mkdir(path.join(place.home, '.claude'));
    const { answer, id } = await shared();
    const { file, lines: all } = await lines();
    const copy = path.basename(file, '.jsonl');
    assert.notEqual(copy, id, 'the original and the copy never go by one ID');
    assert.equal(
      answer,
      `A copy of the session is in ${file}. Continue it in ${place.workspace} with: claude --resume ${copy}`,
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const title = all.pop();
    assert.deepEqual(title, { type: 'custom-title', customTitle: 'The search', sessionId: copy });
    let parent: unknown = null;
    for (const line of all) {
      assert.ok(line['type'] === 'user' || line['type'] === 'assistant');
      assert.equal(line['parentUuid'], parent);
      parent = line['uuid'];
      assert.match(String(parent), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual(
        [line['sessionId'], line['cwd'], line['isSidechain'], line['userType']],
        [copy, place.workspace, false, 'external'],
      );
      assert.ok(!Number.isNaN(Date.parse(String(line['timestamp']))));
      assert.deepEqual(
        Object.keys(line).sort(),
        'cwd gitBranch isSidechain message parentUuid sessionId timestamp type userType uuid version'.split(' '),
      );
    }
    const kinds = all.map(({ message: { role, content } }) =>
      typeof content === 'string' ? `${role}: ${content}` : `${role}: ${content.map(({ type }) => type).join()}`,
    );
    assert.deepEqual(kinds, [
      'user: Where is it?',
      'assistant: text',
      'assistant: tool_use',
      'assistant: tool_use',
      'user: tool_result',
      'user: tool_result',
      'assistant: text',
    ]);
    assert.equal(new Set(all.slice(1, 4).map(({ message }) => message.id)).size, 1, 'one reply is one message');
    assert.doesNotMatch(JSON.stringify(all), /Two at once|system-reminder>/);
  });

  it('belongs to the folder of the command where the run has a worktree', async () => {
    await mkdir(path.join(place.home, '.claude'));
    await gitIn(place.workspace, 'init', '--quiet', '-b', 'main');
    await gitIn(place.workspace, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
    server.setScript([reply('Hello.')]);
    const started = program('--worktree', 'fix');
    started.say('Hello');
    await result(started);
    started.say('/share');
    const answer = String((await result(started))['result']);
    assert.ok(answer.includes(`Continue it in ${place.workspace} with: claude --resume`), answer);
    assert.equal((await lines()).lines[0]?.['cwd'], place.workspace);
    assert.match((await started.close()).stderr, /Nothing was changed in the worktree, and it was removed/);
  });

  it('can be continued by another program, and comes back as a copy', async () => {
    await mkdir(path.join(place.home, '.claude'));
    await shared();
    const { file, lines: all } = await lines();
    const last = all.findLast(({ uuid }) => uuid !== undefined);
    const own = { ...last, parentUuid: last?.['uuid'], version: '2.1.300' };
    const said = { ...own, type: 'user', uuid: '11111111-1111-4111-8111-111111111111' };
    const answered = {
      ...{ ...own, type: 'assistant', uuid: '22222222-2222-4222-8222-222222222222', parentUuid: said.uuid },
      message: { ...last?.message, id: 'msg_cli', content: [{ type: 'text', text: 'In the cellar.' }] },
    };
    const prompt = { ...said, message: { role: 'user', content: 'And the other one?' } };
    await appendFile(file, `${JSON.stringify(prompt)}\n${JSON.stringify(answered)}\n`);
    const before = await readFile(file, 'utf8');

    server.setScript([reply('Both are found.')]);
    const id = path.basename(file, '.jsonl');
    const end = await place.run(['-p', 'Sum it up', '--resume', id, '--fork-session'], { url: server.url });
    assert.equal(end.stdout, 'Both are found.\n', end.stderr);
    assert.match(
      JSON.stringify(server.requests.at(-1)?.body['messages']),
      /Where is it\?[\s\S]*echo found[\s\S]*It is there\.[\s\S]*And the other one\?[\s\S]*In the cellar\.[\s\S]*Sum it up/,
    );
    assert.equal(await readFile(file, 'utf8'), before, 'the other program has the file for itself');
  });

  it('writes nothing where the other program is not set up, behind a link, or where nothing is to stay', async () => {
    assert.match((await shared()).answer, /was not shared\. There is no folder .*\.claude: Claude Code is not set up/);
    assert.equal(existsSync(path.join(place.home, '.claude')), false);
    await mkdir(path.dirname(projects()), { recursive: true });
    await symlink(place.temporary, projects());
    assert.match((await shared()).answer, /is a symlink, which Deft does not follow/);
    assert.deepEqual(
      (await readdir(place.temporary)).filter((name) => name.endsWith('.jsonl')),
      [],
    );
    const unsaved = await place.run(['-p', '/share', '--no-session-persistence'], { url: server.url });
    assert.match(unsaved.stdout, /Nothing of this session is to stay on disk/);
  });
});
