// Debug: runs a program under the editor's debugger, and says where it stands and what its variables are.
import { defined } from '../../../shared/defined';
import { type DebugConfiguration, type Debuggee, type Breakpoint } from '../../ports/debugger';
import { fenced } from '../../../shared/plain-markdown';
import { isAbort, messageOf } from '../../text/errors';
import { words } from '../../text/words';
import { answerWithin, noAnswer } from '../../tool/answer-within';
import { buildTool, promptOf } from '../../tool/build-tool';
import { fail } from '../../tool/file-failure';
import { type SessionDebugging } from '../../tool/session-debugging';
import { isFailure, type ToolContext, type ToolFailure, type ToolPreview, type ToolResult } from '../../tool/tool';
import { filePath } from '../files/file-path';
import { shownPath } from '../grep/glob-root';
import { type ToolSentence } from '../../../shared/tool-view';
import { adapterOf } from './adapter';
import {
  accessOf,
  type BreakpointInput,
  type DebugInput,
  debugInputSchema,
  placeOf,
  runNames,
  runsCode,
  validateDebug,
} from './debug-input';
import { debugDetail, debugOutput, type DebugOutput, debugOutputSchema, debugView } from './debug-output';
import prompt from './debug.md';
import { launchOf } from './launch';
import { inspect } from './inspect';
import { stateReport, unplacedLines } from './state-text';

/** Seconds: a start may have to build first. */
const startSeconds = 60;
const defaultSeconds = 20;

export const debugTool = buildTool<DebugInput, DebugOutput>({
  name: 'Debug',
  seldom: 'runs a program under the debugger: breakpoints, steps, variables',
  bulky: true,
  searchText: 'debug debugger breakpoint step stack variables evaluate launch exception inspect value fault',
  prompt: promptOf(prompt),
  inputSchema: debugInputSchema,
  outputSchema: debugOutputSchema,
  access: 'DangerFullAccess',
  accessOf,
  runs: (input, cwd) => (runsCode(input) ? runNames(input, cwd) : undefined),
  isEnabled: (availability) => availability.has('debugger') && availability.runsCommands?.() !== false,
  isReadOnly: (input) => !runsCode(input),
  describe: sentence,
  validateInput: async (input) => validateDebug(input),
  preview,
  call,
  content: ({ text }) => text,
  view: debugView,
  detail: debugDetail,
});

function sentence({ action, program = '', configuration, expression = '', name }: DebugInput): ToolSentence {
  switch (action) {
    case 'start': {
      const what = configuration ?? program;
      return { now: `Debugging ${what}`, past: `Debugged ${what}` };
    }
    case 'evaluate':
      return { now: `Evaluating ${expression}`, past: `Evaluated ${expression}` };
    case 'variables':
      return { now: `Looking at ${name ?? 'the variables'}`, past: `Looked at ${name ?? 'the variables'}` };
    case 'stack':
      return { now: 'Looking at the stack', past: 'Looked at the stack' };
    case 'breakpoints':
      return { now: 'Setting breakpoints', past: 'Set breakpoints' };
    case 'pause':
      return { now: 'Pausing the program', past: 'Paused the program' };
    case 'stop':
      return { now: 'Ending the program', past: 'Ended the program' };
    case 'continue':
      return { now: 'Continuing the program', past: 'Continued the program' };
    case 'next':
    case 'stepIn':
    case 'stepOut':
      return { now: 'Stepping through the program', past: 'Stepped through the program' };
  }
}

/** What starts, whole: it is kept, and nothing else is started. */
async function preview(input: DebugInput, context: ToolContext): Promise<ToolPreview | ToolFailure> {
  const { action, expression = '', breakpoints = [] } = input;
  const { ports, session, toolUseId } = context;
  const current = session.debugging?.current()?.name;
  if (action === 'evaluate')
    return { title: `Evaluate in ${current ?? 'the program'}`, view: { kind: 'markdown', text: fenced(expression) } };
  const set = breakpoints.map((one) => breakpointText(one));
  // Ahead of the configuration: their conditions run, and they are few.
  const breakpointsText = set.length === 0 ? [] : [`Breakpoints:\n\n${fenced(set.join('\n'))}`];
  if (action !== 'start')
    return {
      title: `${sentence(input).now}${current === undefined ? '' : `: ${current}`}`,
      view: { kind: 'markdown', text: breakpointsText.join('\n') || fenced(JSON.stringify(input)) },
    };
  if (ports.debugger === undefined || session.debugging === undefined) return noEditor();
  const launch = await launchOf(input, context, ports.debugger);
  if (isFailure(launch)) return launch;
  session.debugging.shown.set(toolUseId, JSON.stringify(launch));
  return {
    title: launchTitle(launch, input),
    view: {
      kind: 'markdown',
      text: [...breakpointsText, fenced(JSON.stringify(launch.values, undefined, 2), 'json')].join('\n\n'),
    },
  };
}

