// VS Code's own models in a real VS Code: another extension offers them, and only what they answer is scripted.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isAbort, ModelError } from '../../src/core/text/errors';
import { type ModelRequest, type StreamEvent } from '../../src/core/wire/wire';
import { hostChatModels } from '../../src/vscode/model/host-chat-models';
import { createLanguageModelClient } from '../../src/vscode/model/language-model-client';

interface SentRequest {
  model: string;
  messages: { role: string; parts: Record<string, unknown>[] }[];
  tools: { name: string; inputSchema: unknown }[];
  toolMode: number;
}
type Part = object;
interface TestModels {
  requests: SentRequest[];
  answer:
    | ((request: SentRequest, progress: { report(part: Part): void }, token: vscode.CancellationToken) => Promise<void>)
    | undefined;
  parts: { say(text: string): Part; think(text: string): Part; call(call: [string, unknown], id: string): Part };
  all: object[];
  offer(models: object[]): void;
}

const provides = 'registerLanguageModelChatProvider' in vscode.lm;
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const sonnet = 'vscode:deft-test/claude-sonnet-9.1';
const never = new AbortController().signal;

const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  model: sonnet,
  max_tokens: 1_000,
  system: [{ type: 'text', text: 'Be brief.' }],
  tools: [
    {
      name: 'Read',
      description: 'Reads.',
      input_schema: { type: 'object', properties: { file: { type: 'string' } } },
      strict: true,
    },
  ],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
  ...over,
});

