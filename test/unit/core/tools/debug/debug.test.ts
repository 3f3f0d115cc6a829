// What Debug asks for: what starts and every expression, by rules named after them; and what a stop says, within its bounds.
import assert from 'node:assert/strict';
import { permissionCall } from '../../../../../src/core/calls/resolve-targets';
import { decide } from '../../../../../src/core/permissions/decide';
import { ruleWarning } from '../../../../../src/core/settings/rule-warnings';
import { type Debuggee, type Debugger } from '../../../../../src/core/ports/debugger';
import { debugTool } from '../../../../../src/core/tools/debug/debug';
import { type DebugInput, validateDebug } from '../../../../../src/core/tools/debug/debug-input';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createMemoryFiles } from '../../../../support/memory-files';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';
import { context, rule } from '../../permissions/permission-table';

const start: DebugInput = { action: 'start', program: 'src/app.js' };
const conditional: DebugInput = { ...start, breakpoints: [{ at: 'src/app.js:3', condition: 'evil()' }] };

describe('Debug and permission rules', () => {
  const rows: [input: DebugInput, rules: string[], behavior: 'allow' | 'ask' | 'deny'][] = [
    [start, [], 'ask'],
    [start, ['allow Debug'], 'allow'],
    [start, ['allow Debug(program:src/app.js)'], 'allow'],
    [{ ...start, program: '/ws/src/../src/app.js' }, ['allow Debug(program:src/app.js)'], 'allow'],
    [{ ...start, program: '/other/app.js' }, ['allow Debug(program:src/*)'], 'ask'],
    [{ ...start, program: 'src/../../other/app.js' }, ['allow Debug(program:src/*)'], 'ask'],
    [{ ...start, args: ['--all'] }, ['allow Debug(program:src/app.js)'], 'ask'],
    [{ ...start, args: ['--all'] }, ['allow Debug(program:src/app.js *)'], 'allow'],
    [{ ...start, args: ['--all'] }, ['allow Debug', 'deny Debug(program:src/app.js)'], 'deny'],
    [{ ...start, program: './src//app.js' }, ['allow Debug', 'deny Debug(program:src/app.js)'], 'deny'],
    [{ action: 'start', configuration: 'Serve' }, ['allow Debug(configuration:Serve)'], 'allow'],
    [{ action: 'start', configuration: 'program:src/app.js' }, ['allow Debug(program:src/app.js)'], 'ask'],
    [{ action: 'start', configuration: 'Serve all' }, ['allow Debug(configuration:Serve)'], 'ask'],
    [conditional, ['allow Debug(program:src/app.js)'], 'ask'],
    [conditional, ['allow Debug(program:src/app.js)', 'allow Debug(expression:evil())'], 'allow'],
    [conditional, ['allow Debug', 'deny Debug(expression:evil*)'], 'deny'],
    [{ ...start, breakpoints: [{ at: 'a.js:1', hitCondition: '>= 3' }] }, ['allow Debug(program:src/app.js)'], 'allow'],
    [{ ...start, breakpoints: [{ at: 'a.js:1', hitCondition: 'x()' }] }, ['allow Debug(program:src/app.js)'], 'ask'],
    [{ ...start, breakpoints: [{ at: 'a.js:1', logMessage: 'here' }] }, ['allow Debug(program:src/app.js)'], 'allow'],
    [{ ...start, breakpoints: [{ at: 'a.js:1', logMessage: '{x()}' }] }, ['allow Debug(program:src/app.js)'], 'ask'],
    [{ action: 'evaluate', expression: 'x' }, ['allow Debug(program:*)'], 'ask'],
    [{ action: 'evaluate', expression: 'x' }, ['allow Debug(expression:x)'], 'allow'],
    [{ action: 'breakpoints', breakpoints: [{ at: 'a.js:1' }] }, [], 'allow'],
    [{ action: 'breakpoints', breakpoints: [{ at: 'a.js:1', condition: 'x()' }] }, [], 'ask'],
    [{ action: 'next' }, [], 'allow'],
    [{ action: 'next' }, ['ask Debug'], 'ask'],
    [{ action: 'variables' }, [], 'allow'],
  ];
  for (const [input, rules, behavior] of rows)
    it(`${JSON.stringify(input)} with ${rules.join(', ') || 'no rule'}: ${behavior}`, () => {
      const call = permissionCall(debugTool, input, { targets: [], lines: new Map(), cwd: '/ws' });
      assert.equal(decide(call, context('default', rules)).behavior, behavior);
    });

  it('offers just what starts, with its arguments, and each expression', () => {
    const call = permissionCall(
      debugTool,
      { ...conditional, args: ['a b', '*'] },
      { targets: [], lines: new Map(), cwd: '/ws' },
    );
    const { coveredBy } = decide(call, context('default'));
    assert.deepEqual(
      coveredBy?.map(({ ruleContent }) => ruleContent),
      ['program:src/app.js "a b" "\\*"', 'expression:evil()'],
    );
  });

  it('is denied in Restricted Mode and in plan mode, and asks where edits are accepted', () => {
    const call = permissionCall(debugTool, start, { targets: [], lines: new Map(), cwd: '/ws' });
    assert.equal(decide(call, context('default', ['allow Debug'], { trusted: false })).behavior, 'deny');
    assert.equal(decide(call, context('plan', ['allow Debug'])).behavior, 'deny');
    assert.equal(decide(call, context('acceptEdits')).behavior, 'ask');
  });

  it('warns of a rule that can match nothing', () => {
    assert.equal(ruleWarning(rule('allow Debug(program:src/app.js *)')), undefined);
    assert.match(ruleWarning(rule('allow Debug(src/app.js)')) ?? '', /never matches: write `Debug\(program:…\)`/);
  });
});

