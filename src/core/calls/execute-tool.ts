// One call from its name to its result: find, parse, validate, hooks, permission, call, map, store, hooks.
import { type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { judge } from '../permissions/decide';
import { deniedHosts, isRestrictedAddress } from '../permissions/rules/domain-rules';
import { type PermissionContext, type PermissionTarget } from '../permissions/rules/verdict';
import { type Ports } from '../ports/ports';
import { isAbort, messageOf } from '../text/errors';
import { hiddenNames, redactPart, redactText, type Secrets } from '../text/redact';
import { type AnyTool, type ToolContext, type ToolSession } from '../tool/tool';
import { type ToolRegistry } from '../tools/registry';
import { authoriseCall, type AuthoriseServices, deniedSince, type Grant } from './authorise-call';
import { type GuardCall } from './call-checkpoint';
import {
  askHooksAboutCommands,
  askHooksBefore,
  changedText,
  parseChangedInput,
  parseInput,
  unknownToolText,
} from './call-input';
import { finishCall, withTexts } from './finish-call';
import { hiddenText } from '../text/hidden-text';
import { judgedFiles, judgedNotebooks } from './judged-files';
import { ownSignal } from '../text/own-signal';
import { redactProgress, redactResult } from './redact-result';
import { isReadOnlyCall, type ResolvedTargets } from './resolve-targets';
import { StillRunning, withStopDeadline } from './stop-deadline';
import { type InTurn } from './streaming-tool-executor';
import {
  errorResult,
  type ExecutedCall,
  interruptedText,
  notRunResult,
  stillRunningText,
  type ToolCall,
  turnEndedText,
  useErrorResult,
} from './tool-call';
import { textOf } from './tool-result-storage';
import { type CallRequest } from './weigh-call';
import { said } from '../text/words';

export interface ExecutionServices extends AuthoriseServices {
  registry: ToolRegistry;
  ports: Ports;
  session: ToolSession;
  hooks: ToolHooks | undefined;
  /** Called once the call has passed every check, right before it runs; a lasting record comes first where it changes something. */
  started: (call: ToolCall, changesSomething: boolean) => Promise<void>;
  /** Of a call that asked ahead of its turn: resolves when that has come, with a reason if it never will. */
  inTurn?: InTurn | undefined;
  /** Keeps what the call may change, for a rewind; undefined if there are no checkpoints. */
  guard?: GuardCall | undefined;
}

/** Never rejects: whatever goes wrong becomes the call's result. */
export async function executeTool(call: ToolCall, shared: ExecutionServices, turn: AbortSignal): Promise<ExecutedCall> {
  const signal = ownSignal(turn);
  const services = { ...shared, questionSignal: ownSignal(shared.questionSignal) };
  const { clock } = services.ports;
  // From where the tool itself begins: how long the user looked at an approval is not its time.
  let began: number | undefined;
  const steps = pipeline(call, services, signal, (at) => (began = at));
  // All of it: a preview or a look at a dead disk may hang as well as the tool.
  const result = await withStopDeadline(steps, signal, clock).catch((error: unknown) =>
    unexpectedEnd(call, error, { begun: began !== undefined, services, signal }),
  );
  return {
    ...withHiddenNote(redactResult(result, secretsOf(services)), secretsOf(services)),
    durationMs: began === undefined ? 0 : clock.now() - began,
  };
}

/** Tells the model what stands for values in the result, and how the user changes that. */
function withHiddenNote(result: ExecutedCall, secrets: Secrets): ExecutedCall {
  const names = hiddenNames(textOf(result.block.content), secrets);
  return names.length === 0 ? result : withTexts(result, hiddenText(names));
}

interface EndedEarly {
  /** The tool itself had begun. */
  begun: boolean;
  services: ExecutionServices;
  signal: AbortSignal;
}

function unexpectedEnd(call: ToolCall, error: unknown, { begun, services, signal }: EndedEarly): ExecutedCall {
  const { log } = services.ports;
  const stillRuns = error instanceof StillRunning;
  if (stillRuns) log.warn(`${call.name} does not stop`);
  // One that asks the user is under way while it waits for them.
  const asks = services.registry.find(call.name)?.asksUser === true;
  if (signal.aborted && !begun && !stillRuns && !asks)
    return notRunResult(call, 'the user stopped the turn before it began.');
  if (signal.aborted) return errorResult(call, stillRuns ? stillRunningText : interruptedText, { state: 'stopped' });
  // Closed as a question: a fault in what the user had accepted is told as one.
  if (isAbort(error) && services.questionSignal.aborted && !begun) return notRunResult(call, turnEndedText);
  // Cancelled by something else than the user: a connection, a host that shuts down.
  if (isAbort(error)) return errorResult(call, `${call.name} was cancelled before it finished.`, { state: 'stopped' });
  log.error(`${call.name} failed unexpectedly`, error);
  return useErrorResult(call, `${call.name} failed unexpectedly: ${redactText(messageOf(error), secretsOf(services))}`);
}

type Refused = { refused: ExecutedCall };

async function pipeline(
  call: ToolCall,
  services: ExecutionServices,
  signal: AbortSignal,
  begins: (at: number) => void,
): Promise<ExecutedCall> {
  const request = await readRequest(call, services, signal);
  if ('refused' in request) return request.refused;
  const { additionalContext } = request.hook;
  let wasAsked = false;
  const asked = (of: ToolCall): void => ((wasAsked = true), services.asked?.(of));
  let authorised = await authorise(request, { ...services, asked });
  if (!('refused' in authorised) && services.inTurn !== undefined) {
    const never = await services.inTurn();
    if (never !== undefined) return notRunResult(call, never);
    // The mode or the rules may be others by now: what the user has allowed stays allowed, but for what is denied since.
    authorised = wasAsked ? await unlessDenied(authorised, services) : await authorise(request, services);
  }
  if ('refused' in authorised) return withTexts(authorised.refused, additionalContext);
  signal.throwIfAborted();
  const executed = await runCall(authorised.request, authorised.grant, services, begins);
  const { note, cwd, comment } = authorised.grant;
  const moved: ExecutedCall = note === undefined ? executed : { ...executed, change: executed.change ?? { cwd } };
  return withTexts(moved, note, comment === undefined ? undefined : `The user adds: ${comment}`, additionalContext);
}

/** Finds the tool, parses and validates the input, and asks the hooks. */
async function readRequest(
  call: ToolCall,
  services: ExecutionServices,
  signal: AbortSignal,
): Promise<CallRequest | Refused> {
  const refused = (message: string): Refused => ({ refused: useErrorResult(call, message) });
  const tool = services.registry.find(call.name);
  if (tool === undefined) return refused(unknownToolText(call.name, services));
  const parsed = parseInput(tool, call);
  if ('error' in parsed) return refused(parsed.error);

  const context = createContext(call, tool, services, signal);
  const valid = await tool.validateInput(parsed.input, context);
  if (!valid.ok) return refused(said(valid.message, services.session.offers));

  const hooked = await askHooksBefore(tool, call, parsed.input, services, signal);
  if ('error' in hooked) return refused(hooked.error);
  const again = hooked.input === parsed.input ? valid : await tool.validateInput(hooked.input, context);
  if (!again.ok) return refused(changedText(said(again.message, services.session.offers), 'hook'));
  const hook = await askHooksAboutCommands({ tool, call, ...hooked }, context, services.hooks);
  return { call, tool, input: hooked.input, hook, context };
}

function createContext(call: ToolCall, tool: AnyTool, services: ExecutionServices, signal: AbortSignal): ToolContext {
  return {
    toolUseId: call.id,
    signal,
    session: services.session,
    ports: services.ports,
    redacted: (text) => redactText(text, secretsOf(services)),
    redactedPart: (text) => redactPart(text, secretsOf(services)),
    mayReach: (url) => !isRestrictedAddress(tool.name, url, services.permission().rules),
    judgeAddress: (url) => judgeAddress(tool, url, services.permission()),
    deniedHosts: () => deniedHosts(tool.name, services.permission().rules),
    onProgress: (progress) =>
      services.emit({
        type: 'tool_progress',
        toolUseId: call.id,
        progress: redactProgress(progress, secretsOf(services)),
      }),
  };
}

function judgeAddress({ name, access }: AnyTool, url: string, permission: PermissionContext): 'allow' | 'ask' | 'deny' {
  return judge({ tool: name, access, readOnly: true, targets: [{ kind: 'url', url }] }, permission).behavior;
}

/** Whoever answers with another input is asked about that one where no rule lets it pass: this often at most. */
const maxChanges = 3;

/** With the request as it was granted: the input may have been changed on the way. */
interface Authorised {
  request: CallRequest;
  grant: Grant;
}

async function authorise(
  request: CallRequest,
  services: ExecutionServices,
  changes = 0,
): Promise<Authorised | Refused> {
  const { call, tool, hook, context } = request;
  const authorisation = await authoriseCall(request, services);
  if (authorisation.granted) return { request, grant: authorisation };
  if ('result' in authorisation) return { refused: authorisation.result };
  if (changes === maxChanges) {
    const message = 'Permission denied: the input was changed each time the user was asked about it.';
    return { refused: errorResult(call, message, { state: 'denied' }) };
  }
  // Another input was allowed: that one is judged again, and no hook is asked about it again.
  const { changedInput, by } = authorisation;
  const changed = parseChangedInput(tool, changedInput, by, services.ports.log);
  if ('error' in changed) return { refused: useErrorResult(call, changed.error) };
  const fits = await tool.validateInput(changed.input, context);
  if (!fits.ok) return { refused: useErrorResult(call, changedText(said(fits.message, services.session.offers), by)) };
  const answered = { ...hook, decision: 'allow', answered: true, byUser: by === 'user' } as const;
  return authorise({ ...request, input: changed.input, hook: answered }, services, changes + 1);
}

async function unlessDenied(authorised: Authorised, services: ExecutionServices): Promise<Authorised | Refused> {
  const denied = await deniedSince(authorised.request, authorised.grant, services);
  return denied === undefined ? authorised : { refused: denied };
}

async function runCall(
  { call, tool, input, context }: CallRequest,
  grant: Grant,
  services: ExecutionServices,
  begins: (at: number) => void,
): Promise<ExecutedCall> {
  const { clock } = services.ports;
  const { targets, cwd, proposal } = grant;
  const changed = await prepareChange(call, tool, input, grant, services);
  const startedAt = clock.now();
  if (!tool.asksUser) begins(startedAt);
  services.emit({ type: 'tool_state', toolUseId: call.id, state: 'running', startedAt });
  const judged = judgedContext(context, targets, cwd);
  const work = async (): Promise<Awaited<ReturnType<AnyTool['call']>>> =>
    tool.call(input, proposal === undefined ? judged : { ...judged, proposal });
  const result = await work().finally(changed);
  const hooked: HookedCall = {
    toolName: tool.name,
    toolUseId: call.id,
    input,
    durationMs: clock.now() - startedAt,
  };
  const executed = await finishCall({ call, tool, hooked }, result, services, context.signal);
  if ('failure' in result) return executed;
  const files = targets.flatMap((target) => (target.kind === 'file' ? [target.path] : []));
  return { ...executed, files, noOthers: files.length > 0 && files.length === targets.length };
}

/** Side by side: the log says that the call begins, and what it may change is kept. Resolves with what is to be called once it has ended. */
async function prepareChange(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  resolved: ResolvedTargets,
  services: ExecutionServices,
): Promise<(() => Promise<void>) | undefined> {
  const changes = !isReadOnlyCall(tool, input, resolved);
  const guarded = changes ? services.guard?.(call, tool, resolved.targets) : undefined;
  try {
    // What a tool asks has not begun before the user answers: after a reload it is asked again.
    if (tool.asksUser) services.asked?.(call);
    else await services.started(call, changes);
  } catch (error) {
    await (
      await guarded
    )?.();
    throw error;
  }
  return guarded;
}

/** The folder and the places of files as the call was judged: another call may end in another folder meanwhile. */
function judgedContext(context: ToolContext, targets: readonly PermissionTarget[], cwd: string): ToolContext {
  const { files, notebooks } = context.ports;
  return {
    ...context,
    session: { ...context.session, cwd },
    ports: {
      ...context.ports,
      files: judgedFiles(files, targets),
      ...(notebooks === undefined ? {} : { notebooks: judgedNotebooks(notebooks, targets) }),
    },
  };
}

function secretsOf({ secrets }: ExecutionServices): Secrets {
  return secrets?.() ?? [];
}
