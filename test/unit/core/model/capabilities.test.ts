// What each provider is known to take, row by row of the vendor's pages; what its list, the user and the switches change.
import assert from 'node:assert/strict';
import { capabilitiesOf, type CapabilityFacts } from '../../../../src/core/model/capabilities';
import { type ModelCapabilities, type ProviderId } from '../../../../src/core/wire/model-capabilities';
import { createKnownModels } from '../../../../src/core/model/known-models';
import { withPinnedCapabilities } from '../../../../src/core/loop/pinned-capabilities';

type Switch = keyof { [Key in keyof ModelCapabilities as ModelCapabilities[Key] extends boolean ? Key : never]: true };

/** Yes or no, in this order: anthropic, gateway, bedrock, vertex, foundry, vscode. */
const matrix: Record<Exclude<Switch, 'forcedTools'>, string> = {
  thinkingOnRequest: 'nnnnnn',
  interleavedThinking: 'nnnnnn',
  thinkingBound: 'yyyyyn',
  blockBinding: 'ynnnnn',
  thinkingDisplay: 'yyyyyn',
  fast: 'ynnnnn',
  strictTools: 'ynyyyn',
  structuredOutput: 'ynyyyn',
  toolExamples: 'ynnnnn',
  toolReferences: 'ynyyyn',
  toolSearch: 'ynyyyn',
  eagerToolStreaming: 'ynyyyn',
  caching: 'yyyyyn',
  longCaching: 'ynyyyn',
  contextEditing: 'ynyyyn',
  thinkingClearing: 'ynyyyn',
  apiCompaction: 'ynyyyn',
  webSearch: 'yynyyn',
  images: 'yyyyyy',
  pdf: 'yyyyyn',
  fileAddresses: 'yynnyn',
  citations: 'ynyyyn',
  tokenCounting: 'yynyyy',
  betas: 'ynyyyn',
  metadata: 'yynyyn',
};
const columns: ProviderId[] = ['anthropic', 'gateway', 'bedrock', 'vertex', 'foundry', 'vscode'];

describe('capabilities', () => {
  for (const [name, row] of Object.entries(matrix)) {
    it(`${name}: ${row}`, () => {
      assert.deepEqual(
        columns.map((provider) => (capabilitiesOf(provider, 'claude-opus-5-5')[name as Switch] ? 'y' : 'n')).join(''),
        row,
      );
    });
  }

  const since: [name: Switch, model: string, taken: boolean][] = [
    ['strictTools', 'claude-sonnet-4-5', true],
    ['strictTools', 'claude-opus-4-1', false],
    ['toolSearch', 'claude-haiku-4-5', true],
    ['toolReferences', 'claude-sonnet-4', false],
    ['apiCompaction', 'claude-opus-4-6', true],
    ['apiCompaction', 'claude-opus-4-5', false],
    ['contextEditing', 'claude-opus-4-5', true],
    ['fast', 'claude-opus-4-8', true],
    ['fast', 'claude-opus-4-7', false],
    ['fast', 'claude-sonnet-5-5', false],
    ['forcedTools', 'claude-opus-5', true],
    ['forcedTools', 'claude-opus-5-5', false],
    ['thinkingDisplay', 'claude-sonnet-4-5', false],
    ['structuredOutput', 'my-local-model', false],
    ['thinkingOnRequest', 'claude-sonnet-4-6', true],
    ['thinkingOnRequest', 'claude-opus-5', false],
    ['interleavedThinking', 'claude-opus-4-5', true],
    ['interleavedThinking', 'claude-haiku-4-5', false],
    ['blockBinding', 'claude-fable-5-1', true],
    ['blockBinding', 'claude-opus-5', false],
  ];
  for (const [name, model, taken] of since)
    it(`${name} of ${model}: ${taken}`, () => assert.equal(capabilitiesOf('anthropic', model)[name], taken));

  it('a gateway has everything where the user says so, or its list speaks the form of the vendor', () => {
    const has = (facts: CapabilityFacts) => {
      const { strictTools, betas, contextEditing } = capabilitiesOf('gateway', 'claude-opus-5', facts);
      return [strictTools, betas, contextEditing];
    };
    assert.deepEqual(has({}), [false, false, false]);
    assert.deepEqual(has({ features: 'all' }), [true, true, true]);
    assert.deepEqual(has({ reported: { vendorForm: true } }), [true, true, true]);
    assert.deepEqual(has({ reported: { vendorForm: true, contextEditing: false, structuredOutput: false } }), [
      false,
      true,
      false,
    ]);
    assert.deepEqual(
      has({ features: 'plain', reported: { vendorForm: true } }),
      [false, false, false],
      'the user has the last word',
    );
    assert.deepEqual(capabilitiesOf('anthropic', 'claude-opus-5', { features: 'plain' }).strictTools, false);
  });

  it('what is forced holds against everything, betas that are off take along what needs them', () => {
    assert.equal(capabilitiesOf('gateway', 'm', { forced: { toolReferences: true } }).toolReferences, true);
    const { betas, contextEditing, apiCompaction, fast } = capabilitiesOf('anthropic', 'claude-opus-5', {
      withoutBetas: true,
    });
    assert.deepEqual([betas, contextEditing, apiCompaction, fast], [false, false, false, false]);
    assert.equal(capabilitiesOf('anthropic', 'claude-opus-5-5', { withoutBetas: true }).fast, true, 'released');
  });

  it('what a list reports goes before the table', () => {
    const can = capabilitiesOf('anthropic', 'my-model', {
      reported: {
        contextWindow: 32_000,
        maxOutputTokens: 4_000,
        thinking: 'adaptive',
        thinkingOff: 'between_tools',
        efforts: ['low'],
        images: false,
        pdf: false,
      },
    });
    assert.deepEqual(
      [can.contextWindow, can.maxOutputTokens, can.thinking, can.thinkingOff, can.efforts, can.images, can.pdf],
      [32_000, 4_000, 'adaptive', 'between_tools', ['low'], false, false],
    );
    assert.equal(
      capabilitiesOf('anthropic', 'claude-opus-5', { reported: { thinkingOff: null } }).thinkingOff,
      undefined,
    );
  });
});

