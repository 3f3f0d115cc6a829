// From what a tool returned to the call's result: redacted, shown to the hooks, mapped, and stored where it is large.
import { defined } from '../../shared/defined';
import { type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { textOnlyError } from '../model/text-only-error';
import { type Ports } from '../ports/ports';
import { messageOf } from '../text/errors';
import { isSameJson } from '../text/same-json';
import { type KeptFile, type HookedResult } from '../tool/hook-output';
import { readReplacement, shownToHooks } from '../tool/hook-replacement';
import { neutralJoined, neutralValue } from '../text/system-reminder';
import { redactBlock, redactText, redactValue, type Secrets } from '../text/redact';
import { type AnyTool, isFailure, type ToolFailure, type ToolResult, type ToolSession } from '../tool/tool';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { type ExecutedCall, failureResult, plainError, type ToolCall, useErrorResult } from './tool-call';
import { storeLargeResult, textOf } from './tool-result-storage';
import { type Offers, said } from '../text/words';

export interface FinishServices {
  ports: Pick<Ports, 'files'>;
  session: Pick<ToolSession, 'resultsDirectory' | 'readState' | 'cwd' | 'offers'>;
  hooks: Pick<ToolHooks, 'after' | 'failed' | 'unusable'> | undefined;
  secrets?: (() => Secrets) | undefined;
}

/** A call that has run. */
export interface RanCall {
  call: ToolCall;
  tool: AnyTool;
  hooked: HookedCall;
}

export async function finishCall(
  ran: RanCall,
  result: ToolResult<unknown> | ToolFailure,
  services: FinishServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const secrets = services.secrets?.() ?? [];
  if (isFailure(result)) {
    // Before its message is cut.
    const failure = {
      ...result.failure,
      message: redactText(said(result.failure.message, services.session.offers), secrets),
    };
    return withFailedHooks(failureResult(ran.call, { failure }, services.session.offers), ran, services, signal);
  }
  const change = defined({ change: result.contextModifier });
  const judged = await judgeOutput(ran, result, services, signal);
  if ('withheld' in judged) return withTexts({ ...judged.withheld, ...change }, judged.context);
  const { mapped, newMessages = [] } = judged;
  const options = {
    maxChars: ran.tool.maxResultSizeChars,
    directory: services.session.resultsDirectory,
    files: services.ports.files,
  };
  const failed = mapped.block.is_error === true;
  const executed: ExecutedCall = {
    // Only now: a file would keep what a hook has taken out.
    block: await storeLargeResult(mapped.block, options),
    structured: mapped.output,
    state: !failed ? 'done' : signal.aborted ? 'stopped' : 'failed',
    newMessages,
    ...change,
    endsTurn: false,
    durationMs: 0,
  };
  return failed ? withFailedHooks(executed, ran, services, signal) : withTexts(executed, judged.context);
}

interface Mapped {
  output: unknown;
  block: ToolResultBlock;
}

type Judged = { context?: string | undefined } & (
  { mapped: Mapped; newMessages?: UserBlock[] | undefined } | { withheld: ExecutedCall }
);

/** A hook may replace an output that is not an error; what it gives is mapped anew, and what cannot be used withholds the output. */
async function judgeOutput(
  ran: RanCall,
  result: HookedResult<unknown>,
  services: FinishServices,
  signal: AbortSignal,
): Promise<Judged> {
  const { tool, hooked } = ran;
  const { hooks, secrets } = services;
  const mapped = mapOutput(ran, result.data, services);
  const own = { ...result, data: mapped.output };
  if (hooks === undefined || mapped.block.is_error === true) return { mapped, newMessages: result.newMessages };
  let shown: { value: unknown } | undefined;
  const show = (): unknown =>
    (shown ??= { value: redactValue(shownToHooks(tool, own, hooked), secrets?.() ?? []) }).value;
  const outcome = await hooks.after(hooked, show, signal);
  const context = outcome.additionalContext;
  const withheld = async (reason: string): Promise<Judged> => ({
    withheld: await withhold(ran, own, reason, services),
    context,
  });
  if (outcome.withheld !== undefined) return withheld(outcome.withheld);
  // A hook that returns what it was shown changes nothing.
  if (!('updatedToolOutput' in outcome) || isSameJson(outcome.updatedToolOutput, show()))
    return { mapped, newMessages: result.newMessages, context };
  const replaced = readReplacement(tool, outcome.updatedToolOutput, own, show());
  const problem =
    'unusable' in replaced ? replaced.unusable : await rewriteFiles(tool, own.data, replaced.result.data, services);
  if ('unusable' in replaced || problem !== undefined) {
    await hooks.unusable?.(hooked, problem ?? '');
    return withheld(`A PostToolUse hook replaced it with something that cannot be used. ${problem}`);
  }
  return {
    mapped: mapOutput(ran, replaced.result.data, services),
    newMessages: replaced.result.newMessages,
    context,
  };
}

/** All that the tool returned is data; the tags that its mapping adds are Deft's own. What it joined may form one too, in another spelling. */
function neutralResult(tool: AnyTool, output: unknown, callId: string, offers?: Offers): ToolResultBlock {
  const block = tool.mapToolResultToToolResultBlockParam(neutralValue(output), callId, offers);
  const { content } = block;
  if (typeof content === 'string') return { ...block, content: neutralJoined(content) };
  return {
    ...block,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: neutralJoined(part.text) } : part)),
  };
}

