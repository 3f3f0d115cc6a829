// The client on VS Code's models: which model is asked for what, and how calls end. The host's side has its tests in VS Code.
import assert from 'node:assert/strict';
import { isAbort, ModelError } from '../../../../src/core/text/errors';
import { type ModelRequest, type StreamEvent } from '../../../../src/core/wire/wire';
import { type AnswerPart } from '../../../../src/vscode/model/chat-answer';
import { type HostChatModel, type HostChatModels } from '../../../../src/vscode/model/language-models';
import { smallModel } from '../../../../src/core/model/models';
import { usualVscodeModel } from '../../../../src/core/model/vscode-models';
import { createLanguageModelClient } from '../../../../src/vscode/model/language-model-client';

type Send = HostChatModel['send'];
const never = new AbortController().signal;

function host(
  send: Send,
  ids = ['gpt-5', 'claude-sonnet-4.5'],
): { models: HostChatModels; asked: string[]; lists: () => number; offer: (...offered: string[]) => void } {
  const asked: string[] = [];
  let lists = 0;
  let offered = ids;
  return {
    asked,
    lists: () => lists,
    offer: (...now) => void (offered = now),
    models: {
      async list() {
        lists++;
        return offered.map((id) => ({
          vendor: 'v',
          id,
          family: id,
          name: id.toUpperCase(),
          maxInputTokens: 50_000,
          takesImages: false,
          count: async (part) => (typeof part === 'string' ? 100 : part.parts.length),
          send: (...args) => (asked.push(id), send(...args)),
        }));
      },
    },
  };
}

async function* answer(...parts: AnswerPart[]): AsyncGenerator<AnswerPart> {
  yield* parts;
}

const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'vscode:v/gpt-5',
  max_tokens: 10,
  system: [],
  tools: [{ name: 'Read', description: 'r', input_schema: {} }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  ...over,
});

