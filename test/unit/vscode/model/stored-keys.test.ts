// Where a stored key may go: to the address that it was entered for, elsewhere after one question; and what picking a provider does to addresses. VS Code is a table of settings here.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
// @ts-expect-error: the build script is plain JavaScript.
import { common } from '../../../../esbuild.mjs';
import { keyQuestion } from '../../../../src/vscode/commands/address-choice';
import type { providerCommands as ProviderCommands } from '../../../../src/vscode/commands/provider-commands';
import type { ModelSource } from '../../../../src/vscode/model/model-source';
import { createStoredKeys } from '../../../../src/vscode/model/stored-keys';
import { readStream } from '../../providers/client-under-test';

const gateway = 'https://gateway.example.com/anthropic';
const vendorHost = 'api.anthropic.com';

function storage(kept = new Map<string, string>()) {
  return {
    kept,
    get: async (name: string) => kept.get(name),
    store: async (name: string, value: string) => void kept.set(name, value),
    delete: async (name: string) => void kept.delete(name),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

describe('stored keys', () => {
  it('go where they were entered for, and elsewhere once the user agreed', async () => {
    const keys = createStoredKeys(storage());
    await keys.set('key-of-the-gateway', 'anthropic', gateway);
    assert.equal(await keys.at(`${gateway}/v2/`), 'key-of-the-gateway');
    for (const other of [
      undefined,
      'https://example.com',
      'http://gateway.example.com',
      'https://gateway.example.com:8443',
      'not an address',
    ])
      assert.equal(await keys.at(other), undefined, other);
    assert.deepEqual(await keys.elsewhere('https://example.com/x'), ['https://gateway.example.com']);
    await keys.allow('https://example.com/x');
    assert.deepEqual(
      [await keys.at('https://example.com'), await keys.at(gateway), await keys.elsewhere('https://example.com')],
      ['key-of-the-gateway', 'key-of-the-gateway', undefined],
    );
    await keys.set('another-key', 'anthropic', undefined);
    assert.deepEqual([await keys.at(undefined), await keys.at(gateway)], ['another-key', undefined]);
    await keys.clear();
    assert.deepEqual(
      [await keys.at(undefined), await keys.elsewhere(gateway), [...keys.known]],
      [undefined, undefined, ['key-of-the-gateway', 'another-key']],
    );
  });

  it("of before this was kept are the vendor's", async () => {
    const keys = createStoredKeys(storage(new Map([['deft.anthropic.apiKey', 'old-key']])));
    assert.deepEqual(
      [await keys.at(''), await keys.at('https://api.anthropic.com/'), await keys.at('http://localhost:11434')],
      ['old-key', 'old-key', undefined],
    );
  });

  it('are asked about with the host, and with what http means there', () => {
    const { message, detail } = keyQuestion('http://box.lan:8080/v1', ['https://api.anthropic.com']);
    assert.equal(message, 'Send the stored API key to box.lan:8080?');
    assert.match(detail, /^It was entered for api\.anthropic\.com\. .* not encrypted \(http\)/);
    for (const address of ['https://box.lan', 'http://localhost:11434', 'http://127.0.0.1:1', 'http://[::1]:1'])
      assert.doesNotMatch(keyQuestion(address, []).detail, /encrypted/);
  });
});

describe('picking a provider', () => {
  const settings = new Map<string, unknown>();
  const shown: string[] = [];
  const asked: string[] = [];
  let row = '';
  let typed = '';
  let answer: string | undefined;
  let changed = (): void => undefined;
  const vscode = {
    EventEmitter: class {
      event = () => undefined;
      fire(): void {}
      dispose(): void {}
    },
    ConfigurationTarget: { Global: 1 },
    commands: { executeCommand: async (name: string) => void shown.push(name) },
    lm: { selectChatModels: async () => [], onDidChangeChatModels: () => ({ dispose: () => undefined }) },
    workspace: {
      onDidChangeConfiguration: (run: () => void) => (changed = run),
      getConfiguration: () => ({
        get: (name: string, fallback: unknown) => settings.get(name) ?? fallback,
        inspect: (name: string) => ({ globalValue: settings.get(name) }),
        update: async (name: string, value: unknown) => (settings.set(name, value), changed()),
      }),
    },
    window: {
      showQuickPick: async (rows: Promise<{ label: string }[]>) => (await rows).find(({ label }) => label === row),
      showInputBox: async () => typed,
      showInformationMessage: async (text: string) => void shown.push(text),
      showWarningMessage: async (text: string, options?: { detail?: string }) =>
        options?.detail === undefined ? void shown.push(text) : (asked.push(text), answer),
    },
  };

  let Source: typeof ModelSource;
  let makeCommands: typeof ProviderCommands;
  before(async () => {
    const contents =
      "export { ModelSource } from './src/vscode/model/model-source'; export { providerCommands } from './src/vscode/commands/provider-commands';";
    const { outputFiles } = await build({
      ...(common as object),
      stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode'],
      sourcemap: false,
      write: false,
    });
    const require = createRequire(import.meta.url);
    const module = {
      exports: {} as { ModelSource: typeof ModelSource; providerCommands: typeof ProviderCommands },
    };
    const run = new Function('require', 'module', 'exports', outputFiles[0]?.text ?? '') as (
      ...parts: unknown[]
    ) => void;
    run((name: string): unknown => (name === 'vscode' ? vscode : require(name)), module, module.exports);
    ({ ModelSource: Source, providerCommands: makeCommands } = module.exports);
  });

  let source: ModelSource;
  let variables: Record<string, string> = {};
  let refusal: string | undefined;
  const realFetch = globalThis.fetch;
  const sent: [host: string, key: string | null][] = [];
  beforeEach(() => {
    for (const list of [shown, asked, sent]) list.length = 0;
    settings.clear();
    changed();
    [variables, answer, refusal] = [{}, undefined, undefined];
    source = new Source(
      storage() as unknown as ConstructorParameters<typeof ModelSource>[0],
      { now: () => 0 } as ConstructorParameters<typeof ModelSource>[1],
      { read: async () => undefined, variables: () => variables, values: () => ({}), refusal: () => refusal },
    );
    globalThis.fetch = async (input, init) => {
      sent.push([
        new URL(input instanceof Request ? input.url : input).host,
        new Headers(init?.headers).get('x-api-key'),
      ]);
      return new Response('{}', { status: 500 });
    };
  });
  afterEach(() => (globalThis.fetch = realFetch));
  const pick = (label: string, address = ''): Promise<void> | undefined => {
    [row, typed] = [label, address];
    return makeCommands(source)['deft.selectProvider']?.();
  };
  const send = async () => {
    await readStream(source.client);
    return sent.at(-1);
  };

  it('Anthropic: the base URL goes, and a key that is entered then goes to the vendor', async () => {
    await pick('Another address', gateway);
    await source.setKey('key-of-the-gateway');
    assert.deepEqual(await send(), ['gateway.example.com', 'key-of-the-gateway']);
    await pick('Anthropic');
    assert.ok(shown.includes(`Deft: Anthropic answers now. The base URL ${gateway} is cleared.`), shown.join('\n'));
    assert.equal(shown.at(-1), 'deft.setApiKey', 'the key of the gateway is none of the vendor');
    await source.setKey('key-of-the-vendor');
    assert.deepEqual(await send(), [vendorHost, 'key-of-the-vendor']);
  });

  it('none: where the organization does not let Deft start, no model is asked, whatever for', async () => {
    await source.setKey('key-of-the-vendor');
    refusal = "Your organization's settings do not let Deft start.";
    const request = { model: 'claude-opus-5-5', messages: [] };
    const stream = source.client.stream(request as never, AbortSignal.timeout(1000));
    await assert.rejects(stream[Symbol.asyncIterator]().next(), /do not let Deft start/);
    await assert.rejects(source.client.countTokens(request as never, AbortSignal.timeout(1000)), /not let Deft start/);
    assert.deepEqual(sent, []);
    refusal = undefined;
    assert.deepEqual(await send(), [vendorHost, 'key-of-the-vendor']);
  });

  it('Anthropic: a variable that still leads elsewhere is named', async () => {
    variables = { ANTHROPIC_BASE_URL: 'http://localhost:4000', ANTHROPIC_API_KEY: 'key-of-the-environment' };
    await pick('Anthropic');
    assert.match(shown.join('\n'), /ANTHROPIC_BASE_URL is set: requests still go to http:\/\/localhost:4000\./);
    assert.deepEqual(await send(), ['localhost:4000', 'key-of-the-environment'], 'people set both');
  });

  it('another address: the stored key goes there after a yes alone', async () => {
    await source.setKey('key-of-the-vendor');
    await pick('Another address', 'http://box.lan:8080');
    assert.deepEqual(
      [asked, settings.get('baseUrl')],
      [['Send the stored API key to box.lan:8080?'], undefined],
      'given up',
    );
    answer = 'Use Without It';
    await pick('Another address', 'http://box.lan:8080');
    assert.deepEqual(await send(), ['box.lan:8080', null]);
    answer = 'Send the Key';
    await pick('Another address', 'http://box.lan:8080');
    assert.deepEqual(await send(), ['box.lan:8080', 'key-of-the-vendor']);
    await pick('Another address', 'http://box.lan:8080');
    assert.equal(asked.length, 3, 'not asked again');
    settings.set('baseUrl', 'https://third.example.com');
    changed();
    assert.deepEqual(await send(), ['third.example.com', null], 'nor by the setting alone');
  });

  it("Bedrock: a key for the Messages API that is entered meanwhile is the vendor's", async () => {
    settings.set('baseUrl', gateway);
    await pick('Amazon Bedrock');
    await source.setKey('key-of-the-vendor');
    settings.set('provider', 'anthropic');
    changed();
    assert.deepEqual(await send(), ['gateway.example.com', null]);
    await pick('Anthropic');
    assert.deepEqual(await send(), [vendorHost, 'key-of-the-vendor']);
  });
});
