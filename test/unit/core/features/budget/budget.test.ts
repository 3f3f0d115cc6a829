// A session within the dollars that the user gave it: when it asks, what each answer does, and agents that count toward it.
import { defined } from '../../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type QuestionAnswer } from '../../../../../src/core/ports/questions';
import { type QuestionRequest } from '../../../../../src/shared/question';
import { createAgentHarness } from '../../../../support/agent-harness';
import { reply, type ScriptedReply, toolUse, withFields } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { compaction } from '../../../../../src/core/features/compaction/compaction-key';
import { sideQuestions } from '../../../../../src/core/features/side-questions/side-questions-key';
import { budget } from '../../../../../src/core/features/budget/budget-key';

/** Two dollars of input at the price of the model. */
const dear = { usage: { input_tokens: 400_000, output_tokens: 0 } };
const two = (...content: Parameters<typeof reply>): ScriptedReply => withFields(reply(...content), dear);
const answered = (request: QuestionRequest, label: string): QuestionAnswer => ({
  behavior: 'answered',
  answers: { [request.questions[0]?.question ?? '']: label },
});

function start(
  script: readonly ScriptedReply[],
  answer: ((request: QuestionRequest) => QuestionAnswer | Promise<QuestionAnswer>) | undefined,
  limit = 5,
  options: Partial<HarnessOptions> = {},
): { harness: Harness; model: ScriptedModel; asked: QuestionRequest[] } {
  const asked: QuestionRequest[] = [];
  const model = createScriptedModel(script, { provider: 'anthropic' });
  const questioner = answer && {
    askQuestions: async (request: QuestionRequest, signal: AbortSignal) => {
      asked.push(request);
      const stopped = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      );
      return Promise.race([Promise.resolve(answer(request)), stopped]);
    },
  };
  const harness = createHarness({
    model,
    ...options,
    ports: { ...defined({ questioner }), ...options.ports },
    session: { maxDollars: { limit: () => limit, counts: 'session' }, ...options.session },
  });
  return { harness, model, asked };
}

const rounds = () => [two(toolUse('Look', {})), two(toolUse('Look', {})), two(toolUse('Look', {})), reply('Done.')];

