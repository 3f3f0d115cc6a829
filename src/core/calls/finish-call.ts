// From what a tool returned to the call's result: redacted, mapped, stored where it is large, and shown to the hooks.
import { defined } from '../../shared/defined';
import { type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { textOnlyError } from '../model/text-only-error';
import { type Ports } from '../ports/ports';
import { neutralJoined, neutralValue } from '../text/system-reminder';
import { redactBlock, redactText, redactValue, type Secrets } from '../text/redact';
import { type AnyTool, isFailure, type ToolFailure, type ToolResult, type ToolSession } from '../tool/tool';
import { type ToolResultBlock, type UserBlock } from '../wire/wire';
import { type ExecutedCall, failureResult, type ToolCall } from './tool-call';
import { storeLargeResult, textOf } from './tool-result-storage';

export interface FinishServices {
  ports: Pick<Ports, 'files'>;
  session: Pick<ToolSession, 'resultsDirectory'>;
  hooks: Pick<ToolHooks, 'after' | 'failed'> | undefined;
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
    const failure = { ...result.failure, message: redactText(result.failure.message, secrets) };
    return withFailedHooks(failureResult(ran.call, { failure }), ran, services, signal);
  }
  const mapped = await mapAndStore(ran, result.data, services, signal);
  const failed = mapped.block.is_error === true;
  const executed: ExecutedCall = {
    block: mapped.block,
    structured: mapped.output,
    state: !failed ? 'done' : signal.aborted ? 'stopped' : 'failed',
    newMessages: result.newMessages ?? [],
    ...defined({ change: result.contextModifier }),
    endsTurn: false,
    durationMs: 0,
  };
  return failed ? withFailedHooks(executed, ran, services, signal) : withTexts(executed, mapped.context);
}

/** A hook may replace an output that is not an error; then that one is mapped and stored again. */
async function mapAndStore(
  { call, tool, hooked }: RanCall,
  data: unknown,
  { ports, session, hooks, secrets }: FinishServices,
  signal: AbortSignal,
): Promise<{ output: unknown; block: ToolResultBlock; context?: string | undefined }> {
  const store = async (value: unknown): Promise<{ output: unknown; block: ToolResultBlock }> => {
    // Each time anew: a secret may become known while a hook runs.
    const known = secrets?.() ?? [];
    // Before it is mapped, stored and cut: half a secret would not be recognised.
    const output = redactValue(value, known);
    const block = redactBlock(textOnlyError(neutralResult(tool, output, call.id)), known);
    const options = { maxChars: tool.maxResultSizeChars, directory: session.resultsDirectory, files: ports.files };
    return { output, block: await storeLargeResult(block, options) };
  };
  const stored = await store(data);
  if (hooks === undefined || stored.block.is_error === true) return stored;
  const { additionalContext: context, updatedToolOutput } = await hooks.after(hooked, stored.output, signal);
  const replaces = updatedToolOutput !== undefined && fits(tool, updatedToolOutput);
  return { ...(replaces ? await store(updatedToolOutput) : stored), context };
}

/** All that the tool returned is data; the tags that its mapping adds are Deft's own. What it joined may form one too, in another spelling. */
function neutralResult(tool: AnyTool, output: unknown, callId: string): ToolResultBlock {
  const block = tool.mapToolResultToToolResultBlockParam(neutralValue(output), callId);
  const { content } = block;
  if (typeof content === 'string') return { ...block, content: neutralJoined(content) };
  return {
    ...block,
    content: content.map((part) => (part.type === 'text' ? { ...part, text: neutralJoined(part.text) } : part)),
  };
}

function fits(tool: AnyTool, output: unknown): boolean {
  return tool.outputSchema?.safeParse(output).success ?? true;
}

async function withFailedHooks(
  executed: ExecutedCall,
  { hooked }: RanCall,
  { hooks }: FinishServices,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  return withTexts(executed, await hooks?.failed(hooked, textOf(executed.block.content), signal));
}

/** Texts for the model that follow all results of the message. */
export function withTexts(result: ExecutedCall, ...texts: (string | undefined)[]): ExecutedCall {
  const blocks = texts.flatMap((text): UserBlock[] =>
    text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }],
  );
  return { ...result, newMessages: [...result.newMessages, ...blocks] };
}
