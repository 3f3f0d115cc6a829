// What a hook printed or answered, and with which exit code, as an outcome.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookResult } from '../ports/hook-handlers';
import { type HookEvent, hookEvents } from '../ports/hook-events';
import { hookDecisions, type HookOutcome, noOutcome } from './hook-outcome';
import { readPermissionAnswer } from './permission-answer';

type Fields = Record<string, unknown>;

type Writable = { -readonly [Field in keyof HookOutcome]: HookOutcome[Field] };

export interface ReadOptions {
  /** A model's "no" about what has happened is passed on, and the turn goes on. */
  continueOnBlock?: boolean | undefined;
}

export function readHookResult(event: HookEvent, result: HookResult, options: ReadOptions = {}): HookOutcome {
  switch (result.kind) {
    case 'ended':
      return readEnd(event, result);
    case 'body':
      return readOutput(event, result.text);
    case 'verdict':
      return result.ok ? noOutcome : refusal(event, result.reason, options.continueOnBlock === true);
    case 'failed':
      return problem(result.message);
    case 'timeout':
      return problem(`It took longer than ${result.seconds} s and was stopped; its decision is ignored.`);
    case 'cancelled':
      return noOutcome;
  }
}

function readEnd(event: HookEvent, { exitCode, stdout, stderr }: Extract<HookResult, { kind: 'ended' }>): HookOutcome {
  if (exitCode === 0) return readOutput(event, stdout);
  const said = [stderr, stdout].map((text) => text.trim()).find((text) => text !== '');
  // Nothing that it prints beside it undoes exit code 2.
  if (exitCode === 2 && hookEvents[event].exit2 !== 'none') return blocked(event, said ?? 'The hook gave no reason.');
  return problem(`It ended with exit code ${exitCode}${said === undefined ? '' : `: ${firstLine(said)}`}`);
}

function readOutput(event: HookEvent, stdout: string): HookOutcome {
  const text = stdout.trim();
  // git makes none where a hook is there for it: to name nothing is a mistake.
  if (event === 'WorktreeCreate' && !text.startsWith('{'))
    return text === ''
      ? problem('It printed no worktree path.')
      : { ...noOutcome, worktreePath: text.split(/\r?\n/).at(-1)?.trim() ?? '' };
  if (text === '') return noOutcome;
  if (!text.startsWith('{')) {
    const outcome = hookEvents[event].printsContext ? { ...noOutcome, context: [text] } : noOutcome;
    return hasLateAnswer(text)
      ? {
          ...outcome,
          problems: [
            'It printed text before its JSON, so the JSON was ignored: print only JSON, and anything else to standard error.',
          ],
        }
      : outcome;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return problem(`It printed JSON that cannot be read: ${firstLine(text)}`);
  }
  return isObject(parsed) ? readJson(event, parsed) : noOutcome;
}

