// "/compact" while a turn runs: it waits for the turn's end, what was queued waits for it, and a stopped turn calls it off.
import assert from 'node:assert/strict';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices, type OpenedSession } from '../../../../src/vscode/chat/conversation/chat-needs';
import { quietChatServices } from '../../../support/quiet-chat';
import { delayed, errorEvent, reply, stall, type ScriptedReply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

describe('"/compact" while a turn runs', () => {
  let chat: Chat;
  let harness: Harness;
  let model: ScriptedModel;
  const begin = async (...script: ScriptedReply[]): Promise<void> => {
    model = createScriptedModel(script);
    const openSession = async (
      _id: string | undefined,
      connection: Parameters<ChatServices['openSession']>[1],
    ): Promise<OpenedSession> => {
      harness = createHarness({ model, onEvent: connection.emit });
      return { session: harness.session, resumed: false };
    };
    chat = new Chat(quietChatServices({ openSession }), () => undefined);
    await chat.send({ text: 'Explain it', images: [] });
    await until(() => model.requests.length === 1);
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };
  const notices = (): string[] =>
    chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [item.title] : []));
  /** What each request says last. */
  const asked = (): string[] => model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  const isCompacted = (): boolean =>
    harness.session.records.some((record) => record.type === 'system' && record.subtype === 'compact_boundary');
  const gateOf = (): { promise: Promise<void>; open: () => void } => {
    let open = (): void => undefined;
    const promise = new Promise<void>((resolve) => (open = resolve));
    return { promise, open };
  };
  afterEach(() => chat.dispose());

  it('says so, compacts when the turn ends, with what it is to keep, and sends what was queued behind it', async () => {
    const end = gateOf();
    await begin(delayed(reply('An answer. '.repeat(2_000)), end.promise), reply('## Goal\n\nIt.'), reply('And more.'));
    await chat.compact('the first focus');
    await chat.compact('the schema');
    assert.deepEqual(notices(), [
      'The conversation will be compacted when this turn ends.',
      'The conversation will be compacted when this turn ends.',
    ]);
    assert.ok(!isCompacted());
    end.open();
    await until(isCompacted);
    await until(() => !chat.running);
    assert.match(asked()[1] ?? '', /asks you to keep this: the schema/);
    assert.doesNotMatch(asked()[1] ?? '', /first focus/);
    await chat.send({ text: 'Go on', images: [] });
    await until(() => model.requests.length === 3 && !chat.running);
    assert.match(asked()[2] ?? '', /Go on/);
    assert.equal(notices().length, 2, 'once is enough');
  });

  it('compacts after a turn that an error ended too', async () => {
    const end = gateOf();
    await begin(
      reply('Said. '.repeat(2_000)),
      delayed(errorEvent(reply('Cut.'), 2, 'invalid_request_error', 'No.'), end.promise),
      reply('Short.'),
    );
    await until(() => !chat.running);
    await chat.send({ text: 'More', images: [] });
    await until(() => model.requests.length === 2);
    await chat.compact('');
    end.open();
    await until(isCompacted);
    assert.ok(
      harness.session.records.some(
        (record) => record.type === 'system' && record.subtype === 'turn_end' && record.reason !== 'completed',
      ),
    );
  });

  it('is called off where the turn is stopped, and says so', async () => {
    await begin(stall(reply('Never.'), 2, 'forever'));
    await chat.compact('');
    await chat.stop();
    await until(() => notices().length === 3);
    assert.deepEqual(notices(), [
      'The conversation will be compacted when this turn ends.',
      'Stopped.',
      'The conversation was not compacted.',
    ]);
    assert.deepEqual([chat.running, isCompacted(), model.requests.length], [false, false, 1]);
  });
});