describe(`VS Code's models${provides ? '' : ' (skipped: this VS Code lets no extension bring models)'}`, () => {
  let models: TestModels;
  before(async function () {
    if (!provides) this.skip();
    const extension =
      vscode.extensions.getExtension<TestModels>('deft-test.tool-extension') ??
      assert.fail('the extension with models is not there');
    models = await extension.activate();
  });
  afterEach(() => {
    models.answer = undefined;
    models.requests.length = 0;
    models.offer(models.all);
  });

  const client = () => createLanguageModelClient(hostChatModels);
  const last = (): SentRequest => models.requests.at(-1) ?? assert.fail('nothing was sent');

  async function events(over: Partial<ModelRequest> = {}, signal = never): Promise<StreamEvent[]> {
    const all: StreamEvent[] = [];
    for await (const event of client().stream(request(over), signal)) all.push(event);
    return all;
  }

  it('are listed with vendor and name, but for those without tools', async () => {
    const listed = await client().listModels(never);
    const own = listed.filter(({ id }) => id.startsWith('vscode:deft-test/'));
    assert.deepEqual(
      own.map(({ id, displayName }) => [id, displayName]),
      [
        ['vscode:deft-test/gpt-test', 'GPT Test (deft-test, gpt)'],
        [sonnet, 'Claude Sonnet 9.1 (deft-test, claude)'],
      ],
    );
  });

  it('say how much goes into one request', async () => {
    const one = client();
    await one.listModels(never);
    assert.equal(one.capabilities(sonnet).contextWindow, 90_000);
    assert.equal(one.capabilities('vscode:deft-test/gpt-test').images, false);
    assert.equal(one.capabilities(sonnet), one.capabilities(sonnet));
  });

  it('are sent instructions, messages and tools, and their text comes back as it is written', async () => {
    models.answer = async (_request, progress) => {
      for (const text of ['Good ', 'day.']) progress.report(models.parts.say(text));
    };
    const streamed = await events();
    assert.deepEqual(last().messages, [
      {
        role: 'user',
        parts: [
          { type: 'text', text: '<system_instructions>\nBe brief.\n</system_instructions>' },
          { type: 'text', text: 'Hello?' },
        ],
      },
    ]);
    assert.deepEqual(last().tools, [
      { name: 'Read', inputSchema: { type: 'object', properties: { file: { type: 'string' } } } },
    ]);
    assert.equal(last().toolMode, vscode.LanguageModelChatToolMode.Auto);
    const text = streamed
      .flatMap((event) =>
        event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? [event.delta.text] : [],
      )
      .join('');
    assert.equal(text, 'Good day.');
    assert.deepEqual(streamed.at(-2)?.type === 'message_delta' && streamed.at(-2), {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 3 },
    });
  });

  it('think and call', async () => {
    models.answer = async (_request, progress) => {
      for (const part of [
        models.parts.think('Hm.'),
        models.parts.say('I look.'),
        models.parts.call(['Read', { file: 'a.txt' }], 'c1'),
      ])
        progress.report(part);
    };
    const streamed = await events({ tool_choice: { type: 'any' } });
    assert.equal(last().toolMode, vscode.LanguageModelChatToolMode.Required);
    assert.deepEqual(
      streamed.flatMap((event) => (event.type === 'content_block_start' ? [event.content_block.type] : [])),
      ['thinking', 'text', 'tool_use'],
    );
    assert.deepEqual(
      streamed.find((event) => event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'),
      {
        type: 'content_block_delta',
        index: 2,
        delta: { type: 'input_json_delta', partial_json: '{"file":"a.txt"}' },
      },
    );
  });

  it('get results, failures and pictures', async () => {
    await events({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file: 'a.png' } }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              is_error: true,
              content: [
                { type: 'text', text: 'Broken.' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
              ],
            },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } },
          ],
        },
      ],
    });
    const bytes = Buffer.from(picture, 'base64').length;
    const data = { type: 'data', mimeType: 'image/png', bytes };
    assert.deepEqual(last().messages.slice(1), [
      { role: 'assistant', parts: [{ type: 'call', id: 't1', name: 'Read', input: { file: 'a.png' } }] },
      {
        role: 'user',
        parts: [
          {
            type: 'result',
            id: 't1',
            content: [
              { type: 'text', text: 'Broken.' },
              { type: 'text', text: '[image/png omitted: a failure is reported as text only]' },
            ],
            isError: true,
          },
          data,
        ],
      },
    ]);
  });

  it('count tokens by their own rule', async () => {
    const whole = await client().countTokens(request(), never);
    const more = await client().countTokens(request({ system: [{ type: 'text', text: 'Be brief!!' }] }), never);
    assert.equal(more - whole, 1);
  });

  it('stop at once, whether they listen or not', async () => {
    for (const listens of [true, false]) {
      const controller = new AbortController();
      const heard = new Promise<void>((onCancelled) => {
        models.answer = (_request, progress, token) => {
          progress.report(models.parts.say('One moment.'));
          return new Promise((resolve) =>
            token.onCancellationRequested(() => {
              onCancelled();
              if (listens) resolve();
            }),
          );
        };
      });
      await assert.rejects(async () => {
        for await (const event of client().stream(request(), controller.signal))
          if (event.type === 'content_block_delta') controller.abort();
      }, isAbort);
      await heard;
    }
  });

  const failures: [what: string, error: () => Error, kind: string][] = [
    ['no permission', () => vscode.LanguageModelError.NoPermissions('not yours'), 'invalid_request'],
    ['blocked', () => vscode.LanguageModelError.Blocked('policy'), 'spend_limit'],
    ['gone', () => vscode.LanguageModelError.NotFound('gone'), 'not_found'],
    ['a quota', () => new Error('You have exceeded your premium request allowance.'), 'spend_limit'],
    ['anything else', () => new Error('Something.'), 'server'],
  ];
  for (const [what, error, kind] of failures) {
    it(`fail with a sentence: ${what}`, async () => {
      models.answer = () => Promise.reject(error());
      await assert.rejects(
        events(),
        (thrown) =>
          thrown instanceof ModelError && thrown.details.kind === kind && thrown.message.includes(error().message),
      );
    });
  }

  it('are looked up anew when the list changes', async () => {
    const one = client();
    assert.equal((await one.chosen('sonnet'))?.id, sonnet);
    const changed = new Promise<void>((resolve) => {
      const subscription = vscode.lm.onDidChangeChatModels(() => {
        subscription.dispose();
        one.changed();
        resolve();
      });
    });
    models.offer(models.all.slice(0, 1));
    await vscode.lm.selectChatModels();
    await changed;
    assert.deepEqual(await one.chosen('claude-sonnet-9-1'), { id: 'vscode:deft-test/gpt-test', named: false });
  });
});
