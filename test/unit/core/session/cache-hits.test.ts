// Each request finds in the cache what the one before it wrote: sessions with turns of few and of many calls, through a cache by the documented rules.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { withCacheBreakpoints } from '../../../../src/core/loop/cache-breakpoints';
import { type Message, type ModelRequest } from '../../../../src/core/wire/wire';
import { createCacheSimulator, type CacheUse } from '../../../support/cache-simulator';
import { safeTool } from '../../../support/fake-tools';
import { httpError, reply, thinking, toolUse } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';
import { featureOf } from '../../../support/feature-of';
import { compaction } from '../../../../src/core/features/compaction/compaction-key';
import { sideQuestions } from '../../../../src/core/features/side-questions/side-questions-key';

const never = new AbortController().signal;
const anthropic: ScriptedModelOptions = { provider: 'anthropic' };

function share(uses: readonly CacheUse[]): string {
  const sum = (of: (use: CacheUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  return `${((100 * sum(({ read }) => read)) / sum(({ total }) => total)).toFixed(1)} % of ${Math.round(sum(({ total }) => total) / 1_000)} thousand tokens in ${uses.length} requests read from the cache`;
}

/** Every request after the first reads at least all that the one before it held. */
function allHit(requests: readonly ModelRequest[]): CacheUse[] {
  const cache = createCacheSimulator();
  const uses = requests.map((request) => cache.send(request));
  uses
    .slice(1)
    .forEach((use, index) =>
      assert.ok(
        use.read >= (uses[index]?.total ?? 0),
        `request ${index + 2} reads ${use.read} of the ${uses[index]?.total} tokens before it`,
      ),
    );
  return uses;
}

function start(model: ScriptedModel, options: Partial<HarnessOptions> = {}): Harness {
  return createHarness({ model, tools: [safeTool('Look', { maxResultSizeChars: 2_000 })], ...options });
}

describe('the cache', function () {
  this.timeout(60_000);

  it('is hit by each request of turns with 1 to 60 calls in a reply', async () => {
    const model = createScriptedModel((_request, index) => {
      const calls = Math.floor(index / 2) + 1;
      return index % 2 === 1
        ? reply(thinking(`So ${index}`, `s${index}`), 'Done.')
        : reply(
            thinking(`Hm ${index}`, `s${index}`),
            'On it.',
            ...Array.from({ length: calls }, (_, call) =>
              toolUse('Look', { text: `${index} ${call} ${'x'.repeat(100)}` }),
            ),
          );
    }, anthropic);
    const harness = start(model);
    for (let turn = 1; turn <= 60; turn++) await harness.run(`Task ${turn}`);
    assert.deepEqual(model.violations, []);
    assert.equal(model.requests.length, 120);
    console.log(`      1 to 60 calls: ${share(allHit(model.requests))}`);
  });

  it('is hit by each round of a turn that makes one call after the other, and after replies that failed', async () => {
    const model = createScriptedModel(
      (_request, index) =>
        index % 7 === 3
          ? httpError(529, 'overloaded_error', 'Busy')
          : index % 41 === 40
            ? reply('Done.')
            : reply('', toolUse('Look', { text: `${index} `.repeat(50) })),
      anthropic,
    );
    const harness = start(model);
    for (let turn = 1; turn <= 4; turn++) await harness.run(`Task ${turn}`);
    assert.ok(model.requests.length > 100);
    console.log(`      one call a round: ${share(allHit(model.requests))}`);
  });

  it('is read by side questions and by the summary of a compaction', async () => {
    for (const name of ['claude-opus-5', 'claude-haiku-4-5-20251001']) {
      const model = createScriptedModel(
        (_request, index) =>
          index === 0
            ? reply(
                thinking('Hm.', 's'),
                ...Array.from({ length: 30 }, (_, call) => toolUse('Look', { text: `${call} `.repeat(300) })),
              )
            : reply('Well.'),
        anthropic,
      );
      const harness = start(model, { session: { model: name } });
      await harness.run('one');
      await harness.run('two');
      const before = model.requests.length;
      await featureOf(harness.session, sideQuestions).ask('Why?', () => undefined, never);
      await featureOf(harness.session, sideQuestions).ask('And?', () => undefined, never);
      assert.equal((await featureOf(harness.session, compaction).byHand('', never)).kind, 'compacted');
      const cache = createCacheSimulator();
      const uses = model.requests.map((request) => cache.send(request));
      const conversation = uses[before - 1]?.total ?? 0;
      assert.equal(uses.length, before + 3);
      for (const use of uses.slice(before, before + 2))
        assert.ok(use.read >= conversation, `${name}: a side question reads ${use.read} of ${conversation}`);
      // The summary is of what is before the turn that is kept.
      const asked = uses.at(-1) ?? assert.fail();
      assert.ok(asked.read > 0.8 * asked.total, `${name}: the summary reads ${asked.read} of ${asked.total}`);
    }
  });

  it('lives as long as the setting says, where the provider has that; the marks are in order', async () => {
    for (const [lifetime, options, ttl] of [
      ['1h', anthropic, '1h'],
      ['1h', {}, undefined],
      ['5m', anthropic, undefined],
    ] as const) {
      const model = createScriptedModel(() => reply('Well.'), options);
      const harness = start(model, { session: { cacheLifetime: () => lifetime } });
      await harness.run('one');
      await harness.run('two');
      assert.deepEqual(model.violations, []);
      const marks = JSON.stringify(model.requests[1]).match(/"cache_control":\{[^}]*\}/g) ?? [];
      assert.deepEqual(
        [...new Set(marks)],
        [`"cache_control":${JSON.stringify({ type: 'ephemeral', ...defined({ ttl }) })}`],
      );
      const cache = createCacheSimulator();
      cache.send(model.requests[0] ?? assert.fail());
      cache.wait(600_000);
      assert.equal(cache.send(model.requests[1] ?? assert.fail()).read > 0, ttl === '1h', 'after ten minutes');
    }
  });

  it('may change its lifetime in the middle of a session, and be left alone altogether', async () => {
    let lifetime: '5m' | '1h' | 'off' = '5m';
    const model = createScriptedModel(() => reply('Well.'), anthropic);
    const harness = start(model, { session: { cacheLifetime: () => lifetime } });
    await harness.run('one');
    lifetime = '1h';
    await harness.run('two');
    lifetime = 'off';
    await harness.run('three');
    const plain = model.requests.map((request) =>
      JSON.stringify(request.messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)).slice(
        0,
        -1,
      ),
    );
    assert.ok(plain[1]?.startsWith(plain[0] ?? '?') === true);
    assert.doesNotMatch(JSON.stringify(model.requests[2]), /cache_control/);
  });

  it('is not asked of a provider without one', async () => {
    const model = createScriptedModel(() => reply('Well.'), { provider: 'demo' });
    await start(model).run('one');
    assert.doesNotMatch(JSON.stringify(model.requests), /cache_control/);
  });
});

