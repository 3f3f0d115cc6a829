// A model in a loop, in a window: after eight equal calls with equal results the user is asked, and their answer decides.
import assert from 'node:assert/strict';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { safeTool, said } from '../../../support/fake-tools';
import { reply, toolUse } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('the same call again and again, in a window', () => {
  let chat: Chat;
  let model: ScriptedModel;
  let ran: number;
  let notified: string[];
  /** `result`: of the nth call. */
  const begin = (result: (call: number) => string = () => 'nothing'): void => {
    ran = 0;
    notified = [];
    const look = safeTool('Look', { call: async () => said(result(++ran)) });
    model = createScriptedModel((_request, index) => (index < 16 ? reply(toolUse('Look', {})) : reply('Enough.')));
    const openSession: ChatServices['openSession'] = async (_id, { emit, approver, questioner }) => ({
      session: createHarness({ model, tools: [look], onEvent: emit, ports: { approver, questioner } }).session,
      resumed: false,
    });
    const notify: ChatServices['notify'] = (event, text) => void notified.push(`${event}: ${text}`);
    chat = new Chat(quietChatServices({ openSession, notify }), () => undefined);
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  const asked = async () => {
    await until(() => chat.questions.requests.length === 1);
    const [request] = chat.questions.requests;
    const question = request?.questions[0]?.question ?? '';
    return { id: request?.id ?? '', question };
  };
  const answer = async (label: string): Promise<void> => {
    const { id, question } = await asked();
    assert.ok(chat.questions.answer(id, { behavior: 'answered', answers: { [question]: label } }));
  };
  afterEach(async () => {
    await chat.dispose();
    assert.deepEqual(model.violations, []);
  });

  it('is asked about at the eighth, in the words of the call, and nothing runs meanwhile', async () => {
    begin();
    await chat.send({ text: 'Go', images: [] });
    const { question } = await asked();
    assert.match(question, /^The model has made the same call 8 times in a row, with the same result: Look \{\}\./);
    assert.deepEqual([ran, model.requests.length, chat.poster.state.status], [8, 8, 'waiting']);
    assert.equal(chat.poster.state.questions.length, 1, 'the card is shown');
    assert.deepEqual(notified, [`question: ${question}`]);
    assert.match(JSON.stringify(model.requests[3]?.messages.at(-1)), /The last 3 calls were the same/);
  });

  it('goes on where the user says so, and is asked about again after eight more', async () => {
    begin();
    await chat.send({ text: 'Go', images: [] });
    await answer('Continue');
    await until(() => ran === 16);
    await asked();
    assert.equal(model.requests.length, 16);
    await answer('Continue');
    await until(() => !chat.running);
    assert.equal(chat.poster.state.items.at(-1)?.kind, 'text');
  });

  for (const [how, act] of [
    ['the user says so', () => answer('Stop here')],
    [
      'the user closes the question',
      async () => void chat.questions.answer((await asked()).id, { behavior: 'dismissed' }),
    ],
  ] as const)
    it(`ends the turn where ${how}, and what was done stays`, async () => {
      begin();
      await chat.send({ text: 'Go', images: [] });
      await act();
      await until(() => !chat.running);
      assert.deepEqual([ran, model.requests.length], [8, 8]);
      const last = chat.poster.state.items.at(-1);
      assert.ok(last?.kind === 'notice');
      assert.match(`${last.title} ${last.detail}`, /^Paused\. The model has made the same call 8 times in a row/);
    });

  it('is no question where a result differs', async () => {
    begin((call) => (call % 7 === 0 ? `other ${call}` : 'nothing'));
    await chat.send({ text: 'Go', images: [] });
    await until(() => !chat.running);
    assert.deepEqual([ran, chat.questions.requests, notified], [16, [], ['ended: Go']]);
  });
});
