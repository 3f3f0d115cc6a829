// Real interpreters that live on between calls: what they remember, print, answer, and how they end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Repl, type ReplLanguage, type ReplResult } from '../../../../src/core/ports/repl';
import { createNodeRepl } from '../../../../src/node/repl/node-repl';
import { cleanEnvironment } from '../../../../src/node/terminal/command-environment';

const key = 'sk-not-a-real-key-0123456789';

describe('interpreters', () => {
  let root: string;
  let repl: Repl;
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-test-')));
    writeFileSync(path.join(root, 'own.js'), 'exports.answer = 42;\n');
    writeFileSync(path.join(root, 'own.py'), 'answer = 43\n');
    repl = createNodeRepl({
      environment: async () => cleanEnvironment({ ...process.env, ANTHROPIC_API_KEY: key, COPY: `x${key}` }),
    });
  });
  after(async () => {
    await repl.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  const run = (
    language: ReplLanguage,
    code: string,
    more: { timeoutMs?: number; session?: string } = {},
    signal = new AbortController().signal,
  ) => repl.evaluate({ session: 's', language, code, cwd: root, timeoutMs: 20_000, ...more }, signal);
  const partsOf = ({ state, output, value }: ReplResult) => [state, output, value];

  const table: [language: ReplLanguage, code: string, state: string, output: string, value: string | RegExp][] = [
    ['javascript', '1 + 1', 'finished', '', '2'],
    ['javascript', 'const kept = await Promise.resolve({ a: [1, 2] }); kept', 'finished', '', '{ a: [ 1, 2 ] }'],
    ['javascript', 'kept.a.length', 'finished', '', '2'],
    ['javascript', '{ a: 1 }', 'finished', '', '{ a: 1 }'],
    ['javascript', 'function twice(n) {\n  return 2 * n;\n}\ntwice(21)', 'finished', '', '42'],
    [
      'javascript',
      'console.log("one"); console.error("two"); process.stdout.write("three")',
      'finished',
      'one\ntwo\nthree',
      /^(true|false)$/,
    ],
    ['javascript', 'undefined', 'finished', '', ''],
    ['javascript', 'null', 'finished', '', 'null'],
    ['javascript', 'require("./own.js").answer', 'finished', '', '42'],
    [
      'javascript',
      '(await import("node:path")).basename(process.cwd()).startsWith("deft-test-")',
      'finished',
      '',
      'true',
    ],
    ['javascript', 'null.x', 'failed', '', /^TypeError: Cannot read properties of null/],
    ['javascript', 'await Promise.reject(new RangeError("far"))', 'failed', '', /^RangeError: far/],
    ['javascript', 'throw "text"', 'failed', '', /^Uncaught 'text'$/],
    ['javascript', 'const = 1', 'failed', '', /SyntaxError/],
    ['javascript', 'if (true) {', 'failed', '', /SyntaxError/],
    ['javascript', 'new Array(1000).fill(7)', 'finished', '', /900 more items\n\]$/],
    ['javascript', '"ü€😀"; console.log("ü€😀")', 'finished', 'ü€😀\n', ''],
    [
      'javascript',
      '[process.env.ANTHROPIC_API_KEY, process.env.COPY, process.env.PATH !== undefined]',
      'finished',
      '',
      '[ undefined, undefined, true ]',
    ],
    [
      'javascript',
      'require("node:child_process").execSync("echo from a child", { stdio: "inherit" }); 0',
      'finished',
      'from a child\n',
      '0',
    ],
    ['javascript', 'require("node:fs").readFileSync(0, "utf8")', 'finished', '', "''"],
    ['javascript', 'console.log("x".repeat(300000))', 'finished', '', ''],
    ['python', '1 + 1', 'finished', '', '2'],
    ['python', 'kept = [1, 2]\nkept', 'finished', '', '[1, 2]'],
    ['python', 'len(kept)', 'finished', '', '2'],
    ['python', 'for n in range(2):\n    print(n)', 'finished', '0\n1\n', ''],
    [
      'python',
      'import sys\nprint("one")\nprint("two", file=sys.stderr)\nprint("three", end="")',
      'finished',
      'one\ntwo\nthree',
      '',
    ],
    ['python', 'None', 'finished', '', ''],
    ['python', 'import own\nown.answer', 'finished', '', '43'],
    ['python', '1 / 0', 'failed', '', /^Traceback[^]*File "<repl>", line 1[^]*ZeroDivisionError: division by zero$/],
    ['python', 'def broken(', 'failed', '', /SyntaxError/],
    [
      'python',
      'import os\n[os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("COPY"), "PATH" in os.environ]',
      'finished',
      '',
      '[None, None, True]',
    ],
    [
      'python',
      'os.system("echo from a child; echo and its errors >&2")',
      'finished',
      'from a child\nand its errors\n',
      '0',
    ],
    ['python', 'input()', 'failed', '', /EOFError/],
    ['python', 'print("ü€😀")', 'finished', 'ü€😀\n', ''],
    ['python', 'list(range(9000))', 'finished', '', /^\[0, 1, .*99, \.\.\.\]$/],
  ];
  it('answer like interpreters do', async function () {
    this.timeout(60_000);
    for (const [language, code, state, output, value] of table) {
      const result = await run(language, code);
      assert.equal(result.state, state, `${code}: ${result.value}`);
      if (code.includes('300000')) {
        // How much is left out depends on the pieces in which it comes.
        const [, head = '', omitted = '0', tail = ''] =
          /^(x+)\n\[\.\.\. (\d+) characters left out here \.\.\.\]\n(x+\n)$/.exec(result.output) ?? [
            undefined,
            result.output,
          ];
        assert.equal(head.length + Number(omitted) + tail.length, 300_001);
      } else assert.equal(result.output, output, code);
      if (typeof value === 'string') assert.equal(result.value, value, code);
      else assert.match(result.value, value, code);
      assert.doesNotMatch(result.value, /node:|\[eval\]/, 'no frames of anybody else');
    }
  });

  for (const [language, define, ask, loop, leave] of [
    ['javascript', 'let own = 5', 'typeof own', 'for (;;);', 'process.exit(3)'],
    ['python', 'own = 5', '"own" in globals()', 'while True: pass', 'import os; os._exit(3)'],
  ] as const) {
    it(`${language}: a timeout ends the process, and the next call says that it is new`, async () => {
      const session = `timeout-${language}`;
      assert.equal((await run(language, define, { session })).fresh, true);
      const slow = await run(language, loop, { session, timeoutMs: 700 });
      assert.deepEqual(partsOf(slow), ['timeout', '', '']);
      assert.equal(slow.fresh, false);
      const next = await run(language, ask, { session });
      assert.equal(next.fresh, true);
      assert.match(next.value, /^('undefined'|False)$/);
    });

    it(`${language}: a stop ends the process with its children`, async () => {
      const session = `stop-${language}`;
      const controller = new AbortController();
      const child =
        language === 'python'
          ? 'import subprocess; subprocess.run(["sleep", "48.25"])'
          : 'require("node:child_process").execSync("sleep 48.25")';
      const running = run(language, child, { session }, controller.signal);
      while (living('sleep 48.25') === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort();
      assert.equal((await running).state, 'stopped');
      assert.equal(living('sleep 48.25'), 0);
    });

    it(`${language}: an exit is told, with what was printed before`, async () => {
      const session = `exit-${language}`;
      const result = await run(language, `${language === 'python' ? 'print' : 'console.log'}("last"); ${leave}`, {
        session,
      });
      assert.deepEqual(partsOf(result), ['died', 'last\n', 'The process ended with exit code 3.']);
      assert.equal((await run(language, '1', { session })).fresh, true);
    });
  }

  it('keep what is printed between calls for the next one, and failures there end nothing', async () => {
    const session = 'later';
    await run(
      'javascript',
      'setTimeout(() => { console.log("late"); globalThis.seen = true; throw new Error("later") }, 10); 0',
      { session },
    );
    const next = await run(
      'javascript',
      'await new Promise((done) => { const wait = () => (globalThis.seen ? setTimeout(done, 20) : setTimeout(wait, 5)); wait(); }); "on"',
      { session },
    );
    assert.deepEqual(partsOf(next), ['finished', '', "'on'"]);
    assert.match(next.late, /^late\nUncaught Error: later\n    at [^\n]*\n$/);
    assert.equal((await run('javascript', 'seen', { session })).fresh, false);
  });

  it('give a failure and a printed text to the call that started them, however late', async () => {
    const session = 'whose';
    const begin =
      'const later = (wait, done) => setTimeout(done, wait); let hits = 0; later(5, () => { hits++; null.x }); later(5, () => { hits++; Promise.reject(new Error("unheard")) }); later(5, () => { hits++; process.stdout.write("earlier\\n") }); 0';
    await run('javascript', begin, { session });
    const next = await run(
      'javascript',
      'console.log("own"); while (hits < 3) await new Promise((done) => setTimeout(done, 5)); await new Promise((done) => setTimeout(done, 20)); "on"',
      { session },
    );
    assert.deepEqual(partsOf(next), ['finished', 'own\n', "'on'"]);
    for (const part of [/Uncaught TypeError: Cannot read/, /Uncaught Error: unheard/, /^earlier$/m])
      assert.match(next.late, part);
    assert.equal((await run('javascript', '1', { session })).late, '', 'told once');
    const own = await run(
      'javascript',
      'later(5, () => { throw new Error("mine") }); await new Promise(() => undefined)',
      { session },
    );
    assert.deepEqual([own.state, own.late, own.value.split('\n')[0]], ['failed', '', 'Error: mine']);
    const unheard = await run(
      'javascript',
      'Promise.reject(new Error("mine too")); await new Promise(() => undefined)',
      { session },
    );
    assert.deepEqual([unheard.state, unheard.value.split('\n')[0]], ['failed', 'Error: mine too']);
  });

  it('cut a long value at whole characters', async () => {
    const { value } = await run(
      'javascript',
      '["", "x"].map((start) => ({ toString: 0, [Symbol.for("nodejs.util.inspect.custom")]: () => start + "😀".repeat(20000) }))[1]',
      { session: 'long' },
    );
    assert.match(value, /^x(😀)+… \(40001 characters\)$/u);
  });

  it('take nothing for an answer but the answer to the present call', async () => {
    const forged =
      'require("fs").writeSync(4, "hello\\n{\\"state\\":\\"finished\\",\\"value\\":5}\\nnull\\n"); await new Promise((done) => setTimeout(done, 50)); "true answer"';
    assert.deepEqual(partsOf(await run('javascript', forged, { session: 'forged' })), [
      'finished',
      '',
      "'true answer'",
    ]);
    assert.equal((await run('javascript', '"next"', { session: 'forged' })).value, "'next'");
    await run('python', 'import os\nchild = os.fork()\n0', { session: 'forged' });
    assert.equal((await run('python', '"next"', { session: 'forged' })).value, "'next'");
  });

  it('go on where code has put something else in the place of its output', async () => {
    assert.equal(
      (await run('javascript', 'process.stdout.write = () => true; 7', { session: 'replaced', timeoutMs: 5_000 }))
        .value,
      '7',
    );
    assert.equal(
      (await run('python', 'import sys\nsys.stdout = None\n7', { session: 'replaced', timeoutMs: 5_000 })).value,
      '7',
    );
  });

  it('that are asked for while their session ends never start', async () => {
    let go: () => void = () => undefined;
    const slow = createNodeRepl({
      environment: () => new Promise((resolve) => (go = () => resolve(cleanEnvironment(process.env)))),
    });
    const asked = slow.evaluate(
      { session: 's', language: 'javascript', code: '1', cwd: root, timeoutMs: 5_000 },
      new AbortController().signal,
    );
    await new Promise((resolve) => setImmediate(resolve));
    await slow.end('s');
    go();
    assert.equal((await asked).state, 'not-started');
  });

  it('are apart for each session, and end with theirs', async () => {
    await run('javascript', 'let mine = process.pid', { session: 'a' });
    assert.equal((await run('javascript', 'typeof mine', { session: 'b' })).value, "'undefined'");
    const pid = Number((await run('javascript', 'mine', { session: 'a' })).value);
    await repl.end('a');
    assert.throws(() => process.kill(pid, 0));
    assert.equal((await run('javascript', 'typeof mine', { session: 'a' })).fresh, true);
  });

  it('say so where they cannot start', async () => {
    const bare = createNodeRepl({ environment: async () => ({ PATH: root }) });
    const request = { session: 's', language: 'python', code: '1', cwd: root, timeoutMs: 5_000 } as const;
    const result = await bare.evaluate(request, new AbortController().signal);
    assert.deepEqual([result.state, /ENOENT/.test(result.value)], ['not-started', true]);
    await bare.dispose();
    assert.equal((await bare.evaluate(request, new AbortController().signal)).state, 'not-started');
  });
});

function living(line: string): number {
  try {
    return execFileSync('pgrep', ['-fx', line], { encoding: 'utf8' }).trim().split('\n').length;
  } catch {
    return 0;
  }
}
