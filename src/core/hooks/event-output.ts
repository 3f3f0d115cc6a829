// What a hook's JSON output says in `hookSpecificOutput`: which fields each event reads.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type HookEvent } from '../ports/hook-events';
import { decided, decisionWords, hookDecisions, type HookOutcome } from './hook-outcome';
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

/** What the model is to be sent; some events have nobody to send it to. */
export function takeContext(event: HookEvent, fields: OutputFields, outcome: WritableOutcome, report: Report): void {
  const context = outputText(fields, 'additionalContext', report);
  if (context !== undefined && context.trim() !== '' && !withoutContext.has(event))
    outcome.context = [...outcome.context, context];
}

export function readEventOutput(
  event: HookEvent,
  fields: OutputFields,
  outcome: WritableOutcome,
  report: Report,
): void {
  readers[event]?.(fields, outcome, report);
}

/** The fields of `hookSpecificOutput` that have an effect on this event. */
export function eventFields(event: HookEvent): readonly string[] {
  return [...(withoutContext.has(event) ? [] : ['additionalContext']), ...(ownFields[event] ?? [])];
}

/** They answer a question or change what is shown: nothing of them is for the model. */
const withoutContext: ReadonlySet<HookEvent> = new Set<HookEvent>([
  'PermissionRequest',
  'MessageDisplay',
  'SessionEnd',
  'WorktreeCreate',
]);

const ownFields: Partial<Record<HookEvent, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput'],
  PermissionRequest: ['decision'],
  PermissionDenied: ['retry'],
  PostToolUse: ['updatedToolOutput', 'updatedMCPToolOutput'],
  UserPromptSubmit: ['sessionTitle', 'suppressOriginalPrompt'],
  // The message about a blocked command never holds the prompt.
  UserPromptExpansion: ['suppressOriginalPrompt'],
  // Skills and commands are looked up after these hooks, whether they ask for it or not.
  SessionStart: ['initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  MessageDisplay: ['displayContent'],
  WorktreeCreate: ['worktreePath'],
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  Elicitation: ['action', 'content'],
  ElicitationResult: ['action', 'content'],
};

const readers: Partial<Record<HookEvent, EventReader>> = {
  PreToolUse: readCallDecision,
  PermissionRequest(fields, outcome, report) {
    if (fields['decision'] === undefined) return;
    const read = readPermissionAnswer(fields['decision'], report);
    if (read !== undefined) outcome.permission = read;
  },
  PermissionDenied(fields, outcome) {
    if (fields['retry'] === true) outcome.retry = true;
  },
  PostToolUse(fields, outcome) {
    const { updatedToolOutput, updatedMCPToolOutput } = fields;
    const value = updatedToolOutput === undefined ? updatedMCPToolOutput : updatedToolOutput;
    if (value !== undefined) outcome.updatedOutput = { value };
  },
  UserPromptSubmit(fields, outcome, report) {
    takeText(fields, 'sessionTitle', outcome, report);
    if (fields['suppressOriginalPrompt'] === true) outcome.hidesPrompt = true;
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
  const decision = decisionWords.get(wanted);
  if (decision !== undefined)
    Object.assign(outcome, decided(outcome, decision, outputText(fields, 'permissionDecisionReason', report)));
  else if (wanted !== undefined) report(`\`permissionDecision\` must be one of ${hookDecisions.join(', ')}.`);
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