describe('the input of Debug', () => {
  const rows: [input: DebugInput, problem: RegExp][] = [
    [{ action: 'evaluate' }, /needs an expression/],
    [{ action: 'start', program: 'a.js', configuration: 'A' }, /not both/],
    [{ action: 'start', configuration: 'A', args: ['x'] }, /its own arguments/],
    [{ ...start, breakpoints: [{ at: 'a.js' }] }, /"a\.js" names no line/],
    [{ ...start, breakpoints: [{ at: 'a.js:0' }] }, /names no line/],
    [{ ...start, args: ['\0'] }, /NUL/],
  ];
  for (const [input, problem] of rows)
    it(`${JSON.stringify(input)} is refused`, () => {
      const checked = validateDebug(input);
      assert.match(checked.ok ? '' : String(checked.message), problem);
    });
});

describe('a program that Debug holds', () => {
  const bodies: Record<string, unknown> = {
    stackTrace: {
      stackFrames: Array.from({ length: 12 }, (_, id) => ({
        id,
        name: `f${id}`,
        line: id + 1,
        source: { path: '/w/a.js' },
      })),
      totalFrames: 4_000,
    },
    scopes: {
      scopes: [
        { name: 'Local', variablesReference: 1 },
        { name: 'Global', variablesReference: 2, expensive: true },
      ],
    },
    variables: {
      variables: Array.from({ length: 500 }, (_, at) => ({
        name: `v${at}`,
        value: 'x'.repeat(5_000),
        variablesReference: 0,
      })),
    },
    evaluate: { result: 'y'.repeat(100_000), variablesReference: 1 },
    exceptionInfo: { exceptionId: 'E', description: 'z'.repeat(10_000) },
  };
  let ends: number;
  let started: number;

  function port(configurations: Debugger['configurations'] = () => []): Debugger {
    const debuggee: Debuggee = {
      name: 'a.js',
      state: () => ({ state: 'stopped', reason: 'exception', thread: 0 }),
      settled: async () => undefined,
      takeOutput: () => ({ text: 'o'.repeat(20_000), omitted: 7 }),
      request: async (command) => bodies[command],
      breakpoints: async () =>
        Array.from({ length: 30 }, (_, line) => ({ path: '/w/a.js', line: line + 1, verified: false })),
      setBreakpoints: async () => undefined,
      setExceptions: async () => true,
      end: async () => void ends++,
    };
    return {
      configurations,
      types: () => ['node'],
      sessionOfUser: () => undefined,
      start: async () => {
        started++;
        return debuggee;
      },
    };
  }

  async function run(inputs: readonly DebugInput[], debuggers = port()) {
    ends = started = 0;
    const model = createScriptedModel([
      ...inputs.map((input, index) => reply(toolUse('Debug', input, `toolu_${index}`))),
      reply('Done.'),
    ]);
    const files = createMemoryFiles({ '/w/a.js': Array(20).fill('w'.repeat(900)).join('\n') });
    const harness = createHarness({ model, tools: [debugTool], files, ports: { debugger: debuggers } });
    await harness.run('Go');
    const results = model.requests.slice(1).map(({ messages }) => {
      const content = messages.at(-1)?.content;
      const [block] = Array.isArray(content) ? content : [];
      return block?.type === 'tool_result' && typeof block.content === 'string' ? block.content : '';
    });
    return { results, harness };
  }

  it('is described in at most 2 kB a call, with what is left out counted, and ends with the turn', async () => {
    const { results, harness } = await run([
      { action: 'start', program: 'a.js' },
      { action: 'stack' },
      { action: 'variables' },
      { action: 'variables', name: 'v3' },
      { action: 'evaluate', expression: 'v3' },
      { action: 'stepIn' },
    ]);
    assert.deepEqual(
      results.filter((text) => Buffer.byteLength(text) > 2_048).map((text) => text.length),
      [],
    );
    assert.match(results[0] ?? '', /^Stopped at a\.js:1 in f0 \(exception: z+… \(10000 characters\)\)\./);
    assert.match(results[1] ?? '', /… 3988 more frames$/);
    assert.match(results[2] ?? '', /… \d+ more/);
    assert.match(results[4] ?? '', /\(100000 characters in all\)/);
    assert.equal(ends, 1);
    assert.deepEqual(
      harness.approvals.map(({ title }) => title),
      ['Debug a.js (node)', 'Evaluate in a.js'],
    );
  });

  it('that is to be kept outlives the turn, and ends with the session', async () => {
    const { harness } = await run([{ action: 'start', program: 'a.js', keep: true }]);
    assert.equal(ends, 0);
    await harness.session.close('other');
    assert.equal(ends, 1);
  });

  it('ends before the next one starts', async () => {
    const { results } = await run([
      { action: 'start', program: 'a.js', keep: true },
      { action: 'start', program: 'a.js' },
    ]);
    assert.match(results[1] ?? '', /^a\.js, which was debugged before, was ended\./);
    assert.deepEqual([started, ends], [2, 2]);
  });

  it('does not start where launch.json changes after it was shown', async () => {
    let reads = 0;
    const changing = port(() => [
      { name: 'A', type: 'node', request: 'launch', values: { program: `/w/${reads++}.js` } },
    ]);
    const { results } = await run([{ action: 'start', configuration: 'A' }], changing);
    assert.match(results[0] ?? '', /has changed since it was looked at, so nothing was started/);
    assert.equal(started, 0);
  });
});

describe('what Debug costs before it is loaded', () => {
  it('is one line of at most 100 bytes', () => {
    const line = `- ${debugTool.name}: ${debugTool.seldom}\n`;
    assert.ok(Buffer.byteLength(line) <= 100, line);
  });
});
