// A chat that opens, fails to close and is closed itself: it stays usable, and leaves no session open behind it.
import assert from 'node:assert/strict';
import { DeftError } from '../../../../src/core/text/errors';
import { type SessionLog } from '../../../../src/core/ports/session-store';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices, type OpenedSession } from '../../../../src/vscode/chat/conversation/chat-needs';
import { quietChatServices } from '../../../support/quiet-chat';
import { reply } from '../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../support/scripted-model';
import { createHarness } from '../../../support/session-harness';

describe('a chat that opens and closes sessions', () => {
  const open = new Set<string>();
  let begun: string[];
  let model: ScriptedModel;
  let closeFails: ReadonlySet<string>;
  let titles: string[];

  const logOf = (id: string): SessionLog => ({
    id,
    path: `/sessions/${id}.jsonl`,
    append: () => undefined,
    sync: async () => undefined,
    close: async () => {
      open.delete(id);
      if (closeFails.has(id)) throw new DeftError('session-no-space', 'The disk is full.', { audience: 'user' });
    },
  });
  const chatOf = (own: Partial<ChatServices> = {}): Chat => {
    const openSession: ChatServices['openSession'] = async (id, connection): Promise<OpenedSession> => {
      const name = id ?? `new-${begun.length + 1}`;
      begun.push(name);
      open.add(name);
      return {
        session: createHarness({ model, onEvent: connection.emit, session: { log: logOf(name) } }).session,
        resumed: id !== undefined,
      };
    };
    return new Chat(
      quietChatServices({ openSession, titleChanged: (title) => void titles.push(title), ...own }),
      () => undefined,
    );
  };
  const notices = (chat: Chat): string[] =>
    chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [`${item.title} ${item.detail}`] : []));
  const gateOf = (): { promise: Promise<void>; open: () => void } => {
    let pass = (): void => undefined;
    const promise = new Promise<void>((resolve) => (pass = resolve));
    return { promise, open: pass };
  };

  beforeEach(() => {
    open.clear();
    begun = [];
    titles = [];
    closeFails = new Set();
    model = createScriptedModel([reply('Here.')]);
  });

  it('opens another session where the one before cannot be closed, and says that its end is not saved', async () => {
    closeFails = new Set(['first']);
    const chat = chatOf();
    await chat.open('first');
    await chat.open(undefined);
    assert.deepEqual(notices(chat), ['The end of the previous session was not saved. The disk is full.']);
    assert.equal((await chat.session()).id, 'new-2');
    await chat.open('third');
    assert.equal((await chat.session()).id, 'third');
    await chat.dispose();
    assert.deepEqual([...open], []);
  });

  it('stays usable where a session of another program cannot be shown', async () => {
    const chat = chatOf();
    await chat.open('first');
    const broken = {
      source: 'codex' as const,
      id: 's',
      title: '',
      cwd: '',
      records: [null as never],
      from: 0,
      incomplete: [],
      agents: [],
      unreadable: 0,
    };
    await assert.rejects(chat.view(broken));
    assert.equal((await chat.session()).id, 'first');
    await chat.open('second');
    assert.equal((await chat.session()).id, 'second');
    await chat.dispose();
  });

  it('opens none where it is closed while the end of one is read', async () => {
    const reading = gateOf();
    const chat = chatOf({ sessionEnd: async () => void (await reading.promise) });
    const opening = chat.open('first');
    const closed = chat.dispose();
    reading.open();
    await Promise.all([opening, closed]);
    assert.deepEqual([begun, [...open]], [[], []]);
  });

  it('closes the one that opens while it is closed, and a place that is gone hears nothing of it', async () => {
    const slow = gateOf();
    let asked = false;
    const chat = chatOf({
      openSession: async (id, connection) => {
        asked = true;
        await slow.promise;
        open.add('late');
        return {
          session: createHarness({ model, onEvent: connection.emit, session: { log: logOf(id ?? 'late') } }).session,
          resumed: false,
        };
      },
      sessionChanged: () => assert.fail('the place is gone'),
    });
    const session = chat.session();
    const refused = assert.rejects(session, /closed/);
    while (!asked) await new Promise((resolve) => setImmediate(resolve));
    const closed = chat.dispose();
    slow.open();
    await Promise.all([refused, closed]);
    assert.deepEqual([[...open], titles], [[], []]);
  });

  it('closes the one whose place fails as it is shown', async () => {
    const chat = chatOf({
      titleChanged: () => {
        throw new Error('Webview is disposed');
      },
    });
    await assert.rejects(chat.session(), /Webview is disposed/);
    assert.deepEqual([begun, [...open]], [['new-1'], []]);
    await chat.dispose();
  });

  it('begins none once it is closed, and asks no model', async () => {
    const chat = chatOf();
    await chat.dispose();
    await assert.rejects(chat.session(), /closed/);
    await chat.send({ text: 'Unseen', images: [] });
    await chat.open('first');
    assert.deepEqual([begun, model.requests.length], [[], 0]);
  });
});
