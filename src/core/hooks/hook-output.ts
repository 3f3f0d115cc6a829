// What a hook printed or answered, and with which exit code, as an outcome.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookResult } from '../ports/hook-handlers';
import { type HookEvent, hookEvents } from '../ports/hook-events';
import { outputText, readEventOutput, type WritableOutcome } from './event-output';
import { type HookOutcome, noOutcome } from './hook-outcome';

export interface ReadOptions {
  /** A model's "no" about something that has already happened is passed on, and the turn continues. */
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
  // Nothing else that it prints undoes exit code 2.
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

/** A guard that means to decide and does not is reported: a line of a log, or of the shell's profile, is easily printed first. */
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

function readJson(event: HookEvent, json: Record<string, unknown>): HookOutcome {
  const problems: string[] = [];
  const outcome: WritableOutcome = { ...noOutcome };
  const report = (sentence: string): void => void problems.push(sentence);
  const reason = outputText(json, 'reason', report);
  if (json['decision'] === 'block') Object.assign(outcome, blocked(event, reason ?? 'The hook gave no reason.'));
  else if (json['decision'] === 'approve' && event === 'PreToolUse')
    Object.assign(outcome, { decision: 'allow', ...defined({ reason }) });
  else if (json['decision'] !== undefined && json['decision'] !== 'approve')
    problems.push('`decision` must be "block" or "approve".');
  if (json['continue'] === false) outcome.stop = outputText(json, 'stopReason', report) ?? '';
  const message = outputText(json, 'systemMessage', report);
  if (message !== undefined && message.trim() !== '') outcome.messages = [message];
  const specific = json['hookSpecificOutput'];
  if (isObject(specific)) {
    const named = specific['hookEventName'];
    if (named === undefined || named === event) readEventOutput(event, specific, outcome, report);
    else problems.push(`\`hookSpecificOutput\` is for ${String(named)}, not for ${event}.`);
  }
  return { ...outcome, problems };
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
