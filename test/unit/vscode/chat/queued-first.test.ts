// What waits since a turn that failed, or since a reload, reaches the model before what is typed later.
import assert from 'node:assert/strict';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices } from '../../../../src/vscode/chat/conversation/chat-needs';
import { delayed, errorEvent, reply, type ScriptedReply } from '../../../support/messages-api/script';
import { quietChatServices } from '../../../support/quiet-chat';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

describe('messages that wait when the next one is typed', () => {
  let chat: Chat;
  let harness: Harness;
  let model: ScriptedModel;
  const begin = (script: ScriptedReply[], records: SessionRecord[] = []): void => {
    model = createScriptedModel(script);
    const openSession: ChatServices['openSession'] = async (_id, { emit }) => {
      harness = createHarness({ model, onEvent: emit, records });
      return { session: harness.session, resumed: records.length > 0 };
    };
    chat = new Chat(quietChatServices({ openSession }), () => undefined);
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  const say = (text: string): Promise<void> => chat.send({ text, images: [] });
  const prompts = (): string[] =>
    harness.session.records.flatMap((record) =>
      record.type === 'user' && record.display !== undefined ? [record.display.text] : [],
    );
  /** A turn that an error ends while these wait. */
  const failWhile = async (...waiting: string[]): Promise<void> => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    begin([
      delayed(errorEvent(reply('Cut.'), 2, 'invalid_request_error', 'No.'), held),
      reply('Both.'),
      reply('Then.'),
      reply('And then.'),
    ]);
    await say('Begin');
    await until(() => model.requests.length === 1);
    for (const text of waiting) await say(text);
    end();
    await until(() => !chat.running);
    assert.equal(model.requests.length, 1, 'nothing is sent by itself after an error');
  };
  afterEach(() => chat.dispose());

  it('go first after a turn that an error ended, in one message with it', async () => {
    await failWhile('A', 'B');
    await say('C');
    await until(() => model.requests.length === 2 && !chat.running);
    assert.deepEqual(prompts(), ['Begin', 'A\n\nB\n\nC']);
    assert.deepEqual([harness.session.pending.waiting.length, chat.poster.state.queue], [0, []]);
  });

  it('go first after a reload', async () => {
    await failWhile('A');
    const stored = harness.stored();
    await chat.dispose();
    begin([reply('Both.')], stored);
    await chat.open('session-1');
    assert.deepEqual(
      chat.poster.state.queue.map(({ text }) => text),
      ['A'],
    );
    await say('B');
    await until(() => model.requests.length === 1 && !chat.running);
    assert.equal(prompts().at(-1), 'A\n\nB');
  });

  it('keep a command at the start of its message: it follows them', async () => {
    await failWhile('A');
    await say('/review this');
    await until(() => !chat.running);
    assert.equal(prompts()[1], 'A');
    assert.ok(!prompts().some((text) => text.includes('A\n\n/review')));
  });
});
