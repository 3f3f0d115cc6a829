// A session whose model the current provider does not have: it continues with another one, the log and the chat say so, once.
import assert from 'node:assert/strict';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { type FittedModel } from '../../../../src/vscode/model/language-models';
import { quietChatServices } from '../../../support/quiet-chat';
import { reply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

describe('the model of a session', () => {
  let chat: Chat;
  let harness: Harness;
  let model: ScriptedModel;
  let fitted: (wanted: string) => FittedModel;

  beforeEach(() => {
    model = createScriptedModel((_request, index) => reply(`Answer ${index}.`));
    fitted = (id) => ({ id, replaced: false });
  });
  afterEach(() => chat.dispose());

  function begin(opened: { resumed: boolean; replacedModel?: string }): void {
    const openSession: ChatServices['openSession'] = async (_id, connection) => {
      harness = createHarness({ model, onEvent: connection.emit });
      return { session: harness.session, ...opened };
    };
    chat = new Chat(
      quietChatServices({ openSession, fitModel: async (wanted) => fitted(wanted), provider: () => 'vscode' }),
      () => undefined,
    );
  }
  async function ask(): Promise<void> {
    const before = model.requests.length;
    await chat.send({ text: 'Hi', images: [] });
    while (model.requests.length === before || chat.running) await new Promise((resolve) => setImmediate(resolve));
  }
  const notices = (): string[] =>
    chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [item.title] : []));
  const settings = (): string[] =>
    harness.session.records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'setting' && record.name === 'model' ? [record.value] : [],
    );

  it('stays where the new provider can have it', async () => {
    begin({ resumed: false });
    await ask();
    await chat.fitModel();
    assert.deepEqual([notices(), settings()], [[], []]);
  });

  it('is another one from the next request on, and the user is told', async () => {
    begin({ resumed: false });
    await ask();
    const before = harness.session.choices.model;
    fitted = (wanted) =>
      wanted === before ? { id: 'vscode:copilot/gpt-5', replaced: true } : { id: wanted, replaced: false };
    await chat.fitModel();
    await chat.fitModel();
    await ask();
    assert.equal(model.requests.at(-1)?.model, 'vscode:copilot/gpt-5');
    assert.deepEqual([notices(), settings()], [['This session continues with gpt-5.'], ['vscode:copilot/gpt-5']]);
    assert.equal(chat.poster.state.model, 'vscode:copilot/gpt-5');
  });

  it('is changed without a word in a session that has only begun', async () => {
    begin({ resumed: false });
    await chat.session();
    fitted = () => ({ id: 'claude-sonnet-5', replaced: true });
    await chat.fitModel();
    assert.deepEqual([notices(), harness.session.choices.model], [[], 'claude-sonnet-5']);
  });

  it('is named and logged as a resumed session is opened with another', async () => {
    begin({ resumed: true, replacedModel: 'vscode:copilot/gpt-5' });
    await chat.session();
    assert.equal(notices().length, 1);
    assert.ok(
      chat.poster.state.items.some(
        (item) => item.kind === 'notice' && item.detail === "There is no gpt-5 among VS Code's models.",
      ),
    );
    assert.deepEqual(settings(), [harness.session.choices.model]);
  });

  it('that is typed by hand goes by the provider’s own name, or is refused with a word', async () => {
    begin({ resumed: false });
    fitted = (wanted) =>
      wanted === 'gpt-5'
        ? { id: 'vscode:copilot/gpt-5', replaced: false }
        : { id: 'vscode:copilot/usual', replaced: true };
    await chat.setModel('gpt-5');
    assert.deepEqual([harness.session.choices.model, notices()], ['vscode:copilot/gpt-5', []]);
    await chat.setModel('nope');
    assert.deepEqual(
      [harness.session.choices.model, notices()],
      ['vscode:copilot/usual', ['This session continues with usual.']],
    );
  });
});
