// Questions outside the conversation: they see it, may follow each other, and leave nothing in it.
import assert from 'node:assert/strict';
import { maxSideQuestions } from '../../../../../src/core/features/side-questions/side-questions';
import {
  dropAfter,
  gate,
  reply,
  text,
  thinking,
  toolUse,
  type ScriptedReply,
} from '../../../../support/messages-api/script';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { sideQuestions } from '../../../../../src/core/features/side-questions/side-questions-key';

const never = new AbortController().signal;

describe('side questions', () => {
  const start = (script: readonly ScriptedReply[]) => {
    const model = createScriptedModel(script);
    const harness = createHarness({ model });
    const ask = async (question: string, signal = never) => {
      let said = '';
      const end = await featureOf(harness.session, sideQuestions).ask(question, (more) => void (said += more), signal);
      return { said, ...end };
    };
    return { model, harness, ask };
  };

  it('see the conversation and those before them; the next turn knows of none', async () => {
    const { model, harness, ask } = start([
      reply(toolUse('Look', { text: 'x' })),
      reply('It is four.'),
      reply(thinking('Hm.', 's1'), 'Since two and two.'),
      reply('Yes.'),
      reply('Five.'),
    ]);
    await harness.run('What is it?');
    const before = harness.stored().filter(({ type }) => type === 'user' || type === 'assistant').length;
    assert.deepEqual(await ask('Why four?'), { said: 'Since two and two.' });
    assert.deepEqual(await ask('Sure?'), { said: 'Yes.' });
    assert.equal(harness.stored().filter(({ type }) => type === 'user' || type === 'assistant').length, before);
    const [, main, first, second] = model.requests;
    assert.match(JSON.stringify(first?.messages), /It is four\..*a side question.*Why four\?/);
    assert.match(JSON.stringify(second?.messages), /Why four\?.*Since two and two\..*Sure\?/);
    const prefix = (request: typeof main): string => JSON.stringify([request?.system, request?.tools]);
    assert.equal(prefix(first), prefix(main), 'the beginning comes from the cache');
    await harness.run('And now?');
    assert.doesNotMatch(JSON.stringify(model.requests.at(-1)?.messages), /Why four|Since two/);
    assert.deepEqual(model.violations, []);
    assert.ok(
      harness.stored().some((record) => record.type === 'system' && record.subtype === 'side_usage'),
      'it costs',
    );
  });

  it('work in an empty session, and while a turn runs in the middle of a call', async () => {
    const empty = start([reply('Hello.')]);
    assert.deepEqual(await empty.ask('Hi?'), { said: 'Hello.' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { model, harness, ask } = start([reply(text('Working', gate(held), ' on.')), reply('Aside.')]);
    const turn = harness.run('Go');
    await harness.when((event) => event.type === 'block_delta');
    assert.deepEqual(await ask('How far?'), { said: 'Aside.' });
    release();
    assert.deepEqual(await turn, { reason: 'completed' });
    assert.deepEqual(model.violations, []);
  });

  it('say in words what went wrong: a call, a lost connection, a stop, too many', async () => {
    const { ask, harness } = start([
      reply(toolUse('Look', { text: 'x' })),
      dropAfter(reply('Half an answer.'), { events: 3 }),
      ...Array.from({ length: maxSideQuestions + 1 }, () => reply('Ok.')),
    ]);
    assert.match((await ask('What is in it?')).problem ?? '', /needs files or a command/);
    const lost = await ask('And?');
    assert.ok(lost.problem !== undefined && lost.problem !== '');
    const stop = new AbortController();
    stop.abort();
    assert.equal((await ask('Stopped?', stop.signal)).problem, 'Stopped.');
    for (let count = 0; count < maxSideQuestions; count++) assert.deepEqual(await ask(`${count}?`), { said: 'Ok.' });
    assert.match((await ask('One more?')).problem ?? '', /Close the panel/);
    featureOf(harness.session, sideQuestions).clear();
    assert.deepEqual(await ask('Anew?'), { said: 'Ok.' });
  });
});
