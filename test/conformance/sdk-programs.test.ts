// The programs of docs/sdk.md as they stand there, with the public agent SDK itself: what users copy runs, and its types fit.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { headlessBundle, type HeadlessEnd, type HeadlessPlace } from '../support/headless-run';
import { withHeadlessPlace } from '../support/headless-suite';
import { reply, toolUse } from '../support/messages-api/script';
import { type MessagesApi } from '../support/messages-api/server';
import { installPrograms } from './programs';

/** By the titles that stand above them. */
const programs = new Map(
  [...readFileSync('docs/sdk.md', 'utf8').matchAll(/^\*\*(.+)\*\*\n\n```ts\n([\s\S]*?)^```$/gm)].map(
    ([, title = '', code = '']) => [title, code],
  ),
);

describe('the programs of docs/sdk.md', function () {
  this.timeout(240_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  let packages: string;
  before(() => (packages = installPrograms()));
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const file = (name: string): string => path.join(place.workspace, name);

  /** As in a project that has the SDK beside a built Deft. */
  const run = async (title: string): Promise<HeadlessEnd> => {
    const code = programs.get(title);
    assert.ok(code, `docs/sdk.md has no program ${title}`);
    await symlink(packages, path.join(path.dirname(place.workspace), 'node_modules'));
    await symlink(path.dirname(await headlessBundle()), file('dist'));
    const source = path.join(path.dirname(place.workspace), 'program.ts');
    await writeFile(source, code);
    const script = file('program.mjs');
    await build({ entryPoints: [source], outfile: script, format: 'esm', target: 'node20', logLevel: 'silent' });
    const end = await place.run([], { url: server.url, script });
    assert.equal(end.code, 0, end.stderr);
    return end;
  };

  it('are three', () =>
    assert.deepEqual(
      [...programs.keys()],
      ['Ask, and decide on calls', 'An answer of a given shape', 'A tool of your own'],
    ));

  it('decide on calls', async () => {
    server.setScript([
      reply(toolUse('Bash', { command: 'touch by-command.txt' })),
      reply(toolUse('Write', { file_path: file('by-tool.txt'), content: 'x\n' })),
      reply('Fixed.'),
    ]);
    const { stdout } = await run('Ask, and decide on calls');
    assert.equal(stdout, 'Fixed.\n');
    assert.deepEqual([existsSync(file('by-command.txt')), existsSync(file('by-tool.txt'))], [false, true]);
    const [first, second] = server.requests.map(({ body }) => body);
    assert.match(JSON.stringify(first?.['system']), /You are Deft/);
    assert.match(JSON.stringify(second?.['messages']), /No commands\./);
  });

  it('get an answer of their shape', async () => {
    server.setScript([reply(toolUse('StructuredOutput', { files: ['src/parser.ts'] })), reply('Done.')]);
    assert.equal((await run('An answer of a given shape')).stdout, "{ files: [ 'src/parser.ts' ] }\n");
  });

  it('lend a tool of their own', async () => {
    server.setScript([reply(toolUse('mcp__calculator__add', { a: 2, b: 3 })), reply('It is 5.')]);
    assert.equal((await run('A tool of your own')).stdout, 'It is 5.\n');
    const sent = (server.requests[1]?.body['messages'] as { content: { content?: unknown }[] }[]).at(-1);
    assert.equal(sent?.content[0]?.content, '5');
  });

  it('fit the types of the SDK', async () => {
    const folder = path.join(path.dirname(place.workspace), 'typed');
    await mkdir(folder);
    await symlink(packages, path.join(folder, 'node_modules'));
    const sources = [...programs.values()].map((code, index) => ({ source: path.join(folder, `${index}.mts`), code }));
    for (const { source, code } of sources) await writeFile(source, code);
    const compiler = path.resolve('node_modules/typescript/bin/tsc');
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node'.split(' ');
    const typeRoots = path.resolve('node_modules/@types');
    const checked = await promisify(execFile)(
      process.execPath,
      [compiler, ...options, '--typeRoots', typeRoots, ...sources.map(({ source }) => source)],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);
    assert.equal(checked.stdout, '');
  });
});
