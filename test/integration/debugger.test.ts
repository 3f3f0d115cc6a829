// Debug with VS Code's own JavaScript debugger: planted faults, what is asked, and what is left when a turn is over.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ApprovalRequest } from '../../src/core/ports/approver';
import { debugTool } from '../../src/core/tools/debug/debug';
import { createSystemClock } from '../../src/node/system-clock';
import { createDebugger } from '../../src/vscode/debugger/vscode-debugger';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { runCalls } from './run-calls';
import { closeAll, newFolder, put, show, until } from './workspace-file';

type Call = Record<string, unknown>;

interface Fault {
  what: string;
  files: Record<string, string>;
  calls: Call[];
  /** What the last result has to say. */
  finds: RegExp;
}

const faults: Fault[] = [
  {
    what: 'a number that is a text',
    files: {
      'main.js': `const items = [{ price: 2, count: 3 }, { price: '4', count: 1 }];
function total(list) {
  let sum = 0;
  for (const item of list) {
    sum += item.price;
  }
  return sum;
}
console.log(total(items));
`,
    },
    calls: [
      { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:7' }] },
      { action: 'variables', name: 'list[1]' },
    ],
    finds: /price = '4'/,
  },
  {
    what: 'an exception that nothing catches',
    files: {
      'main.js': `function nameOf(user) {
  const { profile } = user;
  return profile.name.toUpperCase();
}
const users = [{ profile: { name: 'Ann' } }, { profile: {} }];
console.log(users.map(nameOf).join());
`,
    },
    calls: [{ action: 'start', program: 'main.js' }],
    finds: /Stopped at main\.js:3 in nameOf \(exception: .*undefined.*\)\.[^]*profile = \{\}/,
  },
  {
    what: 'a loop that goes one too far',
    files: {
      'main.js': `const rows = ['a', 'b', 'c'];
const seen = [];
for (let index = 0; index <= rows.length; index++) {
  seen.push(rows[index]);
}
console.log(seen.length);
`,
    },
    calls: [
      {
        action: 'start',
        program: 'main.js',
        breakpoints: [{ at: 'main.js:4', condition: 'rows[index] === undefined' }],
      },
    ],
    finds: /index = 3/,
  },
  {
    what: 'a promise that rejects',
    files: {
      'main.mjs': `async function load(id) {
  const found = { 1: { owner: 'Ann' } }[id];
  await null;
  return found.owner;
}
await load(1);
await load(7);
`,
    },
    calls: [
      { action: 'start', program: 'main.mjs' },
      { action: 'start', program: 'main.mjs', exceptions: 'all' },
    ],
    finds: /exception[^]*found = undefined[^]*id = 7/,
  },
  {
    what: 'a shadowed variable',
    files: {
      'main.js': `let count = 10;
function add(list) {
  let count = 0;
  for (const one of list) {
    count += one;
  }
}
add([1, 2]);
console.log(count);
`,
    },
    calls: [
      { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:9' }] },
      { action: 'evaluate', expression: 'count' },
    ],
    finds: /^10$/,
  },
  {
    what: 'an object that two share',
    files: {
      'main.js': `const defaults = { tags: [] };
const make = (name) => ({ ...defaults, name });
const one = make('one');
const two = make('two');
one.tags.push('hot');
console.log(two.tags.length);
`,
    },
    calls: [
      { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:6' }] },
      { action: 'evaluate', expression: 'one.tags === two.tags' },
    ],
    finds: /^true$/,
  },
  {
    what: 'a method that lost its object',
    files: {
      'main.js': `class Counter {
  step = 2;
  next(value) {
    return value + this.step;
  }
}
const { next } = new Counter();
console.log([1].map(next));
`,
    },
    calls: [{ action: 'start', program: 'main.js' }],
    finds: /Stopped at main\.js:4[^]*this = undefined/,
  },
  {
    what: 'the wrong file of two',
    files: {
      'config.js': `exports.read = (mode) => (mode = 'live' ? { port: 80 } : { port: 8080 });\n`,
      'main.js': `const { read } = require('./config');
const { port } = read('test');
console.log(port);
`,
    },
    calls: [
      { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:2' }] },
      { action: 'stepIn' },
      { action: 'next' },
      { action: 'evaluate', expression: 'mode.port' },
    ],
    finds: /^80$/,
  },
  {
    what: 'only the third hit',
    files: {
      'main.js': `let balance = 100;
function pay(amount) {
  balance -= amount;
  return balance;
}
[10, 20, 500, 5].forEach(pay);
console.log(balance);
`,
    },
    calls: [{ action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:4', hitCondition: '3' }] }],
    finds: /amount = 500/,
  },
  {
    what: 'a value that changes on its way, by log points',
    files: {
      'main.js': `const trim = (text) => text.trim();
const cut = (text) => text.slice(0, 3);
const upper = (text) => text.toUpperCase();
let word = '  hello ';
for (const step of [cut, trim, upper]) {
  word = step(word);
}
console.log(word);
`,
    },
    calls: [
      {
        action: 'start',
        program: 'main.js',
        breakpoints: [{ at: 'main.js:6', logMessage: '{step.name} <- [{word}]' }],
      },
    ],
    finds: /'cut' <- \[' {2}hello '\]\n'trim' <- \[' {2}h'\]/,
  },
];

describe('Debug in VS Code', () => {
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  const stored = new Map<string, unknown>();
  const store = {
    get: <T>(key: string, otherwise?: T) => (stored.has(key) ? stored.get(key) : otherwise) as T,
    update: async (key: string, value: unknown) =>
      void (value === undefined ? stored.delete(key) : stored.set(key, value)),
  };
  const subscriptions: vscode.Disposable[] = [];
  const debuggers = createDebugger(store, subscriptions);
  let folder: string;
  let asked: ApprovalRequest[];

  beforeEach(() => {
    folder = newFolder('debug');
    asked = [];
  });
  const living = new Map<string, string>();
  const watching = [
    vscode.debug.onDidStartDebugSession(({ id, name }) => void living.set(id, name)),
    vscode.debug.onDidTerminateDebugSession(({ id }) => void living.delete(id)),
  ];
  after(() => [...watching, ...subscriptions].forEach((one) => one.dispose()));
  afterEach(async () => {
    await until(`no session is left`, () => living.size === 0);
    await closeAll();
  });

  function use(...calls: readonly Call[]): Promise<string[]> {
    return runCalls(
      folder,
      calls.map((call) => ['Debug', call]),
      {
        tools: [debugTool],
        ports: { files, debugger: debuggers, clock: createSystemClock() },
        answer: (request) => {
          asked.push(request);
          return { behavior: 'allow' };
        },
      },
    );
  }

  for (const { what, files: sources, calls, finds } of faults)
    it(`finds ${what}, in ${calls.length} calls`, async () => {
      for (const [name, text] of Object.entries(sources)) put(folder, name, text);
      const results = await use(...calls);
      const sizes = results.map((text) => Buffer.byteLength(text));
      assert.match(results.at(-1) ?? '', finds, results.join('\n---\n'));
      assert.ok(calls.length <= 4);
      assert.ok(
        sizes.every((size) => size <= 2_048),
        sizes.join(),
      );
      console.log(`${what}: ${calls.length} calls, ${sizes.join(' + ')} bytes`);
      assert.deepEqual(vscode.debug.breakpoints, []);
      assert.equal(stored.size, 0);
    });

  it('asks for the start with what starts, for an expression with it, and for nothing else', async () => {
    put(folder, 'main.js', 'const x = 1;\nconsole.log(x, process.argv[2]);\n');
    const [first = '', ...others] = await use(
      { action: 'start', program: 'main.js', args: ['a b'], breakpoints: [{ at: 'main.js:2' }] },
      { action: 'variables' },
      { action: 'stack' },
      { action: 'evaluate', expression: 'x + 1' },
      { action: 'continue' },
    );
    assert.match(
      first,
      /^Stopped at main\.js:2 in <anonymous> \(breakpoint\)\.\n {2}1 \| const x = 1;\n> 2 \| console/,
    );
    assert.deepEqual(others.slice(2, 3), ['2']);
    assert.match(others[1] ?? '', /^0: main\.js:2/);
    assert.match(others[3] ?? '', /^The program has ended[^]*Output:\n1 a b/);
    assert.deepEqual(
      asked.map(({ title }) => title),
      ['Debug main.js a b (node)', 'Evaluate in Deft: main.js'],
    );
    assert.match(JSON.stringify(asked[0]?.view), new RegExp(`program.*${path.basename(folder)}/main\\.js`));
  });

  it('leaves the editor, the breakpoints and the breakpoint of the user as they are', async () => {
    const notes = put(folder, 'notes.txt', 'mine\n');
    const main = put(folder, 'main.js', 'let x = 1;\nx += 1;\nx += 1;\nconsole.log(x);\n');
    const own = new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(main), new vscode.Position(1, 0)));
    vscode.debug.addBreakpoints([own]);
    try {
      await show(notes);
      const [one = '', two = ''] = await use(
        { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:2' }, { at: 'main.js:4' }] },
        { action: 'continue' },
      );
      assert.match(one, /^Stopped at main\.js:2/);
      assert.match(two, /^Stopped at main\.js:4[^]*x = 3/);
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, notes);
      await until('the breakpoints of the run are gone', () => vscode.debug.breakpoints.length === 1);
      assert.equal(vscode.debug.breakpoints[0]?.id, own.id);
    } finally {
      vscode.debug.removeBreakpoints([own]);
    }
  });

  it('ends what still runs with the turn, and its process', async () => {
    put(folder, 'main.js', `require('fs').writeFileSync('pid', String(process.pid));\nsetInterval(() => {}, 1000);\n`);
    const [text = ''] = await use({ action: 'start', program: 'main.js', timeout: 3 });
    assert.match(text, /^It still runs after 3 seconds\./);
    const pid = Number(
      await files
        .readText(path.join(folder, 'pid'), 100)
        .then((read) => (read.outcome === 'read' ? read.file.text : '')),
    );
    assert.ok(pid > 0);
    await until('the process is gone', () => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  });

  it('runs a configuration of launch.json, and names those that there are', async () => {
    const main = put(folder, 'main.js', 'const port = Number(process.env.PORT);\nconsole.log(port);\n');
    const launch = vscode.workspace.getConfiguration('launch', vscode.Uri.file(folder));
    const values = { name: 'Serve', type: 'node', request: 'launch', program: main, env: { PORT: '81' } };
    await launch.update('configurations', [values], vscode.ConfigurationTarget.WorkspaceFolder);
    try {
      const [none = '', one = '', gone = ''] = await use(
        { action: 'start', configuration: 'Other' },
        { action: 'start', configuration: 'Serve', breakpoints: [{ at: 'main.js:2' }] },
        { action: 'start', program: 'absent.js' },
      );
      assert.match(none, /There is no configuration "Other"\. launch\.json has "Serve" \(node\)\./);
      assert.match(one, /^Stopped at main\.js:2[^]*port = 81/);
      assert.match(gone, /absent\.js is no file/);
      assert.deepEqual(
        asked.map(({ title }) => title),
        ['Debug the configuration "Serve" (node, launch)'],
      );
      assert.match(JSON.stringify(asked[0]?.view), /PORT/);
    } finally {
      await launch.update('configurations', undefined, vscode.ConfigurationTarget.WorkspaceFolder);
    }
  });

  it("sets no breakpoints while the user debugs, and leaves the user's program alone", async () => {
    const main = put(folder, 'mine.js', 'setInterval(() => {}, 1000);\n');
    put(folder, 'main.js', 'console.log(1);\n');
    await vscode.debug.startDebugging(undefined, {
      name: 'Mine',
      type: 'node',
      request: 'launch',
      program: main,
      console: 'internalConsole',
      internalConsoleOptions: 'neverOpen',
    });
    try {
      const [refused = '', done = ''] = await use(
        { action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:1' }] },
        { action: 'start', program: 'main.js' },
      );
      assert.match(refused, /The user is debugging "Mine.*", which breakpoints would stop too/);
      assert.match(done, /^The program has ended[^]*Output:\n1/);
      assert.ok(vscode.debug.activeDebugSession !== undefined);
    } finally {
      await vscode.debug.stopDebugging();
    }
    await until('it has ended', () => debuggers.sessionOfUser() === undefined);
    const [again = ''] = await use({ action: 'start', program: 'main.js', breakpoints: [{ at: 'main.js:1' }] });
    assert.match(again, /^Stopped at main\.js:1/);
  });

  it('removes what a window left that went away in the middle', async () => {
    const main = put(folder, 'main.js', 'let x = 1;\n');
    const left = new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(main), new vscode.Position(0, 0)));
    const kept = new vscode.SourceBreakpoint(new vscode.Location(vscode.Uri.file(main), new vscode.Position(1, 0)));
    vscode.debug.addBreakpoints([left, kept]);
    stored.set('deft.debugBreakpoints', [left.id]);
    createDebugger(store, subscriptions);
    await until('it is removed', () => vscode.debug.breakpoints.length === 1);
    assert.equal(vscode.debug.breakpoints[0]?.id, kept.id);
    assert.equal(stored.size, 0);
    vscode.debug.removeBreakpoints([kept]);
  });
});
