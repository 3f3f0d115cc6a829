// Tests in a headless run: real runners over planted projects, permission, what failed last, and an end before the end.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { gitEnvironment } from '../../support/git-repository';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { withLongSleeps } from '../../support/long-sleeps';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { plantedProjects } from '../../support/planted-projects';
import { skipUnless } from '../../support/skip-unless';

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

describe('Tests in a headless run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));
  const sleeping = withLongSleeps(3000);

  const put = async (files: Record<string, string>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(place.workspace, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  };

  /** What the model reads of each call. */
  async function use(
    inputs: readonly Record<string, unknown>[],
    args: string[] = ['--permission-mode', 'bypassPermissions'],
    env: Record<string, string> = {},
  ): Promise<string[]> {
    server.setScript([...inputs.map((input) => reply(toolUse('Tests', input))), reply('Done.')]);
    const before = server.requests.length;
    const end = await place.run(['-p', 'Go', ...args], { url: server.url, env });
    assert.equal(end.code, 0, end.stderr);
    return server.requests.slice(before + 1).map(({ body }) => {
      const { messages } = body as { messages: { content: string | { type: string; content?: unknown }[] }[] };
      const content = messages.at(-1)?.content ?? '';
      const result = typeof content === 'string' ? undefined : content.find(({ type }) => type === 'tool_result');
      return typeof result?.content === 'string' ? result.content : JSON.stringify(result?.content);
    });
  }

  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, {
      cwd: place.workspace,
      env: { ...process.env, ...gitEnvironment },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  };
  const commitAll = (): void => {
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Begin');
  };

  for (const name of ['node', 'mocha', 'pytest'] as const)
    it(`${name}: four of four planted failures are located`, async function () {
      if (name === 'pytest') skipUnless(has('python3', '-m', 'pytest', '--version'), 'pytest is not installed.');
      await put(plantedProjects[name].files);
      if (name === 'mocha') await symlink(path.resolve('node_modules'), path.join(place.workspace, 'node_modules'));
      const [text = ''] = await use([{}]);
      assert.match(text, /^4 failed, 6 passed, 1 skipped in [\d.]+ m?s \((?:node:test|mocha|pytest)\)\.\n/);
      for (const { path: file, line, frame } of plantedProjects[name].failures) {
        assert.match(text, new RegExp(`^${file}$[^]*^ {2}${line} `, 'm'));
        if (frame !== undefined) assert.ok(text.includes(`(at ${frame})`), text);
      }
    });

  it('cargo test: a failure at its line', async () => {
    skipUnless(has('cargo', '--version'), 'cargo is not installed.');
    await put({
      'Cargo.toml': '[package]\nname = "planted"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '#[test]\nfn adds() {\n    assert_eq!(1 + 2, 4);\n}\n#[test]\nfn holds() {}\n',
    });
    // Where rustup has its toolchains, which it looks for in the home.
    const rustup = process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup');
    const [text = ''] = await use([{}], undefined, existsSync(rustup) ? { RUSTUP_HOME: rustup } : {});
    assert.match(text, /^1 failed, 1 passed in .* \(cargo test\)\.\nsrc\/lib\.rs\n {2}3 adds: expected 4, actual 3$/m);
  });

  it('one file, one name, and what failed last', async () => {
    await put(plantedProjects.node.files);
    await put({ 'test/other.test.mjs': "import { it } from 'node:test';\nit('is fine', () => {});\n" });
    const [file = '', name = '', failed = ''] = await use([
      { path: 'test/other.test.mjs' },
      { path: 'test/cart.test.mjs', name: 'adds prices' },
      { failed: true },
    ]);
    assert.match(file, /^0 failed, 1 passed in/);
    assert.match(
      name,
      /^1 failed, 0 passed in .*\ntest\/cart\.test\.mjs\n {2}7 cart > adds prices: expected 3, actual 4$/,
    );
    assert.match(failed, /^1 failed, 0 passed in .*\ntest\/cart\.test\.mjs\n {2}7 cart > adds prices: /);
  });

  it('tells apart what did not run, what could not, and what has no runner', async () => {
    await put({
      'package.json': '{ "scripts": { "test": "tsc -b && node --test" } }',
      'test/empty.test.mjs': 'export {};\n',
      'test/broken.test.mjs': "import './nowhere.mjs';\n",
      'a.py': '',
    });
    const [none = '', broken = '', python = '', again = ''] = await use([
      { path: 'test/empty.test.mjs' },
      { path: 'test/broken.test.mjs' },
      { path: 'a.py' },
      { path: 'nowhere.test.mjs' },
    ]);
    assert.match(none, /^No tests ran \(node:test\)\. That is not the same as no failures\.\nNote: .*`tsc -b` first/);
    assert.match(
      broken,
      /^1 file could not run, 0 failed, 0 passed.*\nCould not run test\/broken\.test\.mjs: .*nowhere\.mjs/,
    );
    assert.match(python, /No test runner is set up for .*a\.py/);
    assert.match(again, /does not exist/);
  });

  it('is judged as the command that it runs', async () => {
    await put(plantedProjects.node.files);
    const [nobody = ''] = await use([{}], ['--permission-mode', 'default']);
    assert.match(nobody, /Permission denied/);
    const [allowed = ''] = await use(
      [{}],
      ['--permission-mode', 'default', '--allowedTools', 'Bash(node --test --test-reporter=tap)'],
    );
    assert.match(allowed, /^4 failed/);
    const [tool = ''] = await use([{}], ['--permission-mode', 'default', '--allowedTools', 'Tests']);
    assert.match(tool, /^4 failed/);
    const [denied = ''] = await use(
      [{}],
      ['--permission-mode', 'bypassPermissions', '--disallowedTools', 'Bash(node *)'],
    );
    assert.match(denied, /Permission denied: .*Bash\(node \*\)/);
  });

  it('tells which uncommitted lines no test has run', async () => {
    const source = 'export function size(n) {\n  if (n > 1) return "large";\n  return "small";\n}\n';
    await put({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'size.mjs': source,
      'size.test.mjs': `import { it } from 'node:test';
import { size } from './size.mjs';
it('is small', () => void size(0));
`,
    });
    commitAll();
    const [clean = ''] = await use([{ coverage: true }]);
    assert.match(clean, /^0 failed, 1 passed in .*\nCoverage: no line that can run is uncommitted\.$/);
    await put({
      'size.mjs': source.replace('  return "small"', '  if (n < 0) {\n    return "none";\n  }\n\n  return "small"'),
      'other.mjs': 'export const other = 1;\n',
      'notes.md': 'None of this runs.\n',
    });
    const [text = ''] = await use([{ coverage: true }]);
    assert.match(
      text,
      /^0 failed, 1 passed in .*\nCoverage: 1 of 3 uncommitted lines that can run did\. Not run:\n {2}size\.mjs: 4-5\nNot measured, as no test loads them: other\.mjs\.$/,
    );
    await rm(path.join(place.workspace, '.git'), { recursive: true });
    const [unknown = ''] = await use([{ coverage: true }]);
    assert.match(unknown, /Note: Which lines have changed is not known: git does not tell/);
  });

  it('names uncommitted lines of Go that no test ran', async () => {
    skipUnless(has('go', 'version'), 'Go is not installed.');
    await put({
      'go.mod': 'module shop.test/shop\n\ngo 1.19\n',
      'price.go': 'package shop\n\nfunc Price(n int) int {\n\treturn n\n}\n',
      'price_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tif Price(3) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    });
    commitAll();
    await put({
      'price.go': 'package shop\n\nfunc Price(n int) int {\n\tif n > 10 {\n\t\tn--\n\t}\n\treturn n\n}\n',
      'other/other.go': 'package other\n\nfunc Other() int {\n\treturn 1\n}\n',
      // No test of its own, but one of another package runs it.
      'lib/lib.go': 'package lib\n\nfunc Add(n int) int {\n\treturn n + 1\n}\n',
      'use/use_test.go':
        'package use\n\nimport (\n\t"testing"\n\n\t"shop.test/shop/lib"\n)\n\nfunc TestAdd(t *testing.T) {\n\tif lib.Add(1) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    });
    const [text = ''] = await use([{ coverage: true }]);
    assert.match(
      text,
      /^0 failed, 2 passed in .* \(go test\)\.\nCoverage: 4 of 9 uncommitted lines that can run did\. Not run:\n {2}price\.go: 5-6\n {2}other\/other\.go: 3-5$/,
    );
  });

  it('is seen by hooks for Bash, as the command that it runs', async () => {
    await put({ ...plantedProjects.node.files });
    const guard = (exit: string): Promise<void> =>
      writeFile(
        path.join(place.home, '.claude/settings.json'),
        JSON.stringify({
          hooks: {
            PreToolUse: [
              { matcher: 'Bash', hooks: [{ type: 'command', command: `cat >>"$HOME/seen"; ${exit}` }] },
              { matcher: 'Tests', hooks: [{ type: 'command', command: 'cat >>"$HOME/own"' }] },
            ],
          },
        }),
      );
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await guard('exit 0');
    const [passed = ''] = await use([{}]);
    assert.match(passed, /^4 failed/);
    const read = async (name: string): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(path.join(place.home, name), 'utf8')) as Record<string, unknown>;
    const seen = await read('seen');
    assert.deepEqual([seen['tool_name'], seen['tool_input']], ['Bash', { command: 'node --test --test-reporter=tap' }]);
    assert.equal((await read('own'))['tool_name'], 'Tests');
    await guard('echo "No programs today." >&2; exit 2');
    const [blocked = ''] = await use([{}]);
    assert.match(blocked, /^Permission denied: No programs today\.$/);
  });

  it('ends with its processes where the time is over, and says what had passed', async () => {
    skipUnless(process.platform === 'linux', 'processes are found in /proc, on Linux only.');
    await put({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a.test.mjs': `import { it } from 'node:test';
import { spawnSync } from 'node:child_process';
it('is quick', () => {});
it('hangs', () => void spawnSync('sleep', ['${sleeping.nap}']));
`,
    });
    const [text = ''] = await use([{ timeout: 5_000 }]);
    assert.match(text, /^Stopped before the end \(node:test\); until then /);
    assert.match(text, /It did not end within 5 seconds and was killed/);
    assert.equal(sleeping.running(), 0);
  });
});
