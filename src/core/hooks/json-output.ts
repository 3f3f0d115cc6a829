// What a hook's JSON says outside of `hookSpecificOutput`: its decision, its texts, and whether everything ends.
import { isObject } from '../../shared/plain-object';
import { type HookEvent, hookEvents } from '../ports/hook-events';
import { eventFields, outputText, readEventOutput, takeContext, type WritableOutcome } from './event-output';
import { decided, type HookDecision, type HookOutcome, noOutcome, refused } from './hook-outcome';

const commonFields = [
  ...['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason'],
  // Those of a hook that runs in the background are read as soon as it prints them.
  ...['hookSpecificOutput', 'async', 'asyncTimeout'],
];

export function readJson(event: HookEvent, json: Record<string, unknown>): HookOutcome {
  const problems: string[] = [];
  const report = (sentence: string): void => void problems.push(sentence);
  const unused: string[] = [];
  const outcome: WritableOutcome = { ...noOutcome };
  const reason = outputText(json, 'reason', report);
  const message = outputText(json, 'systemMessage', report);
  if (message !== undefined && message.trim() !== '') outcome.messages = [message];
  if (json['continue'] === false) outcome.stop = outputText(json, 'stopReason', report) ?? '';
  else if (!isFlag(json['continue'])) report('`continue` must be true or false.');
  if (json['suppressOutput'] === true) outcome.quiet = true;
  takeContext(event, json, outcome, report);
  const specific = json['hookSpecificOutput'];
  if (isObject(specific)) {
    const named = specific['hookEventName'];
    if (named === undefined || named === event) {
      takeContext(event, specific, outcome, report);
      readEventOutput(event, specific, outcome, report);
      unused.push(...unknownIn(specific, ['hookEventName', ...eventFields(event)]));
    } else report(`\`hookSpecificOutput\` is for ${String(named)}, not for ${event}.`);
  } else if (specific !== undefined && specific !== null) report('`hookSpecificOutput` must be an object.');
  unused.push(
    ...unknownIn(json, [...commonFields, ...eventFields(event).filter((name) => name === 'additionalContext')]),
  );
  // Last: of two decisions the stricter one counts.
  const after = readDecision(event, json['decision'], reason, { ...outcome, problems });
  const fields = [...unused, ...(after === 'unused' ? ['decision'] : [])];
  const known: HookOutcome = after === 'unused' ? { ...outcome, problems } : after;
  return fields.length === 0 ? known : { ...known, unused: fields };
}

const words: Readonly<Record<string, HookDecision>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  deny: 'deny',
  block: 'deny',
};

/** `decision` beside `hookSpecificOutput`. */
function readDecision(
  event: HookEvent,
  value: unknown,
  reason: string | undefined,
  outcome: HookOutcome,
): HookOutcome | 'unused' {
  if (value === undefined || value === null) return outcome;
  const decision = typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : undefined;
  const wrong = (sentence: string): HookOutcome => ({ ...outcome, problems: [...outcome.problems, sentence] });
  if (decision === undefined) return wrong('`decision` must be "allow", "deny", "ask", "block" or "approve".');
  if (event === 'PreToolUse') return decided(outcome, decision, reason);
  if (event === 'PermissionRequest') {
    // What `hookSpecificOutput` answers counts, unless this is stricter; to ask is what happens without an answer.
    if (decision === 'deny' && outcome.permission?.behavior !== 'deny')
      return refused(outcome, event, reason ?? 'A hook denied this call.');
    return decision !== 'allow' || outcome.permission !== undefined
      ? outcome
      : { ...outcome, permission: { behavior: 'allow', interrupt: false, updates: [] } };
  }
  if (hookEvents[event].exit2 === 'none') return 'unused';
  if (decision === 'ask') return wrong(`A hook of ${event} cannot ask: nobody is asked there.`);
  return decision === 'deny' ? refused(outcome, event, reason ?? 'The hook gave no reason.') : outcome;
}

function unknownIn(fields: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== null && !known.includes(name));
}

function isFlag(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'boolean';
}
