// What a hook printed or answered, and with which exit code, as an outcome.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookResult } from '../ports/hook-handlers';
import { canFailClosed, type HookEvent, hookEvents } from '../ports/hook-events';
import { forbids, type HookOutcome, noOutcome, refused, saysNo, withoutYes } from './hook-outcome';
import { readJson } from './json-output';

export interface ReadOptions {
  /** A model's "no" about something that has already happened is passed on, and the turn continues. */
  continueOnBlock?: boolean | undefined;
  /** If the hook fails, what it guards does not happen. */
  failClosed?: boolean | undefined;
}

export function readHookResult(event: HookEvent, result: HookResult, options: ReadOptions = {}): HookOutcome {
  const outcome = withoutLostOutput(event, result, readResult(event, result, options));
  if (options.failClosed !== true || !canFailClosed(event)) return outcome;
  // What was stopped before a call keeps the call from running anyway; its output would go to the model.
  if (event === 'PostToolUse' && result.kind === 'cancelled')
    return { ...outcome, failedClosed: true, withheld: 'The hook that guards it was stopped before it had ended.' };
  return outcome.problems.length > 0 ? closed(event, outcome) : outcome;
}

function readResult(event: HookEvent, result: HookResult, options: ReadOptions): HookOutcome {
  switch (result.kind) {
    case 'ended':
      return readEnd(event, result);
    case 'body':
      return readOutput(event, result.text);
    case 'verdict':
      return result.ok ? noOutcome : verdict(event, result.reason, options.continueOnBlock === true);
    case 'failed':
      return problem(result.message);
    case 'timeout':
      return problem(`It took longer than ${result.seconds} s and was stopped; its decision is ignored.`);
    case 'cancelled':
      return noOutcome;
  }
}

/** A hook that meant to replace the output, and did not: nobody knows what it would have taken out. */
function withoutLostOutput(event: HookEvent, result: HookResult, outcome: HookOutcome): HookOutcome {
  if (event !== 'PostToolUse' || outcome.updatedOutput !== undefined) return outcome;
  const text = result.kind === 'ended' ? result.stdout : result.kind === 'body' ? result.text : '';
  if (!namesField(text, 'updated(?:MCP)?ToolOutput')) return outcome;
  const problems = outcome.problems.length > 0 ? outcome.problems : ['It printed an output that cannot be read.'];
  return {
    ...outcome,
    problems,
    withheld: `A hook meant to replace it, which failed. ${problems.map(asSentence).join(' ')}`,
  };
}

/** As a key of JSON, wherever it is in the text. */
function namesField(text: string, names: string): boolean {
  const object = text.indexOf('{');
  return object >= 0 && new RegExp(String.raw`(?<!\\)"(?:${names})"\s*:`).test(text.slice(object));
}

/** What it refused before it failed stays refused, for its own reason. */
function closed(event: HookEvent, outcome: HookOutcome): HookOutcome {
  const reason = `A hook failed, and it is set to let nothing pass then (failClosed). ${outcome.problems.join(' ')}`;
  const failed: HookOutcome = { ...outcome, failedClosed: true };
  if (event === 'PostToolUse') return { ...failed, withheld: reason };
  return forbids(outcome) ? failed : refused(failed, event, reason);
}

/** JSON decides whatever the exit code is, with two exceptions: 2 always blocks, and only 0 allows anything. */
function readEnd(event: HookEvent, result: Extract<HookResult, { kind: 'ended' }>): HookOutcome {
  const { exitCode, stdout, stderr, signal } = result;
  if (exitCode === 0) return readOutput(event, stdout);
  const json = parsed(printed(stdout));
  const answer = isObject(json) ? withoutYes(readJson(event, json)) : undefined;
  const said = [stderr, answer === undefined ? stdout : ''].map((text) => text.trim()).find((text) => text !== '');
  const blocks = exitCode === 2 && hookEvents[event].exit2 !== 'none';
  if (answer !== undefined && (blocks ? forbids(answer) : saysNo(answer)))
    return answer.decision === undefined ? answer : { ...answer, ...defined({ reason: answer.reason ?? said }) };
  if (blocks) return refused(answer ?? noOutcome, event, said ?? 'The hook gave no reason.');
  const how = signal === undefined ? `It ended with exit code ${exitCode}` : `It was ended by ${signal}`;
  const end = `${how}${said === undefined ? '' : `: ${firstLine(said)}`}`;
  return answer === undefined ? problem(end) : { ...answer, problems: [end, ...answer.problems] };
}

function readOutput(event: HookEvent, stdout: string): HookOutcome {
  const text = printed(stdout);
  // git makes none where a hook is there for it: to name nothing is a mistake.
  if (event === 'WorktreeCreate' && !text.startsWith('{'))
    return text === ''
      ? problem('It printed no worktree path.')
      : { ...noOutcome, worktreePath: text.split(/\r?\n/).at(-1)?.trim() ?? '' };
  if (text === '') return noOutcome;
  if (!text.startsWith('{')) {
    const outcome = hookEvents[event].printsContext ? { ...noOutcome, context: [text] } : noOutcome;
    return hasLostAnswer(event, text)
      ? {
          ...outcome,
          problems: [
            'It printed text before its JSON object, so the JSON was ignored: print only JSON, and anything else to standard error.',
          ],
        }
      : outcome;
  }
  const json = parsed(text);
  return isObject(json) ? readJson(event, json) : problem(`It printed JSON that cannot be read: ${firstLine(text)}`);
}

/** Without the first line of a hook that continues in the background, which says only that. */
function printed(stdout: string): string {
  const text = stdout.trim();
  const [first = ''] = text.split('\n', 1);
  return asksForBackground(first) ? text.slice(first.length).trim() : text;
}

/** A hook says with its first line that nobody need wait for it. */
export function asksForBackground(line: string): boolean {
  const json = line.trim().startsWith('{') ? parsed(line) : undefined;
  return isObject(json) && json['async'] === true;
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A guard that means to decide and does not is reported: a line of a log, or of the shell's profile, is easily printed first. */
function hasLostAnswer(event: HookEvent, text: string): boolean {
  if (!namesField(text, 'decision|permissionDecision|continue|hookSpecificOutput')) return false;
  // What is text for the model may well speak of hooks.
  return !hookEvents[event].printsContext || isObject(parsed(/^\{[^]*$/m.exec(text)?.[0] ?? ''));
}

function verdict(event: HookEvent, reason: string, goesOn: boolean): HookOutcome {
  const outcome = refused(noOutcome, event, reason === '' ? 'The model refused without a reason.' : reason);
  return hookEvents[event].exit2 === 'feedback' && !goesOn ? { ...outcome, stop: reason } : outcome;
}

function problem(message: string): HookOutcome {
  return { ...noOutcome, problems: [message] };
}

export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export function firstLine(text: string): string {
  const [first = ''] = text.trim().split(/\r?\n/);
  const line = first.trimEnd();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
