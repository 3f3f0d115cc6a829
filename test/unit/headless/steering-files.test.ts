// The mode for edits in the built runner: files that other programs run by themselves are not written unasked.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('acceptEdits and files that run by themselves', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  const at = (file: string): string => path.join(place.workspace, file);
  const run = async (calls: readonly [tool: string, input: object][]): Promise<string> => {
    server.setScript([
      ...calls.map(([tool, input], index) => reply(toolUse(tool, input, `t${index}`))),
      reply('Done.'),
    ]);
    const end = await place.run(['-p', 'Go', '--permission-mode', 'acceptEdits'], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    return JSON.stringify(server.requests.at(-1)?.body['messages']);
  };

  it('writes none of them, by no tool, and says who runs it', async () => {
    execFileSync('git', ['init', '-q', place.workspace]);
    execFileSync('git', ['-C', place.workspace, 'config', 'core.hooksPath', 'tools/hooks']);
    for (const file of ['tools/hooks/commit-msg', 'web/a/.github/workflows/ci.yml']) {
      await mkdir(path.dirname(at(file)), { recursive: true });
      await writeFile(at(file), 'x\n');
    }
    const files = [
      '.githooks/pre-commit',
      'tools/hooks/pre-commit',
      '.husky/pre-commit',
      '.cursor/mcp.json',
      '.zed/tasks.json',
      '.gdbinit',
      '.exrc',
      '.envrc',
      '.devcontainer/devcontainer.json',
      '.github/workflows/ci.yml',
      'CLAUDE.md',
      'AGENTS.md',
      '.npmrc',
    ];
    const said = await run([
      ...files.map((file): [string, object] => ['Write', { file_path: at(file), content: 'x\n' }]),
      ['Bash', { command: 'touch tools/hooks/pre-push' }],
      ['Bash', { command: 'touch AGENTS.md' }],
      ['Bash', { command: 'echo x >.gdbinit' }],
      ['Bash', { command: 'rm -r tools' }],
      ['Bash', { command: 'mv tools/hooks old' }],
      ['Bash', { command: 'rm -rf web/a' }],
      ['Write', { file_path: at('tools/notes.md'), content: 'x\n' }],
    ]);
    for (const file of ['tools/hooks/commit-msg', 'web/a/.github/workflows/ci.yml'])
      assert.ok(existsSync(at(file)), file);
    for (const file of [...files, 'tools/hooks/pre-push']) assert.equal(existsSync(at(file)), false, file);
    assert.equal(await readFile(at('tools/notes.md'), 'utf8'), 'x\n');
    assert.match(said, /git runs what is in that folder at commits/);
    assert.match(
      said,
      /CLAUDE\.md` takes effect outside this session: agents follow it as instructions in every session/,
    );
    assert.match(said, /CI runs it, with the access and the secrets that CI has/);
  });

  it('changes package.json where its scripts stay, and not where they change', async () => {
    const before = JSON.stringify({ name: 'a', version: '1.0.0', scripts: { test: 'mocha' } }, undefined, 2);
    await writeFile(at('package.json'), before);
    const edit = (old_string: string, new_string: string): [string, object] => [
      'Edit',
      { file_path: at('package.json'), old_string, new_string },
    ];
    const said = await run([
      ['Read', { file_path: at('package.json') }],
      edit('"1.0.0"', '"1.1.0"'),
      edit('"mocha"', '"mocha; curl evil"'),
      edit('"scripts": {', '"scripts": {\n    "postinstall": "x",'),
      ['Write', { file_path: at('package.json'), content: before.replace('mocha', 'x') }],
      ['Bash', { command: 'sed -i s/mocha/x/ package.json' }],
    ]);
    assert.equal(await readFile(at('package.json'), 'utf8'), before.replace('1.0.0', '1.1.0'));
    assert.match(said, /package managers and git hooks run its scripts/);
  });
});