/** A guard that means to decide and does not is told of: a line of a log, or of the shell's profile, is easily printed first. */
function hasLateAnswer(text: string): boolean {
  const [answer] = /^\{[\s\S]*$/m.exec(text) ?? [];
  if (answer === undefined || !/"(?:decision|permissionDecision|continue|hookSpecificOutput)"/.test(answer))
    return false;
  try {
    return isObject(JSON.parse(answer));
  } catch {
    return false;
  }
}

function readJson(event: HookEvent, json: Fields): HookOutcome {
  const problems: string[] = [];
  const outcome: Writable = { ...noOutcome };
  const text = (fields: Fields, name: string): string | undefined => {
    const value = fields[name];
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    problems.push(`\`${name}\` must be a string.`);
    return undefined;
  };
  const reason = text(json, 'reason');
  if (json['decision'] === 'block') Object.assign(outcome, blocked(event, reason ?? 'The hook gave no reason.'));
  else if (json['decision'] === 'approve' && event === 'PreToolUse')
    Object.assign(outcome, { decision: 'allow', ...defined({ reason }) });
  else if (json['decision'] !== undefined && json['decision'] !== 'approve')
    problems.push('`decision` must be "block" or "approve".');
  if (json['continue'] === false) outcome.stop = text(json, 'stopReason') ?? '';
  const message = text(json, 'systemMessage');
  if (message !== undefined && message.trim() !== '') outcome.messages = [message];
  const specific = json['hookSpecificOutput'];
  if (isObject(specific)) {
    const named = specific['hookEventName'];
    if (named === undefined || named === event) readSpecific(event, specific, outcome, text, problems);
    else problems.push(`\`hookSpecificOutput\` is for ${String(named)}, not for ${event}.`);
  }
  return { ...outcome, problems };
}

function readSpecific(
  event: HookEvent,
  fields: Fields,
  outcome: Writable,
  text: (fields: Fields, name: string) => string | undefined,
  problems: string[],
): void {
  const context = text(fields, 'additionalContext');
  if (context !== undefined && context.trim() !== '') outcome.context = [context];
  switch (event) {
    case 'PreToolUse': {
      const wanted = fields['permissionDecision'];
      const decision = hookDecisions.find((one) => one === wanted);
      if (decision !== undefined) {
        outcome.decision = decision;
        const reason = text(fields, 'permissionDecisionReason');
        if (reason !== undefined) outcome.reason = reason;
      } else if (wanted !== undefined)
        problems.push(`\`permissionDecision\` must be one of ${hookDecisions.join(', ')}.`);
      if (isObject(fields['updatedInput'])) outcome.updatedInput = fields['updatedInput'];
      else if (fields['updatedInput'] !== undefined)
        problems.push('`updatedInput` must be the whole input, an object.');
      return;
    }
    case 'PermissionRequest': {
      if (fields['decision'] === undefined) return;
      const answer = readPermissionAnswer(fields['decision']);
      if (typeof answer === 'string') problems.push(answer);
      else outcome.permission = answer;
      return;
    }
    case 'PermissionDenied':
      if (fields['retry'] === true) outcome.retry = true;
      return;
    case 'PostToolUse':
      if (fields['updatedToolOutput'] !== undefined) outcome.updatedOutput = { value: fields['updatedToolOutput'] };
      return;
    case 'SessionStart': {
      const [first, title] = [text(fields, 'initialUserMessage'), text(fields, 'sessionTitle')];
      if (first !== undefined) outcome.initialUserMessage = first;
      if (title !== undefined) outcome.sessionTitle = title;
      readPaths(fields, outcome, problems);
      return;
    }
    case 'MessageDisplay': {
      const shown = text(fields, 'displayContent');
      if (shown !== undefined) outcome.displayContent = shown;
      return;
    }
    case 'WorktreeCreate': {
      const path = text(fields, 'worktreePath');
      if (path !== undefined) outcome.worktreePath = path;
      return;
    }
    case 'CwdChanged':
    case 'FileChanged':
      return readPaths(fields, outcome, problems);
    case 'Elicitation':
    case 'ElicitationResult': {
      const action = text(fields, 'action');
      if (action !== undefined) outcome.elicitation = { action, ...defined({ content: fields['content'] }) };
      return;
    }
    default:
      return;
  }
}

function readPaths(fields: Fields, outcome: Writable, problems: string[]): void {
  const paths = fields['watchPaths'];
  if (paths === undefined) return;
  if (Array.isArray(paths) && paths.every((path) => typeof path === 'string')) outcome.watchPaths = paths;
  else problems.push('`watchPaths` must be a list of strings.');
}

/** The event's own way of saying no. */
function blocked(event: HookEvent, reason: string): HookOutcome {
  if (event === 'PreToolUse') return { ...noOutcome, decision: 'deny', reason };
  const { exit2 } = hookEvents[event];
  if (exit2 === 'block') return { ...noOutcome, block: reason };
  return exit2 === 'feedback' ? { ...noOutcome, feedback: [reason] } : noOutcome;
}

function refusal(event: HookEvent, reason: string, goesOn: boolean): HookOutcome {
  const outcome = blocked(event, reason === '' ? 'The model refused without a reason.' : reason);
  return hookEvents[event].exit2 === 'feedback' && !goesOn ? { ...outcome, stop: reason } : outcome;
}

function problem(message: string): HookOutcome {
  return { ...noOutcome, problems: [message] };
}

export function firstLine(text: string): string {
  const [first = ''] = text.trim().split(/\r?\n/);
  const line = first.trimEnd();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
