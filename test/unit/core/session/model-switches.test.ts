// Another model, or thinking switched, at every point of a session: each request is one that the model asked takes.
import assert from 'node:assert/strict';
import { latch, safeTool } from '../../../support/fake-tools';
import { reply, redactedThinking, thinking, toolUse, withFields } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';
import { type ModelRequest } from '../../../../src/core/wire/wire';

/** One of each kind: always, adaptive by default, adaptive on request, a budget, a budget with the beta, bound to what is before, unknown. */
const models = [
  'claude-fable-5',
  'claude-opus-5',
  'claude-sonnet-4-6',
  'claude-haiku-4-5-20251001',
  'claude-sonnet-4-5-20250929',
  'claude-fable-5-1',
  'other-model',
];
const points = ['before a turn', 'in a tool round', 'in a later tool round', 'while a call is stopped'] as const;

/** A session in three turns, the middle one stopped by the user; `act` runs at the point. */
async function play(
  first: string,
  point: (typeof points)[number],
  act: (harness: Harness) => void,
  undo: (harness: Harness) => void,
) {
  let round = 0;
  const started = latch();
  const model = createScriptedModel(
    (request, index) => {
      round++;
      const said =
        round === 3 || round > 5
          ? reply(...thoughts(request, index), 'Done.')
          : reply(
              ...thoughts(request, index),
              'On it.',
              round === 5 ? toolUse('Hang', {}) : toolUse('Look', { text: `${round}` }),
            );
      return withFields(said, { model: request.model });
    },
    { provider: 'anthropic' },
  );
  let look = 0;
  const harness: Harness = createHarness({
    model,
    session: { model: first },
    tools: [
      safeTool('Look', {
        async call({ text = '' }) {
          look++;
          if ((look === 1 && point === 'in a tool round') || (look === 2 && point === 'in a later tool round'))
            act(harness);
          return { data: { said: text } };
        },
      }),
      safeTool('Hang', {
        call: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            started.open();
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          }),
      }),
    ],
  });
  const stop = new AbortController();
  await harness.run('one');
  if (point === 'before a turn') act(harness);
  const turn = harness.run('two', stop.signal);
  // A request that is refused ends the turn before the call that hangs.
  await Promise.race([started.opened, turn]);
  if (point === 'while a call is stopped') act(harness);
  stop.abort(new DOMException('Stopped.', 'AbortError'));
  await turn;
  await harness.run('three');
  undo(harness);
  await harness.run('four');
  await harness.run('five');
  return { model, harness };
}

/** As a model that was asked so would think. */
function thoughts({ thinking: config, model }: ModelRequest, index: number) {
  const thinks =
    config === undefined ? /fable|opus-5/.test(model) : config.type === 'enabled' || config.type === 'adaptive';
  if (!thinks) return [];
  return index % 3 === 2 ? [redactedThinking(`secret ${index}`)] : [thinking(`Thought ${index}`, `signature ${index}`)];
}

describe('a session that changes its model', function () {
  this.timeout(120_000);
  for (const point of points) {
    it(`${point}: among all kinds of models, and back`, async () => {
      let sessions = 0;
      for (const first of models) {
        for (const second of models) {
          const { model } = await play(
            first,
            point,
            (harness) => harness.session.choices.setModel(second),
            (harness) => harness.session.choices.setModel(first),
          );
          assert.deepEqual(model.violations, [], `${first} → ${second}`);
          assert.ok(model.requests.length >= 8 && model.requests.some((request) => request.model === second));
          sessions++;
        }
      }
      assert.equal(sessions, models.length ** 2);
    });

    it(`${point}: thinking off, and on again`, async () => {
      for (const first of models) {
        const { model } = await play(
          first,
          point,
          (harness) => harness.session.choices.setThinking(false),
          (harness) => harness.session.choices.setThinking(true),
        );
        assert.deepEqual(model.violations, [], first);
      }
    });
  }

  it("sends each model its own thinking again, byte for byte, and none of the other's", async () => {
    const { model } = await play(
      'claude-opus-5',
      'before a turn',
      (harness) => harness.session.choices.setModel('claude-fable-5'),
      (harness) => harness.session.choices.setModel('claude-opus-5'),
    );
    const last = model.requests.at(-1)?.messages ?? [];
    const signatures = JSON.stringify(last).match(/signature \d+|secret \d+/g) ?? [];
    const own = model.requests.flatMap((request, index) => (request.model === 'claude-opus-5' ? [index] : []));
    // The last reply answers this request.
    assert.deepEqual(
      signatures.map((one) => Number(one.replace(/\D+/, ''))),
      own.slice(0, -1),
    );
  });

  it('keeps the thinking of one turn as it began, whatever is switched in it', async () => {
    const { model } = await play(
      'claude-opus-5',
      'in a tool round',
      (harness) => harness.session.choices.setThinking(false),
      () => undefined,
    );
    assert.deepEqual(
      model.requests.slice(0, 5).map((request) => request.thinking?.type),
      ['adaptive', 'adaptive', 'adaptive', 'disabled', 'disabled'],
    );
  });

  it('lets a model with a budget go on without thinking in the turn of another one, and think in the next', async () => {
    const { model } = await play(
      'claude-opus-5',
      'in a tool round',
      (harness) => harness.session.choices.setModel('claude-haiku-4-5-20251001'),
      () => undefined,
    );
    assert.deepEqual(
      model.requests.slice(0, 5).map((request) => request.thinking?.type),
      ['adaptive', undefined, undefined, 'enabled', 'enabled'],
    );
  });

  it('knows its own thinking where the gateway names the model otherwise, also after a resume', async () => {
    const script = (request: ModelRequest, index: number) =>
      withFields(reply(thinking(`Thought ${index}`, `signature ${index}`), 'Hm.'), {
        model: request.model === 'mine' ? 'claude-opus-5' : request.model,
      });
    const model = createScriptedModel(script, { acceptUnknownThinking: true });
    const harness = createHarness({ model, session: { model: 'mine' } });
    await harness.run('one');
    const again = createHarness({ model, session: { model: 'mine' }, records: harness.stored() });
    await again.run('two');
    again.session.choices.setModel('claude-opus-5');
    await again.run('three');
    assert.deepEqual(model.violations, []);
    assert.match(JSON.stringify(model.requests[1]?.messages), /signature 0/);
    assert.doesNotMatch(JSON.stringify(model.requests[2]?.messages), /signature/);
  });
});
