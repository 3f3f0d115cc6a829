// What a hook's JSON output says in `hookSpecificOutput`: which fields each event reads.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookEvent } from '../ports/hook-events';
import { hookDecisions, type HookOutcome } from './hook-outcome';
import { readPermissionAnswer } from './permission-answer';

export type OutputFields = Readonly<Record<string, unknown>>;

export type WritableOutcome = { -readonly [Field in keyof HookOutcome]: HookOutcome[Field] };

/** Takes a sentence about a field that cannot be used. */
type Report = (sentence: string) => void;

type EventReader = (fields: OutputFields, outcome: WritableOutcome, report: Report) => void;

/** A text field; null counts as missing. */
export function outputText(fields: OutputFields, name: string, report: Report): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  report(`\`${name}\` must be a string.`);
  return undefined;
}

export function readEventOutput(
  event: HookEvent,
  fields: OutputFields,
  outcome: WritableOutcome,
  report: Report,
): void {
  const context = outputText(fields, 'additionalContext', report);
  if (context !== undefined && context.trim() !== '') outcome.context = [context];
  readers[event]?.(fields, outcome, report);
}

const readers: Partial<Record<HookEvent, EventReader>> = {
  PreToolUse: readCallDecision,
  PermissionRequest(fields, outcome, report) {
    if (fields['decision'] === undefined) return;
    const answer = readPermissionAnswer(fields['decision']);
    if (typeof answer === 'string') report(answer);
    else outcome.permission = answer;
  },
  PermissionDenied(fields, outcome) {
    if (fields['retry'] === true) outcome.retry = true;
  },
  PostToolUse(fields, outcome) {
    if (fields['updatedToolOutput'] !== undefined) outcome.updatedOutput = { value: fields['updatedToolOutput'] };
  },
  SessionStart(fields, outcome, report) {
    takeText(fields, 'initialUserMessage', outcome, report);
    takeText(fields, 'sessionTitle', outcome, report);
    readPaths(fields, outcome, report);
  },
  MessageDisplay: (fields, outcome, report) => takeText(fields, 'displayContent', outcome, report),
  WorktreeCreate: (fields, outcome, report) => takeText(fields, 'worktreePath', outcome, report),
  CwdChanged: readPaths,
  FileChanged: readPaths,
  Elicitation: readElicitation,
  ElicitationResult: readElicitation,
};

function readCallDecision(fields: OutputFields, outcome: WritableOutcome, report: Report): void {
  const wanted = fields['permissionDecision'];
  const decision = hookDecisions.find((one) => one === wanted);
  if (decision !== undefined) {
    outcome.decision = decision;
    const reason = outputText(fields, 'permissionDecisionReason', report);
    if (reason !== undefined) outcome.reason = reason;
  } else if (wanted !== undefined) report(`\`permissionDecision\` must be one of ${hookDecisions.join(', ')}.`);
  if (isObject(fields['updatedInput'])) outcome.updatedInput = fields['updatedInput'];
  else if (fields['updatedInput'] !== undefined) report('`updatedInput` must be the whole input, an object.');
}

function takeText(
  fields: OutputFields,
  name: 'initialUserMessage' | 'sessionTitle' | 'displayContent' | 'worktreePath',
  outcome: WritableOutcome,
  report: Report,
): void {
  const text = outputText(fields, name, report);
  if (text !== undefined) outcome[name] = text;
}

function readPaths(fields: OutputFields, outcome: WritableOutcome, report: Report): void {
  const paths = fields['watchPaths'];
  if (paths === undefined) return;
  if (Array.isArray(paths) && paths.every((path) => typeof path === 'string')) outcome.watchPaths = paths;
  else report('`watchPaths` must be a list of strings.');
}

function readElicitation(fields: OutputFields, outcome: WritableOutcome, report: Report): void {
  const action = outputText(fields, 'action', report);
  if (action !== undefined) outcome.elicitation = { action, ...defined({ content: fields['content'] }) };
}
