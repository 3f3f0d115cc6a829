// A ModelClient without a network: plays the scripts of the scripted Messages API, and refuses what that refuses.
import { ModelError, type ModelErrorKind } from '../../src/core/text/errors';
import { type ProviderId } from '../../src/core/wire/model-capabilities';
import { createKnownModels } from '../../src/core/model/known-models';
import { type ModelRequest, type StreamEvent } from '../../src/core/wire/wire';
import { type ModelClient } from '../../src/core/ports/model';
import { knownStreamEvent } from '../../src/providers/stream-event';
import { type HttpError, type Reply, type ScriptedReply } from './messages-api/script';
import { type SentReply } from './messages-api/sent-replies';
import { settled } from './messages-api/send-reply';
import { streamSteps, type StreamDefaults } from './messages-api/stream-events';
import { originOfReply } from './messages-api/thinking-binding';
import { tooLong } from './messages-api/too-long';
import { refuseBody } from './messages-api/validate-request';
import { type Violation } from './messages-api/violation';

export type ModelScript = readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply);

export interface ScriptedModel extends ModelClient {
  /** Every request, as it was when it was sent. */
  readonly requests: ModelRequest[];
  readonly violations: Violation[];
  /** What went out, for checks of later requests. */
  readonly sent: readonly SentReply[];
}

export interface ScriptedModelOptions {
  /** Whose API it stands for; default: one that little is known of. */
  provider?: ProviderId;
  /** Characters per delta; default 20. */
  deltaSize?: number;
  /** Put into generated ids. */
  idPrefix?: string;
  /** Thinking of replies that this model never sent passes: a session resumed against a new model. */
  acceptUnknownThinking?: boolean;
  /** The tokens of its window, four characters each: a request that does not fit is refused as the real API does. */
  window?: () => { tokens: number; countsOutput?: boolean };
}

const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'key' };

export function createScriptedModel(script: ModelScript, options: ScriptedModelOptions = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  const violations: Violation[] = [];
  const sent: SentReply[] = [];
  let accepted = 0;

  const fail = (violation: Violation): ModelError => {
    violations.push(violation);
    return failure('invalid_request', violation.message, false);
  };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    signal.throwIfAborted();
    const copy = structuredClone(request);
    requests.push(copy);
    // Betas travel as a header.
    const { betas = [], ...body } = copy;
    const refusal = refuseBody(
      body,
      betas.length === 0 ? headers : { ...headers, 'anthropic-beta': betas.join(',') },
      sent,
      { acceptUnknownThinking: options.acceptUnknownThinking },
      false,
    );
    const [violation] = refusal?.violations ?? [];
    if (violation !== undefined) throw fail(violation);
    const long = options.window === undefined ? undefined : tooLong(copy, options.window());
    if (long !== undefined) throw failure('too_large', long, false, { status: 400 });
    const index = accepted++;
    const reply = typeof script === 'function' ? script(copy, index) : script[index];
    if (reply === undefined)
      throw fail({ rule: 'script-exhausted', message: `There is no reply ${index + 1} in the script.` });
    if (reply.kind === 'hangup') throw failure('network', 'The connection was refused.', true);
    if (reply.kind === 'httpError') throw httpFailure(reply);
    const own: SentReply = { origin: originOfReply(copy), blocks: [] };
    sent.push(own);
    yield* play(reply, index, own, signal);
  }

  async function* play(reply: Reply, index: number, own: SentReply, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const prefix = `${options.idPrefix ?? ''}${String(index + 1).padStart(4, '0')}`;
    const defaults: StreamDefaults = {
      model: 'claude-opus-5',
      messageId: `msg_${prefix}`,
      toolUseId: (block) => `toolu_${prefix}_${block}`,
      deltaSize: options.deltaSize ?? 20,
    };
    await unlessAborted(settled(reply.delay), signal);
    let events = 0;
    for (const step of streamSteps(reply, defaults)) {
      if (step.kind === 'gate') {
        await unlessAborted(settled(step.until), signal);
        continue;
      }
      // Lets whatever the last event started run as far as it can, as a network would.
      await unlessAborted(Promise.resolve(), signal);
      if (step.finishes !== undefined) own.blocks.push(step.finishes);
      events++;
      const event = knownStreamEvent(JSON.parse(step.wire.slice(step.wire.indexOf('data: ') + 6)) as never);
      if (event !== undefined) yield event;
      signal.throwIfAborted();
      for (const fault of reply.faults) {
        if (fault.kind === 'dropBytes' || fault.afterEvents !== events) continue;
        if (fault.kind === 'drop')
          throw failure('dropped', 'The connection was lost in the middle of the reply.', true);
        if (fault.kind === 'error')
          throw httpFailure({ status: statusOf(fault.type), message: fault.message, headers: {} });
        await unlessAborted(settled(fault.until), signal);
      }
    }
  }

  return {
    provider: options.provider ?? 'gateway',
    capabilities: createKnownModels(options.provider ?? 'gateway').capabilities,
    requests,
    violations,
    sent,
    stream,
    countTokens: async () => 1,
    listModels: async () => [],
  };
}

async function unlessAborted(until: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([until, aborted]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}

function failure(
  kind: ModelErrorKind,
  message: string,
  retryable: boolean,
  more: { status?: number; retryAfterMs?: number } = {},
): ModelError {
  return new ModelError(message, { kind, ...more }, { retryable });
}

function httpFailure({
  status,
  message,
  headers: sentHeaders,
}: Pick<HttpError, 'status' | 'message' | 'headers'>): ModelError {
  const seconds = sentHeaders['retry-after'];
  const more = { status, ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1_000 }) };
  // A spend limit is a 429 without a time to come back.
  if (status === 429)
    return seconds === undefined
      ? failure('spend_limit', message, false, more)
      : failure('rate_limit', message, true, more);
  if (status === 529) return failure('overloaded', message, true, more);
  if (status >= 500) return failure('server', message, true, more);
  return failure(status === 401 ? 'authentication' : 'invalid_request', message, false, more);
}

function statusOf(type: string): number {
  return { overloaded_error: 529, rate_limit_error: 429, api_error: 500 }[type] ?? 400;
}