async function read(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('the client on VS Code’s models', () => {
  it('asks the model that is named, and the usual one where none is', async () => {
    const { models, asked } = host(async () => answer({ type: 'text', text: 'Yes.' }));
    const client = createLanguageModelClient(models);
    for (const model of ['vscode:v/gpt-5', 'claude-sonnet-4-5', usualVscodeModel, smallModel]) {
      const [start] = await read(client.stream(request({ model }), never));
      assert.equal(start?.type === 'message_start' && start.message.model, `vscode:v/${asked.at(-1)}`);
    }
    assert.deepEqual(asked, ['gpt-5', 'claude-sonnet-4.5', 'claude-sonnet-4.5', 'claude-sonnet-4.5']);
  });

  it('lets no other model answer for one that is not offered, but where whoever chose it was told', async () => {
    const { models, asked } = host(async () => answer({ type: 'text', text: 'Yes.' }));
    const client = createLanguageModelClient(models);
    for (const [model, named] of [
      ['vscode:v/gone', '"gone"'],
      ['claude-opus-5', '"claude-opus-5"'],
    ] as const) {
      const refused = (error: unknown): boolean =>
        error instanceof ModelError &&
        error.details.kind === 'not_found' &&
        error.details.missing === 'model' &&
        !error.retryable &&
        error.message.includes(named);
      await assert.rejects(read(client.stream(request({ model }), never)), refused);
      await assert.rejects(client.countTokens(request({ model }), never), refused);
    }
    assert.deepEqual(asked, []);
    assert.equal((await client.chosen('claude-opus-5'))?.named, false);
    await read(client.stream(request({ model: 'claude-opus-5' }), never));
    assert.deepEqual(asked, ['claude-sonnet-4.5']);
  });

  it('gives up an answer on which nothing comes for ten minutes, once it has begun', async () => {
    const timers: { milliseconds: number; fire: () => void; cancelled: boolean }[] = [];
    const startTimer = (milliseconds: number, fire: () => void): (() => void) => {
      const timer = { milliseconds, fire, cancelled: false };
      timers.push(timer);
      return () => void (timer.cancelled = true);
    };
    let consent = (): void => undefined;
    const allowed = new Promise<void>((resolve) => (consent = resolve));
    let sent: AbortSignal | undefined;
    async function* hanging(): AsyncGenerator<AnswerPart> {
      yield { type: 'text', text: 'One' };
      await new Promise<never>(() => undefined);
    }
    const { models } = host(async (_messages, _tools, _mode, signal) => ((sent = signal), await allowed, hanging()));
    const stream = createLanguageModelClient(models, startTimer).stream(request(), never)[Symbol.asyncIterator]();
    const first = stream.next();
    await new Promise(setImmediate);
    assert.deepEqual([sent === undefined, timers.length], [false, 0], 'the user is asked: nothing is watched');
    consent();
    await first;
    assert.deepEqual(
      timers.map(({ milliseconds }) => milliseconds),
      [600_000],
    );
    while ((await stream.next()).value?.type !== 'content_block_delta');
    timers.at(-1)?.fire();
    assert.equal(timers.length, 2, 'a part has come: it waits again, and does not count while the reader is busy');
    const last = stream.next();
    timers.at(-1)?.fire();
    timers.at(-1)?.fire();
    await assert.rejects(
      last,
      (error) =>
        error instanceof ModelError &&
        error.details.kind === 'stalled' &&
        !error.retryable &&
        /nothing came from GPT-5 for 10 minutes/.test(error.message),
    );
    assert.deepEqual([sent?.aborted, timers.at(-1)?.cancelled], [true, true]);
  });

  it('says whether a name was one of its models', async () => {
    const client = createLanguageModelClient(host(async () => answer()).models);
    assert.deepEqual(await client.chosen('gpt-5'), { id: 'vscode:v/gpt-5', named: true });
    assert.deepEqual(await client.chosen(usualVscodeModel), { id: 'vscode:v/claude-sonnet-4.5', named: true });
    assert.deepEqual(await client.chosen('vscode:v/gone'), { id: 'vscode:v/claude-sonnet-4.5', named: false });
  });

  it('forces a call, and keeps calls away', async () => {
    const sent: unknown[] = [];
    const { models } = host(
      async (_messages, tools, mode) => (
        sent.push([tools.map(({ name }) => name), mode]),
        answer({ type: 'call', id: 'a', name: 'Read', input: {} })
      ),
    );
    const client = createLanguageModelClient(models);
    const stops: unknown[] = [];
    for (const type of ['auto', 'any', 'none'] as const) {
      const events = await read(client.stream(request({ tool_choice: { type } }), never));
      stops.push(events.flatMap((event) => (event.type === 'message_delta' ? [event.delta.stop_reason] : [])));
    }
    assert.deepEqual(sent, [
      [['Read'], 'auto'],
      [['Read'], 'required'],
      [['Read'], 'auto'],
    ]);
    assert.deepEqual(stops, [['tool_use'], ['tool_use'], ['end_turn']]);
  });

  it('reads the list once, again after a change, and again where it was empty', async () => {
    const { models, lists, offer } = host(async () => answer(), []);
    const client = createLanguageModelClient(models);
    assert.equal(await client.chosen('gpt-5'), undefined);
    await assert.rejects(
      read(client.stream(request(), never)),
      (error) => error instanceof ModelError && error.details.kind === 'not_found',
    );
    offer('gpt-5');
    assert.equal((await client.chosen('gpt-5'))?.id, 'vscode:v/gpt-5');
    assert.equal((await client.listModels(never)).length, 1);
    assert.equal(lists(), 3);
    offer('gpt-5', 'o9');
    client.changed();
    assert.equal((await client.chosen('o9'))?.id, 'vscode:v/o9');
  });

  it('knows a model’s window once it was listed', async () => {
    const client = createLanguageModelClient(host(async () => answer()).models);
    await client.listModels(never);
    const can = client.capabilities('vscode:v/gpt-5');
    assert.deepEqual(
      [can.contextWindow, can.images, can.thinking, can.caching, can.webSearch],
      [50_000, false, 'none', false, false],
    );
  });

  it('counts messages and tools', async () => {
    assert.equal(
      await createLanguageModelClient(host(async () => answer()).models).countTokens(
        request({ system: [{ type: 'text', text: 'S' }] }),
        never,
      ),
      102,
    );
  });

  it('ends with its signal while the list, the consent or the answer is waited for', async () => {
    const forever = new Promise<never>(() => undefined);
    async function* hanging(): AsyncGenerator<AnswerPart> {
      yield { type: 'text', text: 'One' };
      await forever;
    }
    const hosts: HostChatModels[] = [
      { list: () => forever },
      host(() => forever).models,
      host(async () => hanging()).models,
    ];
    for (const models of hosts) {
      const controller = new AbortController();
      const reading = read(createLanguageModelClient(models).stream(request(), controller.signal));
      setImmediate(() => controller.abort());
      await assert.rejects(reading, isAbort);
    }
  });

  it('tells failures before and in an answer, without trying again', async () => {
    async function* broken(): AsyncGenerator<AnswerPart> {
      yield { type: 'text', text: 'One' };
      throw new Error('Server error: 500');
    }
    for (const send of [async () => Promise.reject(new Error('Server error: 500')), async () => broken()]) {
      const { models, asked } = host(send);
      await assert.rejects(
        read(createLanguageModelClient(models).stream(request(), never)),
        (error) => error instanceof ModelError && error.retryable && /GPT-5 could not be reached/.test(error.message),
      );
      assert.equal(asked.length, 1);
    }
  });
});
