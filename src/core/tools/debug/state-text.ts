// Where a program stands, as the model reads it: the place, its lines, its variables, who called it, and what it printed.
import { tailOf } from '../../../shared/cut-text';
import { type Debuggee, type DebugState } from '../../ports/debugger';
import { inThousands } from '../../text/size-text';
import { messageOf } from '../../text/errors';
import { type ToolContext } from '../../tool/tool';
import { counted } from '../../../shared/counted';
import { shownPath } from '../grep/glob-root';
import { type Places } from '../../tool/report-view';
import { type Adapter, type Frame } from './adapter';
import { oneLine, scopeLines } from './variable-text';

/** Where it stopped, for whoever shows it. */
export interface Stop {
  path: string;
  line: number;
}

export interface Report {
  lines: string[];
  stop?: Stop;
  places?: Places;
}

const variableLimits = { value: 100, characters: 700, depth: 0 };
const maxSourceBytes = 2_000_000;
const maxSourceLine = 110;
const shownCallers = 4;
/** Some are the runtime's own. */
const readFrames = 12;
const outputCharacters = 400;
/** What it printed is all that is left of it. */
const lastOutputCharacters = 1_000;

export async function stateReport(
  debuggee: Debuggee,
  adapter: Adapter,
  context: ToolContext,
  waited: number,
): Promise<Report> {
  const state = debuggee.state();
  const { lines, ...found } = await stateLines(state, adapter, context, waited);
  return {
    lines: [...lines, ...outputLines(debuggee, state.state === 'ended' ? lastOutputCharacters : outputCharacters)],
    ...found,
  };
}

async function stateLines(state: DebugState, adapter: Adapter, context: ToolContext, waited: number): Promise<Report> {
  switch (state.state) {
    case 'running':
      return {
        lines: [`It still runs after ${waited} seconds. continue waits on; pause stops it where it is; stop ends it.`],
      };
    case 'ended':
      return {
        lines: [`The program has ended${state.exitCode === undefined ? '' : ` with exit code ${state.exitCode}`}.`],
      };
    case 'stopped':
      return stopLines(state, adapter, context);
  }
}

async function stopLines(
  { thread, reason, text }: Extract<DebugState, { state: 'stopped' }>,
  adapter: Adapter,
  context: ToolContext,
): Promise<Report> {
  const { frames, total } = await adapter.frames(thread, readFrames);
  const [top, ...below] = frames;
  if (top === undefined) return { lines: [`Stopped (${reason}), with no frame to look at.`] };
  const thrown = reason === 'exception' ? ((await adapter.exception(thread)) ?? text) : undefined;
  const why = thrown === undefined ? reason : `exception: ${oneLine(thrown, 200)}`;
  const callers = below.filter(({ path }) => path !== undefined).slice(0, shownCallers);
  const more = total - 1 - callers.length;
  return {
    lines: [
      `Stopped at ${placeText(top, context.session.cwd)} (${why}).`,
      ...(await sourceLines(top, context)),
      ...(await variablesOf(adapter, top)),
      ...(callers.length === 0
        ? []
        : [
            `Called from ${callers.map((frame) => placeText(frame, context.session.cwd)).join(', ')}${more > 0 ? `, ${more} more` : ''}.`,
          ]),
    ],
    ...(top.path === undefined ? {} : { stop: { path: slashed(top.path), line: top.line } }),
    places: placesOf([top, ...callers], context.session.cwd),
  };
}

async function variablesOf(adapter: Adapter, { id }: Frame): Promise<string[]> {
  try {
    return await scopeLines(adapter, id, variableLimits);
  } catch (error) {
    return [`Its variables cannot be read: ${messageOf(error)}`];
  }
}

export function placeText({ path, line, name }: Frame, cwd: string): string {
  const place = path === undefined ? 'no file' : shownPlace(path, line, cwd);
  return name === '' ? place : `${place} in ${name.replace(/^global\./, '')}`;
}

/** As `placeText` writes them. */
function placesOf(frames: readonly Frame[], cwd: string): Places {
  return frames.flatMap(({ path, line }) =>
    path === undefined ? [] : [{ shown: shownPlace(path, line, cwd), path: slashed(path), line }],
  );
}

function shownPlace(path: string, line: number, cwd: string): string {
  return `${shownPath(slashed(path), cwd)}:${line}`;
}

/** As ports name files. */
function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The line, with the one before and after it. */
async function sourceLines({ path, line }: Frame, { ports, session }: ToolContext): Promise<string[]> {
  if (path === undefined || session.isHidden(slashed(path))) return [];
  const read = await ports.files.readText(slashed(path), maxSourceBytes);
  if (read.outcome !== 'read') return [];
  const all = read.file.text.split(/\r\n|\r|\n/);
  return [line - 1, line, line + 1].flatMap((number) => {
    const text = all[number - 1];
    return text === undefined || (number !== line && text.trim() === '')
      ? []
      : [`${number === line ? '>' : ' '} ${number} | ${oneLine(text, maxSourceLine)}`];
  });
}

/** Breakpoints at which it can never stop, or that stand elsewhere than asked. */
export async function unplacedLines(debuggee: Debuggee, cwd: string): Promise<string[]> {
  const placed = await debuggee.breakpoints();
  const lines = placed.flatMap(({ path, line, verified, actualLine }) => {
    const place = `${shownPath(path, cwd)}:${line}`;
    if (verified === false) return [`The breakpoint ${place} is not set: the program has loaded no code there so far.`];
    return actualLine === undefined || actualLine === line
      ? []
      : [`The breakpoint ${place} stands at line ${actualLine}.`];
  });
  const more = lines.length - maxUnplaced;
  return more > 0 ? [...lines.slice(0, maxUnplaced), `… and ${counted(more, 'more breakpoint')} like these.`] : lines;
}

const maxUnplaced = 5;

/** Node prints it in the name of its debugger. */
const ofDebugger = /^(?:Debugger attached\.|Waiting for the debugger to disconnect\.\.\.)\r?\n/gm;

function outputLines(debuggee: Debuggee, characters: number): string[] {
  const { text, omitted } = debuggee.takeOutput();
  const printed = text.replace(ofDebugger, '').trimEnd();
  if (printed === '') return [];
  const shown = tailOf(printed, characters);
  const left = omitted + printed.length - shown.length;
  return [left === 0 ? 'Output:' : `Output (${inThousands(left)} characters before it left out):`, shown];
}

export async function stackReport(adapter: Adapter, thread: number, cwd: string): Promise<Report> {
  const { frames, total } = await adapter.frames(thread, maxFrames);
  const lines = frames.map((frame, index) => `${index}: ${placeText(frame, cwd)}`);
  return {
    lines: total > frames.length ? [...lines, `… ${counted(total - frames.length, 'more frame')}`] : lines,
    places: placesOf(frames, cwd),
  };
}

const maxFrames = 25;
