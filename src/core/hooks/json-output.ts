// What a hook's JSON says outside of `hookSpecificOutput`: its decision, its texts, and whether everything ends.
import { isObject } from '../../shared/plain-object';
import { type HookEvent, hookEvents } from '../ports/hook-events';
import { eventFields, outputText, readEventOutput, takeContext, type WritableOutcome } from './event-output';
import { decided, decisionWords, type HookOutcome, noOutcome, refused } from './hook-outcome';

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
      const known = ['hookEventName', ...eventFields(event)];
      unused.push(...withoutMisplaced(unknownIn(specific, known), 'beside `hookSpecificOutput`', report));
    } else report(`\`hookSpecificOutput\` is for ${String(named)}, not for ${event}.`);
  } else if (specific !== undefined && specific !== null) report('`hookSpecificOutput` must be an object.');
  const known = [...commonFields, ...eventFields(event).filter((name) => name === 'additionalContext')];
  unused.push(...withoutMisplaced(unknownIn(json, known), 'in `hookSpecificOutput`', report));
  // Last: of two decisions the stricter one counts.
  const after = readDecision(event, json['decision'], reason, { ...outcome, problems });
  const fields = [...unused, ...(after === 'unused' ? ['decision'] : [])];
  const read: HookOutcome = after === 'unused' ? { ...outcome, problems } : after;
  return fields.length === 0 ? read : { ...read, unused: fields };
}

/** `decision` beside `hookSpecificOutput`. */
function readDecision(
  event: HookEvent,
  value: unknown,
  reason: string | undefined,
  outcome: HookOutcome,
): HookOutcome | 'unused' {
  if (value === undefined || value === null) return outcome;
  const decision = decisionWords.get(value);
  const wrong = (sentence: string): HookOutcome => ({ ...outcome, problems: [...outcome.problems, sentence] });
  if (decision === undefined || decision === 'defer')
    return wrong('`decision` must be "allow", "deny", "ask", "block" or "approve".');
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

/** Fields that decide something, but not where they are. */
const deciding = ['decision', 'permissionDecision', 'updatedToolOutput', 'updatedMCPToolOutput'];

/** A guard that decides in the wrong place has failed, and has not merely said something that nobody uses. */
function withoutMisplaced(names: readonly string[], place: string, report: (sentence: string) => void): string[] {
  return names.filter((name) => {
    if (deciding.includes(name)) report(`\`${name}\` has to be ${place}.`);
    return !deciding.includes(name);
  });
}

function unknownIn(fields: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== null && !known.includes(name));
}

function isFlag(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'boolean';
}
