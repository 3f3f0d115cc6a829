// What one call and its result say: which files it changed, and which check it was with what result.
import { defined } from '../../../shared/defined';
import { headOf } from '../../../shared/cut-text';
import { isObject } from '../../../shared/plain-object';
import { terminalText } from '../../../shared/terminal-text';
import { type CheckKind, type CheckState, type TestCounts } from '../../../shared/ledger';
import { type CommandEnd } from '../../ports/command-end';
import { type ToolResultBlock } from '../../wire/wire';
import { readCounts, saysFailure } from './counts';
import { echoedKinds, type ReadCommand, readCommand } from './runners';

export interface MadeCall {
  id: string;
  name: string;
  input: unknown;
  /** The number of the record that made it, and of the one that says that it began. */
  at: number;
  startedAt?: number;
}

/** A command, and the check that it was; none where `kinds` is empty. */
export interface Run {
  id: string;
  command: string;
  kinds: CheckKind[];
  state: CheckState;
  exitCode?: number;
  counts?: TestCounts;
  /** The number of the record after which it began. */
  startAt: number;
  byUser?: true;
}

interface MadeChange {
  path: string;
  /** Of the text now. */
  hash?: string;
}

/** Of any tool whose output has the public shape of an edit. */
export function changesOf(output: unknown): MadeChange[] {
  if (!isObject(output)) return [];
  if (Array.isArray(output['files'])) return output['files'].filter(isObject).flatMap(changeOf);
  return changeOf(isObject(output['file']) ? output['file'] : output);
}

function changeOf({
  filePath,
  structuredPatch,
  created,
  type,
  hash,
  added,
  removed,
}: Record<string, unknown>): MadeChange[] {
  if (typeof filePath !== 'string' || !Array.isArray(structuredPatch)) return [];
  const isNew = created === true || type === 'create';
  const changed = structuredPatch.length > 0 || isNew || Number(added) > 0 || Number(removed) > 0;
  return changed ? [{ path: filePath, ...(typeof hash === 'string' ? { hash } : {}) }] : [];
}

/** Of the files that a call read or wrote, what stands in them. */
export function hashesOf(output: unknown): { path: string; hash: string }[] {
  if (!isObject(output)) return [];
  const files = Array.isArray(output['files']) ? output['files'] : [output['file'] ?? output];
  return files
    .filter(isObject)
    .flatMap(({ filePath, hash }) =>
      typeof filePath === 'string' && typeof hash === 'string' ? [{ path: filePath, hash }] : [],
    );
}

/** What a call is about, in a few words. */
export function subjectOf({ name, input }: Pick<MadeCall, 'name' | 'input'>): string {
  const fields = isObject(input) ? input : {};
  const { command } = fields;
  if (typeof command === 'string') return headOf(command.split('\n', 1)[0] ?? '', 100);
  const subject = ['file_path', 'notebook_path', 'filePath', 'task', 'url', 'pattern', 'path', 'description']
    .map((field) => fields[field])
    .find((value): value is string => typeof value === 'string');
  return subject === undefined ? name : `${name} ${headOf(subject, 100)}`;
}

/** Undefined where nothing ran. */
export function runOf(call: MadeCall, output: unknown, block: ToolResultBlock): Run | undefined {
  if (call.name === 'Tests') return testsRun(call, output);
  if (call.name === 'RunTask') return taskRun(call, output);
  const command = isObject(call.input) ? call.input['command'] : undefined;
  if (typeof command !== 'string') return undefined;
  const facts = commandFacts(output, block);
  if (facts.state === 'not-started') return undefined;
  const read = readCommand(command);
  // A script may check more than its name says; npm and the like print what it is.
  const isScript = read.kinds.length > 0 || /\b(?:npm|pnpm|yarn|bun)\b/.test(command);
  const text = isScript ? terminalText(facts.output) : facts.output;
  const kinds = isScript ? [...new Set([...read.kinds, ...echoedKinds(text)])] : read.kinds;
  const result = kinds.length === 0 ? { state: endState(facts.state) } : resultOf(facts, kinds, read, text);
  return { id: call.id, command, kinds, startAt: startOf(call), ...result };
}

interface CommandFacts {
  /** As the output of Bash has it. */
  state: string;
  exitCode: number | undefined;
  output: string;
  whole: boolean;
}