function launchTitle({ name, type, request }: DebugConfiguration, { program, args = [] }: DebugInput): string {
  return program === undefined
    ? `Debug the configuration "${name}" (${type}, ${request})`
    : `Debug ${[program, ...args].join(' ')} (${type})`;
}

function breakpointText({ at, condition, hitCondition, logMessage }: BreakpointInput): string {
  return [
    at,
    condition === undefined ? '' : `if ${condition}`,
    hitCondition === undefined ? '' : `at hit ${hitCondition}`,
    logMessage === undefined ? '' : `prints ${logMessage}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function noEditor(): ToolFailure {
  return fail(
    'no-editor',
    words`This needs the editor, and this host has none.{{Bash:  Run the program with Bash, and print what you want to know.}}`,
  );
}

async function call(input: DebugInput, context: ToolContext): Promise<ToolResult<DebugOutput> | ToolFailure> {
  const { debugging } = context.session;
  if (context.ports.debugger === undefined || debugging === undefined) return noEditor();
  try {
    if (input.action === 'start') return await start(input, context, debugging);
    const debuggee = debugging.current();
    if (debuggee === undefined)
      return fail('nothing-runs', 'No program is being debugged: it has ended, or none was started. Begin with start.');
    return await (input.action === 'stop'
      ? stop(debuggee, context, debugging)
      : use(input, debuggee, context, debugging));
  } catch (error) {
    if (isAbort(error) || context.signal.aborted) throw error;
    return fail('refused', `The debugger says: ${messageOf(error)}`);
  }
}

async function start(
  input: DebugInput,
  context: ToolContext,
  debugging: SessionDebugging,
): Promise<ToolResult<DebugOutput> | ToolFailure> {
  const { ports, signal, toolUseId } = context;
  const debuggers = ports.debugger;
  if (debuggers === undefined) return noEditor();
  const configuration = await launchOf(input, context, debuggers);
  if (isFailure(configuration)) return configuration;
  const shown = debugging.shown.get(toolUseId);
  debugging.shown.delete(toolUseId);
  if (JSON.stringify(configuration) !== shown)
    return fail(
      'changed',
      'The configuration has changed since it was looked at, so nothing was started. Start again.',
    );
  const breakpoints = await breakpointsOf(input, context);
  if (isFailure(breakpoints)) return breakpoints;
  const ofUser = breakpoints.length === 0 ? undefined : debuggers.sessionOfUser();
  if (ofUser !== undefined)
    return fail(
      'user-debugs',
      `The user is debugging "${ofUser}", which breakpoints would stop too. Start without breakpoints, or ask the user to end it.`,
    );
  const before = debugging.current();
  await debugging.end();
  const started = await answerWithin(
    startSeconds * 1_000,
    (within) => debuggers.start({ configuration, breakpoints, exceptions: input.exceptions ?? 'uncaught' }, within),
    signal,
    ports.clock,
  );
  if (started === noAnswer)
    return fail(
      'timeout',
      `The debugger did not start within ${startSeconds} seconds. VS Code may be waiting for the user to answer a question.`,
    );
  if ('problem' in started) return fail('not-started', started.problem);
  debugging.hold(started, input.keep === true);
  const first = before === undefined ? [] : [`${before.name}, which was debugged before, was ended.`];
  return waited(input, started, { context, debugging, first, tellsUnplaced: true });
}

async function breakpointsOf(input: DebugInput, { session, ports }: ToolContext): Promise<Breakpoint[] | ToolFailure> {
  const found: Breakpoint[] = [];
  for (const { at, condition, hitCondition, logMessage } of input.breakpoints ?? []) {
    const { file, line } = placeOf(at) ?? { file: '', line: 1 };
    const path = filePath(file, session.cwd);
    if ((await ports.files.stat(path))?.type !== 'file')
      return fail(
        'not-found',
        words`${path} is no file. Check the path of the breakpoint{{Glob: ; Glob finds files by name}}.`,
      );
    found.push({ path, line, ...defined({ condition, hitCondition, logMessage }) });
  }
  return found;
}

interface Waiting {
  context: ToolContext;
  debugging: SessionDebugging;
  first?: readonly string[];
  tellsUnplaced?: boolean;
}

/** Until it stops or ends, for as long as the call says. */
async function waited(
  { timeout = defaultSeconds }: DebugInput,
  debuggee: Debuggee,
  { context, debugging, first = [], tellsUnplaced = false }: Waiting,
): Promise<ToolResult<DebugOutput>> {
  const { ports, signal, session } = context;
  await answerWithin(timeout * 1_000, (within) => debuggee.settled(within), signal, ports.clock);
  const report = await stateReport(debuggee, adapterOf(debuggee, signal, ports.clock), context, timeout);
  const { state } = debuggee.state();
  const unplaced = tellsUnplaced || state === 'ended' ? await unplacedLines(debuggee, session.cwd) : [];
  if (state === 'ended') await debugging.end();
  return { data: debugOutput(state, { ...report, lines: [...first, ...report.lines, ...unplaced] }, session.cwd) };
}

async function stop(
  debuggee: Debuggee,
  { session }: ToolContext,
  debugging: SessionDebugging,
): Promise<ToolResult<DebugOutput>> {
  await debugging.end();
  return { data: debugOutput('ended', { lines: [`${debuggee.name} was ended.`] }, session.cwd) };
}

const resuming = { continue: 'continue', next: 'next', stepIn: 'stepIn', stepOut: 'stepOut' } as const;

async function use(
  input: DebugInput,
  debuggee: Debuggee,
  context: ToolContext,
  debugging: SessionDebugging,
): Promise<ToolResult<DebugOutput> | ToolFailure> {
  const { action } = input;
  const { session, signal, ports } = context;
  const state = debuggee.state();
  const waiting: Waiting = { context, debugging };
  if (action === 'breakpoints') {
    const breakpoints = await breakpointsOf(input, context);
    if (isFailure(breakpoints)) return breakpoints;
    return {
      data: debugOutput(state.state, { lines: await setAll(input, breakpoints, debuggee, session.cwd) }, session.cwd),
    };
  }
  if (state.state === 'ended' || (state.state === 'running' && action === 'continue'))
    return waited(input, debuggee, waiting);
  if (action === 'pause') {
    if (state.state === 'running') await debuggee.request('pause', { threadId: await firstThread(debuggee) });
    return waited(input, debuggee, waiting);
  }
  if (state.state === 'running')
    return fail(
      'running',
      `The program runs, so there is nothing to look at. pause stops it; continue waits for a stop.`,
    );
  if (action in resuming) {
    await debuggee.request(resuming[action as keyof typeof resuming], { threadId: state.thread });
    return waited(input, debuggee, waiting);
  }
  const lines = await inspect(input, adapterOf(debuggee, signal, ports.clock), state.thread, session.cwd);
  return isFailure(lines) ? lines : { data: debugOutput('stopped', lines, session.cwd) };
}

async function setAll(
  { exceptions, breakpoints }: DebugInput,
  found: readonly Breakpoint[],
  debuggee: Debuggee,
  cwd: string,
): Promise<string[]> {
  const told = exceptions === undefined || (await debuggee.setExceptions(exceptions));
  if (breakpoints !== undefined) await debuggee.setBreakpoints(found);
  const set = (await debuggee.breakpoints()).map(({ path, line }) => `${shownPath(path, cwd)}:${line}`);
  return [
    set.length === 0 ? 'No breakpoints of yours are set.' : `Set: ${set.join(', ')}.`,
    ...(told ? [] : ['This debugger does not tell uncaught exceptions from others: the choice has no effect.']),
    ...(await unplacedLines(debuggee, cwd)),
  ];
}

async function firstThread(debuggee: Debuggee): Promise<number> {
  const body = await debuggee.request('threads', {});
  const [first] = (body as { threads?: { id?: number }[] } | undefined)?.threads ?? [];
  return first?.id ?? 0;
}