describe('the budget of a session', () => {
  it('asks before the request that would likely pass it, by the cost of the last one, and goes on to twice as much', async () => {
    const { harness, model, asked } = start(rounds(), (request) => answered(request, 'Continue up to $10.00'));
    assert.deepEqual(await harness.run('Work'), { reason: 'completed' });
    assert.equal(model.requests.length, 4);
    assert.deepEqual(
      asked.map(({ questions }) => questions[0]?.question),
      ['This session has used $4.00 of $5.00. The next request would probably exceed it. Continue?'],
    );
    assert.deepEqual(
      asked[0]?.questions[0]?.options.map(({ label }) => label),
      ['Continue up to $10.00', 'Continue without a limit', 'Stop here'],
    );
  });

  it('stops there, where the user says so or closes the question, and loses nothing', async () => {
    for (const answer of [
      (request: QuestionRequest) => answered(request, 'Stop here'),
      (): QuestionAnswer => ({ behavior: 'dismissed' }),
    ]) {
      const { harness, model, asked } = start(rounds(), answer);
      const end = await harness.run('Work');
      assert.equal(end.reason, 'budget');
      assert.match(
        end.message ?? '',
        /^Stopped before the budget of \$5\.00 was exceeded: \$4\.00 is used so far\. The setting deft\.budget\.session raises it\.$/,
      );
      assert.deepEqual([model.requests.length, asked.length], [2, 1]);
      const notice = harness.chat().items.at(-1);
      assert.ok(notice?.kind === 'notice' && notice.title === 'Paused.' && notice.action !== undefined);
      assert.equal((await harness.run(undefined)).reason, 'budget');
      assert.equal(asked.length, 2, 'a new turn asks anew');
    }
  });

  it('is not asked about again without a limit, nor in a process that goes on with the session', async () => {
    const { harness, asked } = start([...rounds(), two('More.')], (request) =>
      answered(request, 'Continue without a limit'),
    );
    await harness.run('Work');
    const again = start([two('And more.')], () => assert.fail('asked again'), 5, { records: harness.stored() });
    assert.deepEqual(await again.harness.run('More'), { reason: 'completed' });
    assert.equal(asked.length, 1);
  });

  it("takes an amount in the user's own words, and one below what is used as a stop", async () => {
    const enough = start(rounds(), (request) => ({ ...answered(request, ''), response: '$20' }) as QuestionAnswer);
    assert.equal((await enough.harness.run('Work')).reason, 'completed');
    const little = start(rounds(), (request) => answered(request, '3'));
    assert.equal((await little.harness.run('Work')).reason, 'budget');
  });

  it('asks again where the answer is no amount, and says so where the budget is used up', async () => {
    const answers = ['a bit more, please', '20 dollars'];
    const again = start(rounds(), (request) => answered(request, answers.shift() ?? ''));
    assert.equal((await again.harness.run('Work')).reason, 'completed');
    assert.deepEqual(
      again.asked.map(({ questions, closeLabel }) => [
        questions[0]?.question.split('.')[0],
        questions[0]?.otherHint,
        closeLabel,
      ]),
      [
        ['This session has used $4', 'An amount, such as 20', 'Stop'],
        ['"a bit more, please" is not an amount', 'An amount, such as 20', 'Stop'],
      ],
    );
    const past = start(rounds(), (request) => answered(request, 'Stop here'), 1);
    assert.match((await past.harness.run('Work')).message ?? '', /^The budget of \$1\.00 is used up \(\$2\.00\)\./);
  });

  it('waits with the turn, which can be stopped meanwhile', async () => {
    const controller = new AbortController();
    const { harness, asked, model } = start(
      rounds(),
      () => new Promise(() => controller.abort(new DOMException('Stopped.', 'AbortError'))),
    );
    assert.deepEqual(await harness.run('Work', controller.signal), { reason: 'interrupted' });
    assert.equal(asked.length, 1);
    assert.equal(model.requests.length, 2);
  });

  it('ends the turn where nobody can be asked; a run counts only what it costs itself', async () => {
    const first = start(rounds(), undefined);
    assert.equal((await first.harness.run('Work')).reason, 'budget');
    const second = start([two('More.'), two('More.')], undefined, 5, {
      records: first.harness.stored(),
      session: { maxDollars: { limit: () => 5, counts: 'run' } },
    });
    assert.deepEqual(await second.harness.run('Go on'), { reason: 'completed' });
  });

  it('says once that it cannot be kept for a model whose price is not known', async () => {
    const { harness, asked } = start([two('One.'), two('Two.'), two('Three.')], () => assert.fail('asked'), 1, {
      session: { model: 'local-model', maxDollars: { limit: () => 1, counts: 'session' } },
    });
    await harness.run('a');
    await harness.run('b');
    assert.equal(asked.length, 0);
    const unknownPrices = harness.events.flatMap((event) => (event.type === 'budget_unknown' ? [event.message] : []));
    assert.deepEqual(unknownPrices, [
      'The price of local-model is unknown, so the budget of $1.00 cannot be enforced for it.',
    ]);
    assert.equal(harness.chat().items.filter((item) => item.kind === 'notice').length, 1);
  });

  it('ends the turn where a question fails though nobody stopped it', async () => {
    const { harness, asked } = start(rounds(), () => Promise.reject(new Error('The panel is gone.')));
    assert.equal((await harness.run('Work')).reason, 'budget');
    assert.equal(asked.length, 1);
  });

  it('guesses by the price of the model that is asked, and without a cache after a switch', async () => {
    const cached = withFields(reply('One.'), {
      usage: { input_tokens: 0, cache_read_input_tokens: 400_000, output_tokens: 0 },
    });
    const same = start([cached, reply('Two.')], () => assert.fail('asked'), 1);
    await same.harness.run('Work');
    assert.deepEqual(await same.harness.run('More'), { reason: 'completed' });
    const other = start([cached, reply('Two.')], undefined, 1);
    await other.harness.run('Work');
    other.harness.session.choices.setModel('claude-opus-4-8');
    assert.equal((await other.harness.run('More')).reason, 'budget', '400,000 tokens anew are $2');
  });

  it('asks before a compaction and a side question too, though the turn was stopped, and lets none pass', async () => {
    const { harness, model, asked } = start(rounds(), (request) => answered(request, 'Stop here'));
    await harness.run('Work');
    const never = new AbortController().signal;
    const compacted = await featureOf(harness.session, compaction).byHand('', never);
    assert.match(compacted.kind === 'failed' ? compacted.message : '', /^Stopped before the budget of \$5\.00/);
    assert.match(
      (await featureOf(harness.session, sideQuestions).ask('Why?', () => undefined, never)).problem ?? '',
      /^Stopped before the budget/,
    );
    assert.deepEqual([asked.length, model.requests.length], [3, 2]);
  });

  it('keeps an automatic compaction from passing it', async () => {
    const full = withFields(reply('Long.'), { usage: { input_tokens: 990_000, output_tokens: 0 } });
    // $4.95 are used. The summary and the request behind it would take as much each.
    const { harness, model } = start([full, reply('Sum.'), reply('Never.')], undefined, 12);
    await harness.run('Work');
    assert.deepEqual([(await harness.run('More')).reason, model.requests.length], ['budget', 1]);
  });

  it('says when it is used up, for jobs that can be left out', async () => {
    const { harness } = start([two('One.'), two('Two.')], undefined, 4);
    await harness.run('a');
    assert.equal(featureOf(harness.session, budget).passed(), false);
    await harness.run('b');
    assert.equal(featureOf(harness.session, budget).passed(), true);
  });

  it('is none at 0', async () => {
    const { harness } = start(rounds(), () => assert.fail('asked'), 0);
    assert.deepEqual(await harness.run('Work'), { reason: 'completed' });
  });
});