describe('the simulated cache', () => {
  const blocks = (count: number): Message[] => [
    {
      role: 'user',
      content: Array.from({ length: count }, (_, at) => ({
        type: 'text' as const,
        text: `block ${at} ${'x'.repeat(40)}`,
      })),
    },
  ];
  const request = (messages: Message[]): ModelRequest => ({
    model: 'm',
    max_tokens: 1,
    system: [{ type: 'text', text: 'system' }],
    tools: [],
    messages,
  });

  it('finds what was written 19 blocks before a mark, and not 20', () => {
    const endMarked = (messages: Message[]): ModelRequest => withCacheBreakpoints(request(messages));
    for (const [added, hit] of [
      [19, true],
      [20, false],
    ] as const) {
      const cache = createCacheSimulator();
      const first = cache.send(endMarked(blocks(5)));
      const second = cache.send(endMarked(blocks(5 + added)));
      assert.equal(second.read >= first.total, hit, `${added} more blocks`);
    }
  });

  it('forgets after five minutes, and reads nothing where an earlier byte has changed', () => {
    const cache = createCacheSimulator();
    cache.send(withCacheBreakpoints(request(blocks(5))));
    assert.ok(
      cache.send(withCacheBreakpoints({ ...request(blocks(5)), system: [{ type: 'text', text: 'System' }] })).read ===
        0,
    );
    cache.wait(299_000);
    assert.ok(cache.send(withCacheBreakpoints(request(blocks(5)))).read > 0);
    cache.wait(299_000);
    assert.ok(cache.send(withCacheBreakpoints(request(blocks(5)))).read > 0, 'reading keeps it');
    cache.wait(301_000);
    assert.equal(cache.send(withCacheBreakpoints(request(blocks(5)))).read, 0);
  });
});