/** Other programs log neither states nor exit codes. */
function commandFacts(output: unknown, block: ToolResultBlock): CommandFacts {
  const fields = isObject(output) ? output : {};
  const stdout = typeof fields['stdout'] === 'string' ? fields['stdout'] : plainText(block);
  const failed = block.is_error === true;
  const printed = failed ? Number(/\bExit code (\d+)/i.exec(plainText(block))?.[1] ?? Number.NaN) : 0;
  const interrupted = fields['interrupted'] === true;
  return {
    state: typeof fields['state'] === 'string' ? fields['state'] : interrupted ? 'interrupted' : 'exited',
    exitCode: typeof fields['exitCode'] === 'number' ? fields['exitCode'] : Number.isNaN(printed) ? undefined : printed,
    output: stdout,
    whole: fields['omittedBytes'] === undefined && !/\n\[\d+ characters left out of the log\]\n/.test(stdout),
  };
}

function resultOf(
  { state, exitCode, whole }: CommandFacts,
  kinds: readonly CheckKind[],
  { exitSays }: Pick<ReadCommand, 'exitSays'>,
  text: string,
): Pick<Run, 'state' | 'exitCode' | 'counts'> {
  const counts = kinds.includes('tests') ? readCounts(text, whole) : undefined;
  const more = defined({ exitCode, counts });
  if (state !== 'exited') return { state: endState(state), ...more };
  const none = counts !== undefined && counts.passed + counts.failed === 0;
  if ((counts?.failed ?? 0) > 0 || (exitSays === 'all' && exitCode !== 0 && exitCode !== undefined))
    return { state: 'failed', ...more };
  if (exitSays !== 'nothing' && exitCode === 0) return { state: none ? 'unknown' : 'passed', ...more };
  if (saysFailure(text)) return { state: 'failed', ...more };
  // Of a pipe, the code is that of its end: the summary knows better.
  return {
    state: exitSays === 'nothing' && counts !== undefined && !none && kinds.length === 1 ? 'passed' : 'unknown',
    ...more,
  };
}

function endState(state: string): CheckState {
  if (state === 'background') return 'running';
  return state === 'exited' || state === 'lost' ? 'unknown' : 'stopped';
}

function startOf({ at, startedAt }: MadeCall): number {
  return startedAt ?? at;
}

function testsRun(call: MadeCall, output: unknown): Run | undefined {
  if (!isObject(output) || typeof output['runner'] !== 'string') return undefined;
  const { state, command, runner } = output;
  const [passed = 0, failed = 0, skipped = 0, broken = 0] = ['passed', 'failed', 'skipped', 'brokenTotal'].map((name) =>
    Number(output[name] ?? 0),
  );
  const counts = { passed, failed: failed + broken, skipped };
  const result: CheckState =
    state === 'stopped' ? 'stopped' : state !== 'ran' ? 'unknown' : counts.failed > 0 ? 'failed' : 'passed';
  return {
    id: call.id,
    command: typeof command === 'string' ? command : `${runner} run`,
    kinds: ['tests'],
    state: result,
    ...(state === 'ran' ? { counts } : {}),
    startAt: startOf(call),
  };
}

function taskRun(call: MadeCall, output: unknown): Run | undefined {
  const task = isObject(call.input) ? call.input['task'] : undefined;
  const state = isObject(output) ? output['state'] : undefined;
  if (typeof task !== 'string' || typeof state !== 'string') return undefined;
  const code = /^exit code (\d+)/.exec(state)?.[1];
  const name = task.replace(/^\w+: /, '');
  const { kinds } = readCommand(`npm run ${/^[\w:.-]+$/.test(name) ? name : name.split(/\s+/)[0]}`);
  return {
    id: call.id,
    command: task,
    kinds,
    state: code === undefined ? 'unknown' : code === '0' ? 'passed' : 'failed',
    ...(code === undefined ? {} : { exitCode: Number(code) }),
    startAt: startOf(call),
  };
}

/** A command in the background has come to its end; of its output, the tail is known. */
export function withEnd(run: Run, end: CommandEnd | undefined, tail: string): Run {
  if (end === undefined) return { ...run, state: 'unknown' };
  const text = terminalText(tail);
  const facts: CommandFacts = {
    state: end.state,
    exitCode: 'code' in end ? end.code : undefined,
    output: text,
    whole: false,
  };
  return { ...run, ...resultOf(facts, run.kinds, readCommand(run.command), text) };
}

function plainText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
