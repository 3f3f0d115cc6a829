// Debug, row by row: what the model reads where nothing runs, nothing starts, or a program stands still.
import assert from 'node:assert/strict';
import { type Debuggee, type Debugger, type DebugState } from '../../../src/core/ports/debugger';
import { type SessionDebugging } from '../../../src/core/tool/session-debugging';
import { debugTool } from '../../../src/core/tools/debug/debug';
import { type ToolRow, toolTable } from '../../support/tool-table';

const bodies: Record<string, unknown> = {
  stackTrace: {
    stackFrames: [
      { id: 1, name: 'total', line: 2, source: { path: '/w/a.js' } },
      { id: 2, name: 'Module.run', line: 9, source: { path: 'node:internal', sourceReference: 3 } },
      { id: 3, name: '', line: 5, source: { path: '/w/b.js' } },
    ],
    totalFrames: 5,
  },
  scopes: {
    scopes: [
      { name: 'Local', variablesReference: 1 },
      { name: 'Global', variablesReference: 9, expensive: true },
    ],
  },
  evaluate: { result: '42', variablesReference: 0 },
  threads: { threads: [{ id: 4 }] },
};
const variables: Record<number, unknown[]> = {
  1: [
    { name: 'order', value: '{items: Array(1)}', variablesReference: 2 },
    { name: 'require', value: 'ƒ require', variablesReference: 0 },
    { name: 'lazy', value: '(...)', variablesReference: 7, presentationHint: { lazy: true } },
  ],
  2: [{ name: 'items', value: 'Array(1)', variablesReference: 3 }],
  3: [{ name: '0', value: "{price: '4'}", variablesReference: 4 }],
  4: [{ name: 'price', value: "'4'", variablesReference: 0 }],
  9: [{ name: 'process', value: 'process', variablesReference: 0 }],
};

const stopped: DebugState = { state: 'stopped', reason: 'breakpoint', thread: 0 };

function program(state: DebugState, more: Partial<Debuggee> = {}): Debuggee {
  return {
    name: 'a.js',
    state: () => state,
    settled: async () => undefined,
    takeOutput: () => ({ text: 'Debugger attached.\nhello\n', omitted: 0 }),
    request: async (command, { variablesReference }) =>
      command === 'variables' ? { variables: variables[Number(variablesReference)] } : bodies[command],
    breakpoints: async () => [{ path: '/w/a.js', line: 7, verified: true, actualLine: 8 }],
    setBreakpoints: async () => undefined,
    setExceptions: async () => false,
    end: async () => undefined,
    ...more,
  };
}

function editor(more: Partial<Debugger> = {}): { debugger: Debugger } {
  return {
    debugger: {
      configurations: () => [{ name: 'Serve', type: 'node', request: 'launch', values: { name: 'Serve' } }],
      types: () => ['node'],
      sessionOfUser: () => undefined,
      start: async () => program(stopped),
      ...more,
    },
  };
}

function holding(held?: Debuggee): { debugging: SessionDebugging } {
  return {
    debugging: {
      current: () => held,
      hold: () => undefined,
      end: async () => undefined,
      shown: new Map(),
    },
  };
}

const stop = [
  'Stopped at a.js:2 in total (breakpoint).',
  '  1 | one',
  '> 2 | two',
  '  3 | three',
  'Local:',
  '  order = {items: Array(1)}',
  '  lazy = (a getter, not called)',
  'Called from b.js:5, 3 more.',
  'Output:',
  'hello',
];

