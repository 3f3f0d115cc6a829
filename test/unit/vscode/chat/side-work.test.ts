// Side questions of a chat: each is shown as it is asked, and is answered in its turn.
import assert from 'node:assert/strict';
import { emptyChat } from '../../../../src/shared/chat';
import { createSideWork } from '../../../../src/vscode/chat/conversation/side-work';
import { createPendingApprovals } from '../../../../src/vscode/chat/conversation/pending-approvals';
import { createEventPoster } from '../../../../src/vscode/chat/conversation/event-poster';
import { gate, reply, text, type ScriptedReply } from '../../../support/messages-api/script';
import { createManualClock } from '../../../support/manual-clock';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';
import { surroundings } from '../../../support/surroundings';

describe('side questions of a chat', () => {
  const start = (script: readonly ScriptedReply[], opening?: () => Promise<void>) => {
    const harness = createHarness({ model: createScriptedModel(script) });
    const poster = createEventPoster(emptyChat('', 'default', ''), {
      post: () => undefined,
      surroundings,
    });
    const sideWork = createSideWork({
      clock: createManualClock(),
      poster: () => poster,
      session: async () => {
        await opening?.();
        return harness.session;
      },
      send: async () => undefined,
      running: () => false,
      approver: () =>
        createPendingApprovals(
          { open: async () => undefined, textOf: async () => undefined, close: async () => undefined },
          () => undefined,
        ),
      emit: () => undefined,
      notice: () => undefined,
    });
    const shown = () => poster.state.side.map(({ question, answer, state }) => [question, answer, state]);
    return { poster, sideWork, shown };
  };
  const held = () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    return { until, release: () => release() };
  };

  it('shows a second one while the first is answered, and answers both', async () => {
    const { until, release } = held();
    const { sideWork, shown } = start([reply(text('One', gate(until), ' and a half.')), reply('Two.')]);
    const first = sideWork.ask('First?');
    for (let tries = 0; tries < 1_000 && shown()[0]?.[1] !== 'One'; tries++) await new Promise(setImmediate);
    const second = sideWork.ask('Second?');
    assert.deepEqual(shown(), [
      ['First?', 'One', 'asking'],
      ['Second?', '', 'asking'],
    ]);
    release();
    await Promise.all([first, second]);
    assert.deepEqual(shown(), [
      ['First?', 'One and a half.', 'done'],
      ['Second?', 'Two.', 'done'],
    ]);
  });

  it('shows one again where the chat got its session only for it', async () => {
    const { poster, sideWork, shown } = start([reply('Yes.')], async () =>
      poster.reset(emptyChat('s', 'default', 'm')),
    );
    await sideWork.ask('There?');
    assert.deepEqual(shown(), [['There?', 'Yes.', 'done']]);
  });

  it('says why there is no answer, and goes on with the next one', async () => {
    let fails = true;
    const { sideWork, shown } = start([reply('Two.')], async () => {
      if (fails) throw new Error('No session could be created.');
    });
    await sideWork.ask('First?');
    fails = false;
    await sideWork.ask('Second?');
    assert.deepEqual(shown(), [
      ['First?', 'No session could be created.', 'failed'],
      ['Second?', 'Two.', 'done'],
    ]);
  });

  it('shows nothing more of what was closed', async () => {
    const { until, release } = held();
    const { sideWork, shown } = start([reply(text('One', gate(until), ' more.')), reply('Three.')]);
    const asked = [sideWork.ask('First?'), sideWork.ask('Second?')];
    for (let tries = 0; tries < 1_000 && shown()[0]?.[1] !== 'One'; tries++) await new Promise(setImmediate);
    await sideWork.closeQuestions();
    release();
    await Promise.all(asked);
    assert.deepEqual(shown(), []);
    await sideWork.ask('Third?');
    assert.deepEqual(shown(), [['Third?', 'Three.', 'done']]);
  });
});
