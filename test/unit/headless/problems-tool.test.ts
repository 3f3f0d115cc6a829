// Problems in a headless run: the commands of the settings, run for real and read, and what holds them up.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const tsc = `node ${path.resolve('node_modules/typescript/bin/tsc')} --noEmit --pretty false`;
const eslint = `node ${path.resolve('node_modules/eslint/bin/eslint.js')} -f json .`;
const all = ['--permission-mode', 'bypassPermissions'];

type Call = readonly [tool: string, input: Record<string, unknown>];

describe('Problems in a headless run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const put = async (folder: string, files: Record<string, string>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  };
  const configure = (...problemCommands: Record<string, unknown>[]): Promise<void> =>
    put(place.home, { '.claude/settings.json': JSON.stringify({ problemCommands }) });

  /** What the model reads of each call, and what the user is told. */
  async function use(calls: readonly Call[], args = all): Promise<{ results: string[]; stderr: string }> {
    server.setScript([...calls.map(([tool, input]) => reply(toolUse(tool, input))), reply('Done.')]);
    const before = server.requests.length;
    const end = await place.run(['-p', 'Go', ...args], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    return { results: server.requests.slice(before + 1).map(({ body }) => lastResult(body)), stderr: end.stderr };
  }

  it('by real tsc and eslint: what there is, what is new and what is fixed', async () => {
    await put(place.workspace, {
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }',
      'src/a.ts': "export const size: number = 'large';\nexport const name: string = 3;\n",
      'eslint.config.mjs': "export default [{ rules: { eqeqeq: 'warn', 'no-var': 'error' } }];\n",
      'b.js': 'var a = 1 == 2;\n',
    });
    await configure({ command: tsc, files: '**/*.ts' }, { command: eslint, files: '**/*.js' });
    const { results } = await use([
      ['Problems', {}],
      [
        'Bash',
        {
          command:
            "printf 'export const size: number = 1;\\n\\nexport const name: string = 3;\\n' >src/a.ts; printf 'let a = 1 == 2;\\na = 1 != 2;\\n' >b.js",
        },
      ],
      ['Problems', {}],
      ['Problems', { paths: ['b.js'], source: 'eslint', severity: 'error' }],
    ]);
    assert.equal(
      results[0],
      [
        '3 errors, 1 warning in 2 files.',
        'b.js',
        '  1:1 error: Unexpected var, use let or const instead. (eslint no-var)',
        "  1:11 warning: Expected '===' and instead saw '=='. (eslint eqeqeq)",
        'src/a.ts',
        "  1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)",
        "  2:14 error: Type 'number' is not assignable to type 'string'. (ts 2322)",
      ].join('\n'),
    );
    assert.equal(
      results[2],
      [
        '1 error, 2 warnings in 2 files; 1 new, 2 fixed.',
        'b.js',
        "  1:11 warning: Expected '===' and instead saw '=='. (eslint eqeqeq)",
        "  2:7 warning: Expected '!==' and instead saw '!='. (eslint eqeqeq) [new]",
        'src/a.ts',
        "  3:14 error: Type 'number' is not assignable to type 'string'. (ts 2322)",
        'Fixed:',
        '  b.js:1:1 error: Unexpected var, use let or const instead. (eslint no-var)',
        "  src/a.ts:1:14 error: Type 'string' is not assignable to type 'number'. (ts 2322)",
      ].join('\n'),
    );
    assert.equal(results[3], 'No problems are reported in b.js.\n2 less severe ones not shown.');
  });

  it('never takes silence, a failure or words that it cannot read for no problems', async () => {
    await put(place.workspace, { 'a.c': 'int x\n' });
    await configure(
      { command: 'no-such-checker .' },
      { command: 'echo "something is wrong here"; exit 3', source: 'strange' },
      { command: 'sleep 60', timeout: 1 },
    );
    const { results } = await use([['Problems', {}]]);
    const [text = ''] = results;
    assert.match(text, /^It is not known whether there are problems\.\n/);
    assert.match(
      text,
      /Note: `no-such-checker \.`: it ended with exit code 127, and nothing .* reads as a problem: it is not known whether there are any\. Its last output:\n.*not found/,
    );
    assert.match(text, /Note: `echo [^`]*`: it ended with exit code 3[^]*something is wrong here/);
    assert.match(text, /Note: `sleep 60`: it did not end within 1 seconds and was killed/);
    await configure({ command: 'echo "a.c:1:6: error: expected a semicolon"; exit 1' }, { command: 'false' });
    const { results: half } = await use([['Problems', {}]]);
    assert.match(
      half[0] ?? '',
      /^1 error in 1 file, and perhaps others \(see the notes\)\.\na\.c\n {2}1:6 error: expected a semicolon \(check\)\nNote: `false`: it ended with exit code 1/,
    );
    await configure({ command: 'echo "All checks passed!"' });
    const { results: fine } = await use([['Problems', {}]]);
    assert.equal(
      fine[0],
      'No problems are reported.\nNote: `echo "All checks passed!"`: it ended with exit code 0 and printed: All checks passed!',
    );
  });

  it('is judged as the commands that it runs', async () => {
    await put(place.workspace, { 'a.c': '' });
    await configure({ command: 'touch ran; echo "a.c:1:1: error: bad"; false' });
    const ask = (...args: string[]): Promise<string> =>
      use([['Problems', {}]], ['--permission-mode', 'default', ...args]).then(({ results }) => results[0] ?? '');
    assert.match(await ask(), /^Permission denied: .*touch ran/);
    assert.match(await ask('--allowedTools', 'Read'), /^Permission denied: /, 'what only reads is not what runs');
    assert.match(await ask('--allowedTools', 'Bash(touch *)', 'Bash(echo *)', 'Bash(false)'), /^1 error/);
    assert.match(await ask('--allowedTools', 'Problems'), /^1 error/);
    assert.match(await ask('--allowedTools', 'Bash'), /^1 error/);
    assert.match(
      await ask('--allowedTools', 'Problems', '--disallowedTools', 'Bash(touch *)'),
      /^Permission denied: .*Bash\(touch \*\)/,
    );
    assert.match(
      await ask('--allowedTools', 'Problems', '--disallowedTools', 'Bash'),
      /No such tool available: Problems/,
    );
    const settings = JSON.stringify({ permissions: { ask: ['Bash'] } });
    assert.match(await ask('--allowedTools', 'Problems', '--settings', settings), /^Permission denied: /);
  });

  it('uses the commands of a project only if it is trusted, and says so', async () => {
    await put(place.workspace, {
      'a.c': '',
      '.claude/settings.json': JSON.stringify({
        problemCommands: [{ command: 'touch ran; echo "a.c:1: error: bad"' }],
      }),
    });
    const untrusted = await use([['Problems', {}]]);
    assert.match(untrusted.results[0] ?? '', /Problems needs VS Code, or commands in the setting problemCommands/);
    assert.match(untrusted.stderr, /The project's problemCommands are not used: .*--trust-project/);
    const trusted = await use([['Problems', {}]], [...all, '--trust-project']);
    assert.match(trusted.results[0] ?? '', /^1 error in 1 file\.\na\.c\n {2}1:1 error: bad/);
    assert.doesNotMatch(trusted.stderr, /problemCommands/);
  });

  it('names a setting that it cannot use', async () => {
    await configure({ comand: 'tsc' });
    const { stderr, results } = await use([['Problems', {}]]);
    assert.match(stderr, /problemCommands/);
    assert.match(results[0] ?? '', /No such tool available: Problems/);
  });

  it('runs what is about the files that are named, from the folder of the workspace', async () => {
    await put(place.workspace, { 'sub/a.c': '', 'b.py': '', 'c.md': '' });
    await configure(
      { command: 'echo "sub/a.c:1:1: error: bad"; exit 1', files: '*.c' },
      { command: 'echo "b.py:1:1: F401 unused"; exit 1', files: '*.py', source: 'flake8' },
    );
    const { results } = await use([
      ['Bash', { command: 'cd sub' }],
      ['Problems', { paths: ['a.c'] }],
      ['Problems', { paths: ['../c.md'] }],
      ['Problems', { paths: ['../b.py', '../c.md'] }],
    ]);
    assert.match(results[1] ?? '', /^1 error in 1 file\.\na\.c\n {2}1:1 error: bad \(check\)$/);
    assert.match(results[2] ?? '', /No command of the setting problemCommands is about \S+c\.md/);
    assert.match(
      results[3] ?? '',
      /1:1 error: unused \(flake8 F401\)\nNote: No configured command is about \S*c\.md\.$/,
    );
  });

  it('@problems attaches the last look, runs nothing by itself, and tells the user where there is nothing', async () => {
    await put(place.workspace, { 'a.c': '' });
    await configure({ command: 'echo x >>ran; echo "a.c:1:1: error: bad"; exit 1' });
    const say = (content: string): string =>
      `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
    server.setScript([reply('Fine.'), reply(toolUse('Problems', {})), reply('Done.'), reply('Fine.')]);
    const end = await place.run(
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', ...all],
      { url: server.url, stdin: [say('Look at @problems'), say('Check'), say('Now fix @problems')].join('') },
    );
    assert.equal(end.code, 0, end.stderr);
    const [first, , , last] = server.requests.map(({ body }) => JSON.stringify(body));
    assert.match(first ?? '', /shows=\\\\?"problems\\\\?">\\\\?nNothing has been checked in this session yet/);
    assert.match(last ?? '', /shows=\\\\?"problems\\\\?">\\\\?n1 error in 1 file\./);
    await configure();
    server.setScript([reply('Fine.')]);
    const none = await place.run(['-p', 'See @problems, @terminal and @symbol:sum', ...all], { url: server.url });
    assert.match(none.stderr, /@problems: Nothing reports problems here: .*problemCommands/);
    assert.match(none.stderr, /@terminal needs VS Code: a headless run has no terminal/);
    assert.match(none.stderr, /@symbol:sum needs VS Code: a headless run has no language servers/);
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /@terminal needs VS Code/);
  });

  it('what only an editor has says so when it is called', async () => {
    const names = ['Refactor', 'Debug', 'RunTask', 'RunCells', 'LSP'];
    const { results } = await use(names.map((name) => [name, {}]));
    assert.deepEqual(
      results.map((text) => /(\w+) needs VS Code, which is not there/.exec(text)?.[1]),
      names,
    );
  });
});

function lastResult(body: unknown): string {
  const { messages } = body as { messages: { content: string | { type: string; content?: unknown }[] }[] };
  const content = messages.at(-1)?.content ?? '';
  const result = typeof content === 'string' ? undefined : content.findLast(({ type }) => type === 'tool_result');
  return typeof result?.content === 'string' ? result.content : JSON.stringify(result?.content);
}