const rows: ToolRow[] = [
  {
    name: 'a start shows the stop, and breakpoints that stand elsewhere',
    input: { action: 'start', program: 'a.js', breakpoints: [{ at: 'a.js:7' }] },
    ports: editor(),
    session: holding(),
    text: [...stop, 'The breakpoint a.js:7 stands at line 8.'].join('\n'),
    detail: 'at a.js:2',
    check: ({ view }) =>
      assert.deepEqual(view?.kind === 'report' && view.places, [
        { shown: 'a.js:2', path: '/w/a.js', line: 2 },
        { shown: 'b.js:5', path: '/w/b.js', line: 5 },
      ]),
  },
  {
    name: 'what is asked shows all that starts',
    input: { action: 'start', program: 'a.js', args: ['x'], breakpoints: [{ at: 'a.js:7', condition: 'y > 1' }] },
    ports: editor(),
    session: holding(),
    answer: {},
    text: /^Stopped/,
    check: ({ asked }) => {
      assert.equal(asked[0]?.title, 'Debug a.js x (node)');
      assert.match(JSON.stringify(asked[0]?.view), /Breakpoints:.*a\.js:7 if y > 1.*program.*\/w\/a\.js/);
    },
  },
  {
    name: 'a host without debuggers',
    input: { action: 'stack' },
    session: holding(),
    code: 'no-editor',
    text: /^This needs the editor, and this host has none\./,
  },
  {
    name: 'nothing to start',
    input: { action: 'start' },
    ports: editor(),
    session: holding(),
    code: 'nothing-to-start',
    text: 'start needs a program or a configuration. launch.json has "Serve" (node).',
  },
  {
    name: 'a configuration that is not there',
    input: { action: 'start', configuration: 'Other' },
    ports: editor({ configurations: () => [] }),
    session: holding(),
    code: 'no-configuration',
    text: 'There is no configuration "Other". launch.json has no configurations.',
  },
  {
    name: 'a file that no extension debugs',
    input: { action: 'start', program: 'c.py' },
    ports: editor(),
    session: holding(),
    code: 'no-debugger',
    text: /No extension of this window debugs c\.py \(type "debugpy"\)\./,
  },
  {
    name: 'a file of no known language',
    input: { action: 'start', program: 'd.txt' },
    ports: editor(),
    session: holding(),
    code: 'no-debugger',
    text: 'Deft knows no debugger for d.txt. launch.json has "Serve" (node).',
  },
  {
    name: 'a breakpoint in a file that is not there',
    input: { action: 'start', program: 'a.js', breakpoints: [{ at: 'z.js:1' }] },
    ports: editor(),
    session: holding(),
    code: 'not-found',
    text: /\/w\/z\.js is no file\. Check the path of the breakpoint/,
  },
  {
    name: 'breakpoints while the user debugs',
    input: { action: 'start', program: 'a.js', breakpoints: [{ at: 'a.js:1' }] },
    ports: editor({ sessionOfUser: () => 'Mine' }),
    session: holding(),
    code: 'user-debugs',
    text: /^The user is debugging "Mine"/,
  },
  {
    name: 'what VS Code does not start',
    input: { action: 'start', program: 'a.js' },
    ports: editor({ start: async () => ({ problem: 'VS Code did not start it.' }) }),
    session: holding(),
    code: 'not-started',
    text: 'VS Code did not start it.',
  },
  {
    name: 'no program',
    input: { action: 'next' },
    ports: editor(),
    session: holding(),
    code: 'nothing-runs',
    text: /^No program is being debugged/,
  },
  {
    name: 'a look while it runs',
    input: { action: 'variables' },
    ports: editor(),
    session: holding(program({ state: 'running' })),
    code: 'running',
    text: /pause stops it/,
  },
  {
    name: 'a wait that is over',
    input: { action: 'continue', timeout: 3 },
    ports: editor(),
    session: holding(program({ state: 'running' })),
    text: /^It still runs after 3 seconds\.[^]*Output:\nhello$/,
    detail: 'running',
  },
  {
    name: 'the end, with its code',
    input: { action: 'continue' },
    ports: editor(),
    session: holding(program({ state: 'ended', exitCode: 3 })),
    text: 'The program has ended with exit code 3.\nOutput:\nhello\nThe breakpoint a.js:7 stands at line 8.',
    detail: 'ended',
  },
  {
    name: 'a step',
    input: { action: 'next' },
    ports: editor(),
    session: holding(program(stopped)),
    text: stop.join('\n'),
  },
  {
    name: 'the stack, with what is no file and what is more',
    input: { action: 'stack' },
    ports: editor(),
    session: holding(program(stopped)),
    text: '0: a.js:2 in total\n1: no file in Module.run\n2: b.js:5\n… 2 more frames',
  },
  {
    name: 'what is in a variable',
    input: { action: 'variables', name: 'order.items[0]' },
    ports: editor(),
    session: holding(program(stopped)),
    text: "order.items[0] = {price: '4'}\n  price = '4'",
  },
  {
    name: 'a variable of the widest scope',
    input: { action: 'variables', name: 'process' },
    ports: editor(),
    session: holding(program(stopped)),
    text: 'process = process',
  },
  {
    name: 'a variable that is not there',
    input: { action: 'variables', name: 'order.total' },
    ports: editor(),
    session: holding(program(stopped)),
    code: 'no-variable',
    text: 'There is no "total" here. items are there.',
  },
  {
    name: 'a frame that is not there',
    input: { action: 'variables', frame: 7 },
    ports: editor(),
    session: holding(program(stopped)),
    code: 'no-frame',
    text: 'There is no frame 7: the stack has 5, counted from 0.',
  },
  {
    name: 'an expression',
    input: { action: 'evaluate', expression: '6 * 7' },
    ports: editor(),
    session: holding(program(stopped)),
    text: '42',
  },
  {
    name: 'an expression that throws',
    input: { action: 'evaluate', expression: 'nope' },
    ports: editor(),
    session: holding(
      program(stopped, {
        request: async (command) => {
          if (command === 'evaluate') throw new Error('nope is not defined');
          return bodies[command];
        },
      }),
    ),
    code: 'refused',
    text: 'The debugger says: nope is not defined',
  },
  {
    name: 'other breakpoints, and a debugger without choice of exceptions',
    input: { action: 'breakpoints', breakpoints: [{ at: 'a.js:7' }], exceptions: 'all' },
    ports: editor(),
    session: holding(program(stopped)),
    text: 'Set: a.js:7.\nThis debugger does not tell uncaught exceptions from others: the choice has no effect.\nThe breakpoint a.js:7 stands at line 8.',
  },
  {
    name: 'lines of a hidden file are not shown',
    input: { action: 'next' },
    prepare: ({ hidden }) => void hidden.add('/w/a.js'),
    ports: editor(),
    session: holding(program(stopped)),
    text: stop.filter((line) => !line.includes(' | ')).join('\n'),
  },
  {
    name: 'the end that is asked for',
    input: { action: 'stop' },
    ports: editor(),
    session: holding(program(stopped)),
    text: 'a.js was ended.',
  },
  {
    name: 'a breakpoint without a line',
    input: { action: 'breakpoints', breakpoints: [{ at: 'a.js' }] },
    ports: editor(),
    session: holding(program(stopped)),
    code: 'invalid-input',
    text: /"a\.js" names no line/,
  },
];

describe('Debug', () => {
  toolTable(
    debugTool,
    rows.map((row) => ({
      ...row,
      files: { '/w/a.js': 'one\ntwo\nthree\n', '/w/b.js': '', '/w/c.py': '', '/w/d.txt': '' },
    })),
  );
});
