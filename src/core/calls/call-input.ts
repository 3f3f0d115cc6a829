// From a call's block to the input that is judged: parsed, changed by hooks or the user, and what one that does not fit is answered with.
import { type ZodError, type ZodIssue } from 'zod/v3';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type BeforeToolOutcome, type ToolHooks } from '../hooks/tool-hooks';
import { type Log } from '../ports/log';
import { parseRepairedInput } from '../tool/input-repair';
import { parseKnownFields } from '../tool/known-fields';
import { type AnyTool, type ToolContext, type ToolSession } from '../tool/tool';
import { jsonSchemaOf } from '../tool/tool-schema';
import { nearNames } from '../text/near-names';
import { absentTool } from '../tools/absent-tool';
import { usefulTools } from '../tools/tool-offer';
import { type ToolRegistry } from '../tools/registry';
import { type Ports } from '../ports/ports';
import { type ToolCall } from './tool-call';

export type CallInput = { input: unknown } | { error: string };

/** Only what the model is offered is named. */
export function unknownToolText(
  name: string,
  { registry, ports, session }: { registry: ToolRegistry; ports: Ports; session: ToolSession },
): string {
  const absent = absentTool(name, ports);
  if (absent !== undefined) return `Error: No such tool available: ${name}. ${absent}`;
  const toLoad = new Set(session.deferredTools?.().map((tool) => tool.name));
  const deferred = (tool: AnyTool): boolean => toLoad.has(tool.name);
  const offered = usefulTools(registry.all(), ports.mcp, deferred);
  const near = registry.near(name).filter((each) => offered.some((tool) => tool.name === each));
  const search = offered.some(deferred) ? ' Use the tool search to find tools that are not loaded yet.' : '';
  const named = offered.filter((tool) => !deferred(tool)).map((tool) => tool.name);
  const hint = `${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` Available tools: ${named.join(', ')}.`}${search}`;
  return `Error: No such tool available: ${name}.${hint}`;
}

export function parseInput(tool: AnyTool, call: ToolCall): CallInput {
  if (call.inputError !== undefined)
    return { error: `InputValidationError: ${tool.name}: ${call.inputError}. Send the call again.` };
  const parsed = parseRepairedInput(tool, call.input);
  return parsed.success ? { input: parsed.data } : { error: inputErrorText(tool, parsed.error) };
}

/** The input as the hooks that run before a call leave it, and what they say about the call. */
export async function askHooksBefore(
  tool: AnyTool,
  call: ToolCall,
  input: unknown,
  { hooks, ports }: { hooks: Pick<ToolHooks, 'before'> | undefined; ports: { log: Log } },
  signal: AbortSignal,
): Promise<{ input: unknown; hook: BeforeToolOutcome } | { error: string }> {
  if (hooks === undefined) return { input, hook: {} };
  const hook = await hooks.before({ toolName: tool.name, toolUseId: call.id, input }, signal);
  if (hook.updatedInput === undefined) return { input, hook };
  const changed = parseChangedInput(tool, hook.updatedInput, 'hook', ports.log);
  return 'error' in changed ? changed : { ...changed, hook };
}

/**
 * Hooks that guard Bash guard the commands that other tools run for bash, too: each is asked about as a call of Bash. They
 * can only hold the call up, since they have not been asked about the tool itself.
 */
export async function askHooksAboutCommands(
  { tool, call, input, hook }: { tool: AnyTool; call: ToolCall; input: unknown; hook: BeforeToolOutcome },
  context: ToolContext,
  hooks: Pick<ToolHooks, 'before'> | undefined,
): Promise<BeforeToolOutcome> {
  if (hooks === undefined || tool.furtherCommands === undefined || hook.decision === 'deny') return hook;
  let joined = hook;
  for (const command of await tool.furtherCommands(input, context)) {
    const asked = { toolName: 'Bash', toolUseId: call.id, input: { command } };
    const about = heldUp(tool.name, command, await hooks.before(asked, context.signal));
    const texts = [joined.additionalContext, about.additionalContext].filter((text) => text !== undefined);
    const isStricter = about.decision === 'deny' || (about.decision === 'ask' && joined.decision !== 'ask');
    joined = {
      ...joined,
      ...(isStricter ? defined({ decision: about.decision, reason: about.reason }) : {}),
      ...(texts.length === 0 ? {} : { additionalContext: texts.join('\n') }),
    };
    if (joined.decision === 'deny') return joined;
  }
  return joined;
}

/** Another command than the one that was asked about cannot run in its place. */
function heldUp(tool: string, command: string, { updatedInput, ...outcome }: BeforeToolOutcome): BeforeToolOutcome {
  if (outcome.decision === 'deny' || updatedInput === undefined) return outcome;
  if (isObject(updatedInput) && updatedInput['command'] === command) return outcome;
  return {
    ...outcome,
    decision: 'deny',
    reason: `a hook changes the command \`${command}\`, which ${tool} cannot run in another form.`,
  };
}

/** Who changed the input. `user`: also the program that decides in a user's place. */
export type ChangedBy = 'hook' | 'user';

const changedBy: Readonly<Record<ChangedBy, string>> = {
  hook: 'A hook',
  user: 'The answer to the permission question',
};

/** Whoever changed the input added a field unknown to the tool: the model could never fix that, so the call continues without it. */
export function parseChangedInput(tool: AnyTool, input: unknown, by: ChangedBy, log: Log): CallInput {
  const known = parseKnownFields(tool, input);
  if (!known.ok) return { error: changedText(inputErrorText(tool, known.error), by) };
  if (known.dropped.length > 0)
    log.warn(`${changedBy[by]} gave ${tool.name} unknown input, which was ignored: ${known.dropped.join(', ')}`);
  return { input: known.input };
}

export function changedText(message: string, by: ChangedBy): string {
  return `${changedBy[by]} made the input invalid. ${message}`;
}

export function inputErrorText(tool: AnyTool, error: ZodError): string {
  return `InputValidationError: ${tool.name} was called with invalid input:\n${error.issues.map((issue) => issueLine(tool, issue)).join('\n')}`;
}

function issueLine(tool: AnyTool, issue: ZodIssue): string {
  const field = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys')
    return `- ${field === '' ? 'the input' : `\`${field}\``}: ${issue.message}${shapeOf(tool, issue)}`;
  const known = knownFields(tool, issue.path);
  const keys = issue.keys.map((key) => {
    // A flag is one letter, as near to every other.
    const [near] = key.startsWith('-') ? [] : nearNames(key, known);
    return near === undefined ? `\`${key}\`` : `\`${key}\` (did you mean \`${near}\`?)`;
  });
  const place = field === '' ? '' : ` in \`${field}\``;
  const all =
    known.length === 0
      ? '; it takes no parameters'
      : `; valid parameters are ${known.map((name) => `\`${name}\``).join(', ')}`;
  return `- unknown parameter ${keys.join(', ')}${place}${all}`;
}

/** What an object has, where something else stands in its place. */
function shapeOf(tool: AnyTool, issue: ZodIssue): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'object') return '';
  const known = knownFields(tool, issue.path);
  return known.length === 0 ? '' : `; its fields are ${known.map((name) => `\`${name}\``).join(', ')}`;
}

/** The names that the model was shown there. */
function knownFields(tool: AnyTool, path: readonly (string | number)[]): string[] {
  let schema: unknown = tool.inputJSONSchema ?? jsonSchemaOf(tool.inputSchema);
  for (const step of path)
    schema = typeof step === 'number' ? fieldOf(schema, 'items') : fieldOf(fieldOf(schema, 'properties'), step);
  const properties = fieldOf(schema, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
