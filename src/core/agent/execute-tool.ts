// One call from its name to its result: find, parse, validate, hooks, permission, call, map, store, hooks.
import { isAbort, messageOf } from '../text/errors';
import { type BeforeToolOutcome, type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { textOnlyError } from '../model/text-only-error';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { isRestrictedAddress } from '../permissions/rules/domain-rules';
import { type PermissionTarget } from '../permissions/rules/verdict';
import { type Ports } from '../ports';
import { parseKnownFields } from '../tool/known-fields';
import { parseMeantInput } from '../tool/input-repair';
import { type ToolRegistry } from '../tools/registry';
import {
  type AnyTool,
  type ToolContext,
  type ToolFailure,
  type ToolResult,
  type ToolSession,
  isFailure,
} from '../tool/tool';
import { authoriseCall, type Authorisation, type AuthoriseServices } from './authorise-call';
import {
  errorResult,
  type ExecutedCall,
  failureResult,
  interruptedText,
  stillRunningText,
  type ToolCall,
  useErrorResult,
} from '../calls/tool-call';
import { type GuardCall } from '../calls/call-checkpoint';
import { inputErrorText } from './input-error';
import { judgedFiles, judgedNotebooks } from '../calls/judged-files';
import { redactBlock, redactProgress, redactResult, redactText, redactValue } from '../text/redact';
import { StillRunning, withStopDeadline } from '../calls/stop-deadline';
import { storeLargeResult, textOf } from '../calls/tool-result-storage';

export interface ExecutionServices extends AuthoriseServices {
  registry: ToolRegistry;
  ports: Ports;
  session: ToolSession;
  hooks: ToolHooks | undefined;
  /** Called once the call has passed every check, right before it runs; a lasting record comes first where it changes something. */
  started: (call: ToolCall, changesSomething: boolean) => Promise<void>;
  /** Keeps what the call may change, for a rewind; undefined where there are no checkpoints. */
  guard?: GuardCall | undefined;
}

/** Never rejects: whatever goes wrong becomes the call's result. */
export async function executeTool(
  call: ToolCall,
  services: ExecutionServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  // From where the tool itself begins: how long the person looked at an approval is not its time.
  let began: number | undefined;
  const finish = (result: ExecutedCall): ExecutedCall => ({
    ...redactResult(result, secretsOf(services)),
    durationMs: began === undefined ? 0 : services.ports.clock.now() - began,
  });
  try {
    // All of it: a preview or a look at a dead disk may hang as well as the tool.
    return finish(
      await withStopDeadline(
        pipeline(call, services, signal, (at) => (began = at)),
        signal,
        services.ports.clock,
      ),
    );
  } catch (error) {
    if (error instanceof StillRunning) services.ports.log.warn(`${call.name} does not stop`);
    if (signal.aborted)
      return finish(
        errorResult(call, error instanceof StillRunning ? stillRunningText : interruptedText, { state: 'stopped' }),
      );
    // Cancelled by something else than the person: a connection, a host that shuts down.
    if (isAbort(error))
      return finish(errorResult(call, `${call.name} was cancelled before it ended.`, { state: 'stopped' }));
    services.ports.log.error(`${call.name} failed unexpectedly`, error);
    return finish(
      errorResult(call, `${call.name} failed unexpectedly: ${redactText(messageOf(error), secretsOf(services))}`),
    );
  }
}

async function pipeline(
  call: ToolCall,
  services: ExecutionServices,
  signal: AbortSignal,
  begins: (at: number) => void,
): Promise<ExecutedCall> {
  const tool = services.registry.find(call.name);
  if (tool === undefined) return useErrorResult(call, unknownToolText(call.name, services.registry));
  const parsed = parseInput(tool, call);
  if ('error' in parsed) return useErrorResult(call, parsed.error);

  const context = createContext(call, tool, services, signal);
  const valid = await tool.validateInput(parsed.input, context);
  if (!valid.ok) return useErrorResult(call, valid.message);

  const hooked = await runBeforeHooks(tool, call, parsed.input, services, signal);
  if ('error' in hooked) return useErrorResult(call, hooked.error);
  const again = hooked.input === parsed.input ? valid : await tool.validateInput(hooked.input, context);
  if (!again.ok) return useErrorResult(call, changedText(again.message));
  const authorised = await authorise(call, tool, hooked, context, services);
  if ('refused' in authorised) return withContext(authorised.refused, hooked.outcome.additionalContext);

  const { input } = authorised;
  signal.throwIfAborted();
  const changed = await prepareChange(call, tool, input, authorised.targets, services);
  const startedAt = services.ports.clock.now();
  if (!tool.asksPerson) begins(startedAt);
  services.emit({ type: 'tool_state', toolUseId: call.id, state: 'running', startedAt });
  const { proposal, comment, targets, cwd, note } = authorised;
  const { files, notebooks } = context.ports;
  const judged: ToolContext = {
    ...context,
    // Another call may end in another folder meanwhile.
    session: { ...context.session, cwd },
    ports: {
      ...context.ports,
      files: judgedFiles(files, targets),
      ...(notebooks === undefined ? {} : { notebooks: judgedNotebooks(notebooks, targets) }),
    },
  };
  const result = await Promise.resolve(
    tool.call(input, proposal === undefined ? judged : { ...judged, proposal }),
  ).finally(changed);
  const ran: HookedCall = {
    toolName: tool.name,
    toolUseId: call.id,
    input,
    durationMs: services.ports.clock.now() - startedAt,
  };
  const executed = isFailure(result)
    ? await withFailedHooks(failureResult(call, redactedFailure(result, services)), ran, services, signal)
    : {
        ...(await mapAndStore(call, tool, ran, result, services, signal)),
        files: targets.flatMap((target) => (target.kind === 'file' ? [target.path] : [])),
      };
  const moved = note === undefined ? executed : withContext({ ...executed, change: executed.change ?? { cwd } }, note);
  return withContext(
    withContext(moved, comment === undefined ? undefined : `The person adds: ${comment}`),
    hooked.outcome.additionalContext,
  );
}

/** Side by side: the log says that the call begins, and what it may change is kept. Resolves with what is to be called once it has ended. */
async function prepareChange(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  targets: readonly PermissionTarget[],
  services: ExecutionServices,
): Promise<(() => Promise<void>) | undefined> {
  const changes = !tool.isReadOnly(input);
  const guarded = changes ? services.guard?.(call, tool, targets) : undefined;
  try {
    if (!tool.asksPerson) await services.started(call, changes);
  } catch (error) {
    await (
      await guarded
    )?.();
    throw error;
  }
  return guarded;
}

type Granted = Extract<Authorisation, { granted: true }> & { input: unknown };

/** Whoever answers with another input is asked about that one where no rule lets it pass: this often at most. */
const maxChanges = 3;

async function authorise(
  call: ToolCall,
  tool: AnyTool,
  { input, outcome }: { input: unknown; outcome: BeforeToolOutcome },
  context: ToolContext,
  services: ExecutionServices,
  changes = 0,
): Promise<Granted | { refused: ExecutedCall }> {
  const authorisation = await authoriseCall(call, tool, input, outcome, context, services);
  if (authorisation.granted) return { ...authorisation, input };
  if ('result' in authorisation) return { refused: authorisation.result };
  if (changes === maxChanges)
    return {
      refused: errorResult(call, 'Permission denied: the input was changed each time that it was asked about.', {
        state: 'denied',
      }),
    };
  // Another input was allowed: that one is judged anew, and no hook is asked about it again.
  const changed = hookedInput(tool, authorisation.changedInput, services, authorisation.by);
  if ('error' in changed) return { refused: useErrorResult(call, changed.error) };
  const fits = await tool.validateInput(changed.input, context);
  if (!fits.ok) return { refused: useErrorResult(call, changedText(fits.message, authorisation.by)) };
  return authorise(
    call,
    tool,
    {
      input: changed.input,
      outcome: { ...outcome, decision: 'allow', answered: true, byPerson: authorisation.by === 'person' },
    },
    context,
    services,
    changes + 1,
  );
}

function parseInput(tool: AnyTool, call: ToolCall): { input: unknown } | { error: string } {
  if (call.inputError !== undefined)
    return { error: `InputValidationError: ${tool.name}: ${call.inputError}. Send the call again.` };
  const parsed = parseMeantInput(tool, call.input);
  return parsed.success ? { input: parsed.data } : { error: inputErrorText(tool, parsed.error) };
}

function unknownToolText(name: string, registry: ToolRegistry): string {
  const near = registry.near(name);
  const all = registry.all();
  const search = all.some((tool) => tool.deferred === true)
    ? ' The tool search finds tools that are not loaded yet.'
    : '';
  const named = all.filter((tool) => tool.deferred !== true).map((tool) => tool.name);
  const hint = `${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` Available tools: ${named.join(', ')}.`}${search}`;
  return `Error: No such tool available: ${name}.${hint}`;
}

function createContext(call: ToolCall, tool: AnyTool, services: ExecutionServices, signal: AbortSignal): ToolContext {
  return {
    toolUseId: call.id,
    signal,
    session: services.session,
    ports: services.ports,
    redacted: (text) => redactText(text, secretsOf(services)),
    mayReach: (url) => !isRestrictedAddress(tool.name, url, services.permission().rules),
    onProgress: (progress) =>
      services.emit({
        type: 'tool_progress',
        toolUseId: call.id,
        progress: redactProgress(progress, secretsOf(services)),
      }),
  };
}

async function runBeforeHooks(
  tool: AnyTool,
  call: ToolCall,
  input: unknown,
  services: ExecutionServices,
  signal: AbortSignal,
): Promise<{ input: unknown; outcome: BeforeToolOutcome } | { error: string }> {
  if (services.hooks === undefined) return { input, outcome: {} };
  const outcome = await services.hooks.before({ toolName: tool.name, toolUseId: call.id, input }, signal);
  if (outcome.updatedInput === undefined) return { input, outcome };
  const changed = hookedInput(tool, outcome.updatedInput, services);
  return 'error' in changed ? changed : { ...changed, outcome };
}

/** A field that the tool does not know is the doing of whoever changed the input: the model could not mend it at any try, so the call goes on without it. */
function hookedInput(
  tool: AnyTool,
  input: unknown,
  { ports }: ExecutionServices,
  by: 'hook' | 'person' = 'hook',
): { input: unknown } | { error: string } {
  const known = parseKnownFields(tool, input);
  if (!known.ok) return { error: changedText(inputErrorText(tool, known.error), by) };
  if (known.dropped.length > 0)
    ports.log.warn(
      `${changedBy[by]} gave ${tool.name} input that it does not know, which was left out: ${known.dropped.join(', ')}`,
    );
  return { input: known.input };
}

async function mapAndStore(
  call: ToolCall,
  tool: AnyTool,
  ran: HookedCall,
  result: ToolResult<unknown>,
  services: ExecutionServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const store = async (output: unknown): Promise<ToolResultBlock> =>
    storeLargeResult(
      redactBlock(textOnlyError(tool.mapToolResultToToolResultBlockParam(output, call.id)), secretsOf(services)),
      {
        maxChars: tool.maxResultSizeChars,
        directory: services.session.resultsDirectory,
        files: services.ports.files,
      },
    );
  // Before it is mapped, stored and cut: half a secret would not be recognised.
  let output = redactValue(result.data, secretsOf(services));
  let block = await store(output);
  let context: string | undefined;
  if (services.hooks !== undefined && block.is_error !== true) {
    const after = await services.hooks.after(ran, output, signal);
    context = after.additionalContext;
    if (after.updatedToolOutput !== undefined && fits(tool, after.updatedToolOutput)) {
      output = redactValue(after.updatedToolOutput, secretsOf(services));
      block = await store(output);
    }
  }
  const executed: ExecutedCall = {
    block,
    structured: output,
    state: block.is_error !== true ? 'done' : signal.aborted ? 'stopped' : 'failed',
    newMessages: result.newMessages ?? [],
    ...(result.contextModifier === undefined ? {} : { change: result.contextModifier }),
    endsTurn: false,
    durationMs: 0,
  };
  return block.is_error === true ? withFailedHooks(executed, ran, services, signal) : withContext(executed, context);
}

async function withFailedHooks(
  executed: ExecutedCall,
  ran: HookedCall,
  { hooks }: ExecutionServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  return hooks === undefined
    ? executed
    : withContext(executed, await hooks.failed(ran, textOf(executed.block.content), signal));
}

/** `person`: also the program that decides in a person's place. */
const changedBy = { hook: 'A hook', person: 'Whoever allowed the call' } as const;

function changedText(message: string, by: 'hook' | 'person' = 'hook'): string {
  return `${changedBy[by]} changed the input into something invalid. ${message}`;
}

function secretsOf({ secrets }: ExecutionServices): readonly string[] {
  return secrets?.() ?? [];
}

/** Before its message is cut. */
function redactedFailure({ failure }: ToolFailure, services: ExecutionServices): ToolFailure {
  return { failure: { ...failure, message: redactText(failure.message, secretsOf(services)) } };
}

function fits(tool: AnyTool, output: unknown): boolean {
  return tool.outputSchema?.safeParse(output).success ?? true;
}

/** Text for the model that stands behind all results of the message. */
function withContext(result: ExecutedCall, text: string | undefined): ExecutedCall {
  if (text === undefined || text.trim() === '') return result;
  const block: UserBlock = { type: 'text', text };
  return { ...result, newMessages: [...result.newMessages, block] };
}