function mapOutput({ call, tool }: RanCall, data: unknown, { secrets, session }: FinishServices): Mapped {
  // Each time anew: a secret may become known while a hook runs.
  const known = secrets?.() ?? [];
  // Before it is mapped, stored and cut: half a secret would not be recognised.
  const output = redactValue(data, known);
  return {
    output,
    block: redactBlock(textOnlyError(neutralResult(tool, output, call.id, session.offers)), known),
  };
}

/** The call has run, and nobody knows what a hook meant to take out of its output: all of it goes. */
async function withhold(
  { call, tool, hooked }: RanCall,
  own: HookedResult<unknown>,
  reason: string,
  services: FinishServices,
): Promise<ExecutedCall> {
  const { readState, cwd } = services.session;
  for (const target of tool.targets(hooked.input, cwd)) if (target.kind === 'file') readState.forget(target.path);
  const left = await rewriteFiles(tool, own.data, undefined, services);
  if (left !== undefined) await services.hooks?.unusable?.(hooked, left);
  return useErrorResult(
    call,
    `${tool.name} has run, but its output is withheld. ${reason} What the call did stays done: do not repeat it to see the output. Tell the user about the hook.`,
  );
}

/** The files beside a result hold what the result does; undefined where that went well. */
async function rewriteFiles(
  { hookOutput }: AnyTool,
  before: unknown,
  now: unknown,
  { ports, secrets }: FinishServices,
): Promise<string | undefined> {
  const files: KeptFile[] = hookOutput?.files?.(before, now) ?? [];
  for (const { path, text } of files) {
    try {
      await ports.files.writeOwnFile(path, redactText(text, secrets?.() ?? []));
    } catch (error) {
      return `${path} still has the original output: ${messageOf(error)}`;
    }
  }
  return undefined;
}

async function withFailedHooks(
  executed: ExecutedCall,
  { hooked }: RanCall,
  { hooks }: FinishServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  return withTexts(executed, await hooks?.failed(hooked, plainError(textOf(executed.block.content)), signal));
}

/** Texts for the model that follow all results of the message. */
export function withTexts(result: ExecutedCall, ...texts: (string | undefined)[]): ExecutedCall {
  const blocks = texts.flatMap((text): UserBlock[] =>
    text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }],
  );
  return { ...result, newMessages: [...result.newMessages, ...blocks] };
}