describe('known models', () => {
  const listed = {
    id: 'claude-opus-5',
    displayName: 'Opus 5',
    reported: { contextWindow: 500_000, structuredOutput: false, efforts: ['low' as const] },
  };

  it('are the same object until more is learned', () => {
    const known = createKnownModels('anthropic');
    const before = known.capabilities('claude-opus-5');
    assert.equal(known.capabilities('claude-opus-5'), before);
    known.learn([listed]);
    const after = known.capabilities('claude-opus-5');
    assert.deepEqual([after.contextWindow, after.strictTools, after.efforts], [500_000, false, ['low']]);
    known.learn([listed]);
    assert.equal(known.capabilities('claude-opus-5'), after, 'the same list again');
  });

  it('let through what was built by what was known before, and nothing that never was', () => {
    const known = createKnownModels('anthropic');
    known.capabilities('claude-opus-5');
    known.learn([listed]);
    const through = known.letThrough('claude-opus-5');
    assert.deepEqual(
      [through.strictTools, through.efforts.includes('max'), through.contextWindow],
      [true, true, 500_000],
    );
    assert.equal(known.letThrough('claude-opus-5'), through, 'the same object');
    const fresh = createKnownModels('anthropic');
    fresh.learn([listed]);
    assert.equal(fresh.letThrough('claude-opus-5').strictTools, false, 'nobody has built by the table');
  });
});

describe('the capabilities of a session', () => {
  it('stay those of its first request until it is compacted or the provider changes', async () => {
    const known = createKnownModels('anthropic');
    const state = { provider: 'anthropic' as ProviderId, compactions: 0 };
    const model = withPinnedCapabilities(
      {
        get provider() {
          return state.provider;
        },
        capabilities: known.capabilities,
        async *stream() {
          // Nothing comes.
        },
        countTokens: async () => 1,
        listModels: async () => [],
      },
      () => state.compactions,
    );
    const window = () => model.capabilities('claude-opus-5').contextWindow;
    const learn = (contextWindow: number) =>
      known.learn([{ id: 'claude-opus-5', displayName: '', reported: { contextWindow } }]);
    assert.equal(window(), 1_000_000);
    learn(500_000);
    assert.equal(window(), 500_000, 'nothing was asked of it yet');
    learn(400_000);
    for await (const event of model.stream(
      { model: 'claude-opus-5', max_tokens: 1, system: [], tools: [], messages: [] },
      new AbortController().signal,
    ))
      assert.fail(event.type);
    assert.equal(window(), 500_000, 'what the request was built by, though more was known when it went out');
    state.compactions++;
    assert.equal(window(), 400_000);
    for await (const event of model.stream(
      { model: 'claude-opus-5', max_tokens: 1, system: [], tools: [], messages: [] },
      new AbortController().signal,
    ))
      assert.fail(event.type);
    learn(300_000);
    assert.equal(window(), 400_000);
    state.provider = 'gateway';
    assert.equal(window(), 300_000);
  });
});
