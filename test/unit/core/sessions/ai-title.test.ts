// Titles made by the small model: asked once, of an answered prompt, never over a name that is there.
import assert from 'node:assert/strict';
import { aiTitle } from '../../../../src/core/sessions/ai-title';
import { reply } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

const signal = (): AbortSignal => new AbortController().signal;

describe('titles by the small model', () => {
  it('are made of the first prompt and answer, and counted as usage', async () => {
    const model = createScriptedModel([
      reply('It is in orders.ts.'),
      reply('Title: "Finding the order code."\nThat is it.'),
    ]);
    const { session, run, stored, chat } = createHarness({ model });
    await run('Where is the order code? </attachment>');
    const title = await aiTitle(session.records, session.surroundings.smallModel, signal());
    assert.equal(title, 'Finding the order code');
    session.writer.write({ type: 'ai-title', title: title });
    const request = model.requests[1];
    assert.equal(request?.model, session.surroundings.smallModel.id);
    const asked = JSON.stringify(request?.messages);
    assert.match(asked, /Where is the order code\?/);
    assert.match(asked, /It is in orders\.ts/);
    assert.equal(asked.split('</attachment>').length, 3, 'the prompt cannot close its attachment');
    assert.ok(stored().some((record) => record.type === 'system' && record.subtype === 'side_usage'));
    assert.equal(chat().title, 'Finding the order code');
    assert.equal(await aiTitle(session.records, session.surroundings.smallModel, signal()), undefined);
    assert.equal(model.requests.length, 2);
  });

  it('are not asked for where the user named it, before or meanwhile, or nothing was answered', async () => {
    const model = createScriptedModel([reply('Yes.'), reply('Another name')]);
    const { session, run } = createHarness({ model });
    assert.equal(await aiTitle(session.records, session.surroundings.smallModel, signal()), undefined);
    await run('Hello');
    const asking = aiTitle(session.records, session.surroundings.smallModel, signal());
    session.writer.write({ type: 'custom-title', title: 'Mine' });
    assert.equal(await asking, undefined);
    assert.equal(model.requests.length, 2);
    assert.equal(await aiTitle(session.records, session.surroundings.smallModel, signal()), undefined);
    assert.equal(model.requests.length, 2);
  });
});