describe('agents within the budget of their conversation', () => {
  const agent = (prompt: string, id: string) => toolUse('Agent', { description: prompt, prompt }, id);
  const work = () => [two(toolUse('Read', {}, 'r1')), two('Found.')];
  const within = (answer: (request: QuestionRequest) => QuestionAnswer) => {
    const asked: string[] = [];
    const questioner = {
      askQuestions: async (request: QuestionRequest) => (
        asked.push(request.questions[0]?.question ?? ''),
        answer(request)
      ),
    };
    const harness = createAgentHarness({
      main: [two(agent('One', 'a1'), agent('Two', 'a2')), reply('Both.')],
      agents: { One: work(), Two: work() },
      ports: { questioner },
      session: { maxDollars: { limit: () => 5, counts: 'session' } },
    });
    return { harness, asked };
  };

  it('count toward it and ask through it, several of them once', async () => {
    const { harness, asked } = within((request) => answered(request, 'Continue without a limit'));
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(asked.length, 1);
    assert.deepEqual(
      harness
        .stored()
        .flatMap((record) => (record.type === 'system' && record.subtype === 'side_usage' ? [record.whom] : []))
        .sort(),
      ['general-purpose: One', 'general-purpose: One', 'general-purpose: Two', 'general-purpose: Two'],
    );
  });

  it('count what the others have under way', async () => {
    // After the first replies $6 are used. One of two requests of $2 each fits into $9 at a time, not both.
    const asked: string[] = [];
    const questioner = {
      askQuestions: async (request: QuestionRequest) => (
        asked.push(request.questions[0]?.question ?? ''),
        answered(request, 'Stop here')
      ),
    };
    const harness = createAgentHarness({
      main: [two(agent('One', 'a1'), agent('Two', 'a2')), reply('Both.')],
      agents: { One: work(), Two: work() },
      ports: { questioner },
      session: { maxDollars: { limit: () => 9, counts: 'session' } },
    });
    await harness.run('Go');
    assert.ok(asked.length >= 1);
    const spent = harness.chat().usage.costUsd;
    assert.ok(spent <= 9, `${spent} of 9`);
  });

  it('all stop with one answer, and so does the conversation', async () => {
    const { harness, asked } = within((request) => answered(request, 'Stop here'));
    assert.equal((await harness.run('Go')).reason, 'budget');
    assert.equal(asked.length, 1);
    assert.equal(harness.model.requests.length, 3);
  });
});
