// A ModelClient on the models that VS Code offers: no key, no retries; VS Code asks the user before the first request.
import { isAbort, ModelError } from '../../core/text/errors';
import { fitRequest } from '../../core/model/fit-request';
import { createKnownModels } from '../../core/model/known-models';
import { smallModel } from '../../core/model/models';
import { usualVscodeModel } from '../../core/model/vscode-models';
import { type ModelRequest, type StreamEvent } from '../../core/wire/wire';
import { type ModelInfo } from '../../core/ports/model';
import { startRealTimer, type StallWatch, type StartTimer, watchStall } from '../../providers/stall-watch';
import { answerEvents, charactersPerToken } from './chat-answer';
import { type ChatMessage, chatMessages, type ChatTool, chatTools, lengthOf } from './chat-messages';
import { noChatModel, noSuchChatModel, stalledChatModel, toChatModelError } from './chat-model-errors';
import { deftId, namedChatModel, usualChatModel } from './choose-chat-model';
import { type HostChatModel, type HostChatModels, type LanguageModelClient } from './language-models';
import { type ModelCapabilities } from '../../core/wire/model-capabilities';

/** Models send nothing while they think, and there is no ping that shows that they still work. */
const stallMs = 600_000;

export function createLanguageModelClient(
  host: HostChatModels,
  startTimer: StartTimer = startRealTimer,
): LanguageModelClient {
  return new ChatModelClient(host, startTimer);
}

class ChatModelClient implements LanguageModelClient {
  readonly #host: HostChatModels;
  readonly #startTimer: StartTimer;
  readonly #known = createKnownModels('vscode');
  /** Names that the usual model may answer for: whoever asked was informed. Small jobs ask for theirs without the user. */
  readonly #answeredByUsual = new Set([usualVscodeModel, smallModel]);
  #listing: Promise<HostChatModel[]> | undefined;
  readonly provider = 'vscode';

  constructor(host: HostChatModels, startTimer: StartTimer) {
    this.#host = host;
    this.#startTimer = startTimer;
  }

  capabilities(model: string): ModelCapabilities {
    return this.#known.capabilities(model);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    const stalled = new AbortController();
    const started = await this.#call(request.model, signal, async (model) => {
      const { messages, tools } = this.#translated(request, model);
      const choice = request.tool_choice?.type;
      const parts = await model.send(
        messages,
        tools,
        choice === 'any' || choice === 'tool' ? 'required' : 'auto',
        AbortSignal.any([signal, stalled.signal]),
      );
      return { model, parts, characters: lengthOf(messages, tools), calls: choice !== 'none' };
    });
    const { model, parts, characters, calls } = started;
    const facts = {
      id: `lm_${crypto.randomUUID()}`,
      model: deftId(model),
      inputTokens: Math.ceil(characters / charactersPerToken),
      calls,
    };
    // From here on: before, VS Code may have asked the user.
    const watch = watchStall({ stallMs, quietMs: stallMs, startTimer: this.#startTimer }, (after) =>
      stalled.abort(stalledChatModel(model.name, after)),
    );
    try {
      yield* answerEvents(stoppable(parts, signal, stalled.signal, watch), facts);
    } catch (error) {
      throw signal.aborted ? abortReason(signal) : toChatModelError(error, model.name);
    } finally {
      watch.stop();
    }
  }

  countTokens(request: ModelRequest, signal: AbortSignal): Promise<number> {
    return this.#call(request.model, signal, async (model) => {
      const { messages, tools } = this.#translated(request, model);
      const counted = await Promise.all(
        [...messages, ...tools.map((tool) => JSON.stringify(tool))].map((one) => model.count(one, signal)),
      );
      return counted.reduce((sum, tokens) => sum + tokens, 0);
    });
  }

  async listModels(signal: AbortSignal): Promise<ModelInfo[]> {
    return (await untilAbort(this.#list(), signal)).map(infoOf);
  }

  async chosen(name: string): Promise<{ id: string; named: boolean } | undefined> {
    const found = await this.#find(name);
    this.#answeredByUsual.add(name);
    return found === undefined
      ? undefined
      : { id: deftId(found.model), named: found.named || name === usualVscodeModel };
  }

  changed(): void {
    this.#listing = undefined;
  }

  #list(): Promise<HostChatModel[]> {
    this.#listing ??= this.#host.list().then(
      (models) => {
        this.#known.learn(models.map(infoOf));
        // Extensions register their models when they are ready: an empty list is not final.
        if (models.length === 0) this.#listing = undefined;
        return models;
      },
      (error: unknown) => {
        this.#listing = undefined;
        throw toChatModelError(error, 'a model');
      },
    );
    return this.#listing;
  }

  async #find(name: string): Promise<{ model: HostChatModel; named: boolean } | undefined> {
    const models = await this.#list();
    const named = namedChatModel(models, name);
    const model = named ?? usualChatModel(models);
    return model === undefined ? undefined : { model, named: named !== undefined };
  }

  #translated(request: ModelRequest, model: HostChatModel): { messages: ChatMessage[]; tools: ChatTool[] } {
    const fitted = fitRequest(request, this.#known.capabilities(deftId(model)));
    return { messages: chatMessages(fitted, model.takesImages), tools: chatTools(fitted) };
  }

  /** With abort and error mapping. */
  async #call<Result>(
    name: string,
    signal: AbortSignal,
    run: (model: HostChatModel) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const found = await untilAbort(this.#find(name), signal);
    if (found === undefined) throw noChatModel();
    if (!found.named && !this.#answeredByUsual.has(name)) throw noSuchChatModel(name);
    try {
      return await untilAbort(run(found.model), signal);
    } catch (error) {
      throw signal.aborted ? abortReason(signal) : toChatModelError(error, found.model.name);
    }
  }
}

function infoOf(model: HostChatModel): ModelInfo {
  const { name, vendor, family, id, maxInputTokens, takesImages } = model;
  const from = [vendor, ...(family === '' || family === id ? [] : [family])].join(', ');
  return {
    id: deftId(model),
    displayName: `${name || id} (${from})`,
    reported: { ...(maxInputTokens > 0 ? { contextWindow: maxInputTokens } : {}), images: takesImages },
  };
}

/** Ends with either signal, also where what answers does not listen to it. */
async function* stoppable<Part>(
  parts: AsyncIterable<Part>,
  signal: AbortSignal,
  stalled: AbortSignal,
  watch: StallWatch,
): AsyncGenerator<Part> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAbort(untilAbort(iterator.next(), signal), stalled);
      if (next.done === true) return;
      watch.pause();
      yield next.value;
      watch.resume();
    }
  } finally {
    // Not waited for: it may hang on what is not coming any more.
    void iterator.return?.().then(undefined, () => undefined);
  }
}

async function untilAbort<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(abortReason(signal));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    running.catch(() => undefined);
  }
}

function abortReason(signal: AbortSignal): Error {
  return isAbort(signal.reason) || signal.reason instanceof ModelError
    ? (signal.reason as Error)
    : new DOMException('The request was aborted.', 'AbortError');
}
