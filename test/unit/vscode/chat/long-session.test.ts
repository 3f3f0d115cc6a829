// A chat that opens a long session: its last page is before the rest is read, and nothing that is sent goes astray.
import assert from 'node:assert/strict';
import { type Prompt } from '../../../../src/core/events/steering-queue';
import { DeftError } from '../../../../src/core/text/errors';
import { readClaudeCode } from '../../../../src/core/external-sessions/claude-code';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { type HostMessage } from '../../../../src/shared/host-messages';
import { Chat } from '../../../../src/vscode/chat/conversation/chat';
import { type ChatServices, type OpenedSession } from '../../../../src/vscode/chat/conversation/chat-needs';
import { quietChatServices } from '../../../support/quiet-chat';
import { claudeCodeLog } from '../../../support/external-logs';
import { reply } from '../../../support/messages-api/script';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness } from '../../../support/session-harness';

const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
const turn = (index: number): SessionRecord[] => [
  { ...envelope, uuid: `u${index}`, type: 'user', message: { role: 'user', content: `question ${index}` } },
  {
    ...envelope,
    uuid: `a${index}`,
    type: 'assistant',
    message: {
      id: `m${index}`,
      role: 'assistant',
      model: 'claude-opus-5',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: `answer ${index}` }],
    },
  },
  { ...envelope, uuid: `e${index}`, type: 'system', subtype: 'turn_end', reason: 'completed', durationMs: 1 },
];

describe('a chat that opens a long session', () => {
  const records = Array.from({ length: 500 }, (_, index) => turn(index)).flat();
  let chat: Chat;
  let harness: Harness;
  let posts: HostMessage[];
  let open: () => void;
  let unsent: Prompt[];
  let withheld: SessionRecord[];
  let copied: [string, string][];
  let copying: Promise<void>;
  const snapshots = () => posts.flatMap((message) => (message.type === 'snapshot' ? [message.state] : []));

  beforeEach(() => {
    posts = [];
    unsent = [];
    withheld = [];
    copied = [];
    copying = Promise.resolve();
    const opened = new Promise<void>((resolve) => (open = resolve));
    const services = quietChatServices({
      readOwn: async () => withheld,
      copyCheckpoints: async (from, to) => void (copied.push([from, to]), await copying),
      followOwn: async () => ({ records: withheld, stop: () => undefined }),
      sessionEnd: async () => ({ title: 'The whole title', records: records.slice(-300) }),
      openSession: async (
        id: string | undefined,
        connection: Parameters<ChatServices['openSession']>[1],
      ): Promise<OpenedSession> => {
        await opened;
        if (id === 'newer')
          throw new DeftError('session-newer', 'A newer version of Deft wrote this session.', { audience: 'user' });
        harness = createHarness({
          model: createScriptedModel([reply('Here.')]),
          ...(id === undefined ? {} : { records }),
          onEvent: connection.emit,
        });
        return { session: harness.session, resumed: id !== undefined };
      },
      unsent: (prompt) => void unsent.push(prompt),
    });
    chat = new Chat(services, (message) => void posts.push(message));
    chat.poster.snapshot();
  });
  afterEach(() => chat.dispose());

  it('shows the last page first, and the same page with all before it when the session is open', async () => {
    const opening = chat.open('long');
    while (snapshots().length < 2) await new Promise((resolve) => setImmediate(resolve));
    const [, early] = snapshots();
    assert.deepEqual([early?.title, early?.model, early?.sessionId], ['The whole title', 'claude-opus-5', 'long']);
    assert.equal(early?.items.length, 80);
    open();
    await opening;
    const late = snapshots().at(-1);
    assert.deepEqual(late?.items, early?.items);
    assert.equal(late?.olderItems, 1_000 - 80);
    assert.equal(chat.poster.state.items.length, 1_000);
  });

  it('begins a new session where a newer version wrote this one, and says so', async () => {
    open();
    await chat.open('newer');
    await chat.session();
    assert.deepEqual(
      chat.poster.state.items.map((item) => (item.kind === 'notice' ? item.detail : item.kind)),
      ['A newer version of Deft wrote this session.'],
    );
  });

  it('keeps a message that is sent meanwhile until all of it is there', async () => {
    const opening = chat.open('session-1');
    while (snapshots().length < 2) await new Promise((resolve) => setImmediate(resolve));
    const sent = chat.send({ text: 'And now?', images: [] });
    open();
    await Promise.all([opening, sent]);
    await chat.stop();
    assert.ok(harness.session.records.length > records.length);
    const prompts = harness.session.records.flatMap((record) =>
      record.type === 'user' && record.display !== undefined ? [record.display.text] : [],
    );
    assert.deepEqual(prompts, ['And now?']);
  });

  it('gives a message and /compact back where the session cannot be opened, in place of sending them in a new one', async () => {
    const opening = chat.open('newer');
    while (snapshots().length < 2) await new Promise((resolve) => setImmediate(resolve));
    const sent = [
      chat.send({ text: 'And now?', images: [{ name: 'a', mediaType: 'image/png', data: 'aGk=' }] }),
      chat.compact('the schema', '/compact the schema'),
    ];
    open();
    await Promise.all([opening, ...sent]);
    await chat.stop();
    assert.deepEqual(
      unsent.map(({ display }) => [display.text, display.images]),
      [
        ['And now?', 1],
        ['/compact the schema', 0],
      ],
    );
    assert.deepEqual(
      unsent[0]?.content.map(({ type }) => type),
      ['image', 'text'],
    );
    assert.ok(!harness.session.records.some(({ type }) => type === 'user'));
  });

  it('shows a session that it may not write as it stands on the disk, and goes on in a copy', async () => {
    withheld = [...records];
    open();
    await chat.open('newer');
    assert.ok(chat.readOnly);
    assert.deepEqual(
      [chat.poster.state.sessionId, chat.poster.state.external?.name],
      ['withheld:newer', 'a newer version of Deft'],
    );
    await chat.send({ text: 'And now?', images: [] });
    assert.ok(
      chat.poster.state.items.some((item) => item.kind === 'user') &&
        !JSON.stringify(chat.poster.state).includes('And now?'),
    );
    await chat.continueExternal();
    assert.ok(!chat.readOnly);
    assert.deepEqual(copied, [['newer', harness.session.id]], 'with its checkpoints');
    assert.notEqual(chat.poster.state.sessionId, 'withheld:newer');
  });

  it('takes the checkpoints into a copy before anything can be sent in it: what is sent at once waits for them', async () => {
    for (const kind of ['withheld', 'fork'] as const) {
      withheld = [...records];
      copying = Promise.resolve();
      copied = [];
      let copiedNow = (): void => undefined;
      open();
      await chat.open(kind === 'withheld' ? 'newer' : 'session-1');
      const original = kind === 'withheld' ? undefined : harness.session;
      if (original !== undefined)
        Object.defineProperty(original.settings, 'checkpoints', {
          value: { copyTo: async (to: string) => void (copied.push([original.id, to]), await copying) },
        });
      copying = new Promise((resolve) => (copiedNow = resolve));
      const going = kind === 'withheld' ? chat.continueExternal() : chat.fork();
      while (copied.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const sent = chat.send({ text: 'And now?', images: [] }, '');
      for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve));
      const prompts = () =>
        harness.session.records.filter((record) => record.type === 'user' && record.display?.text === 'And now?')
          .length;
      assert.deepEqual([kind, prompts(), copied.map(([, to]) => to)], [kind, 0, [harness.session.id]]);
      copiedNow();
      await Promise.all([going, sent]);
      await chat.stop();
      assert.equal(prompts(), 1);
    }
  });

  it('says where the checkpoints did not come along, and goes on in the copy', async () => {
    withheld = [...records];
    open();
    await chat.open('newer');
    copying = Promise.reject(new Error('The disk is full.'));
    copying.catch(() => undefined);
    await chat.continueExternal();
    assert.ok(!chat.readOnly);
    assert.deepEqual(
      chat.poster.state.items.flatMap((item) => (item.kind === 'notice' ? [[item.title, item.detail]] : [])),
      [['The code cannot be rewound to before this copy.', 'The disk is full.']],
    );
  });

  it('leaves its own session alone while one of another program is shown', async () => {
    open();
    await chat.open('session-1');
    const before = harness.session.records.length;
    const log = claudeCodeLog();
    log.prompt('Look');
    await chat.view(readClaudeCode(log.text().split('\n')));
    const { sessionId } = chat.poster.state;
    assert.ok(chat.readOnly && sessionId.startsWith('claude-code:'));
    assert.equal(await chat.fork('u1'), undefined);
    await chat.compact('');
    await chat.send({ text: 'And now?', images: [] });
    assert.deepEqual([chat.poster.state.sessionId, harness.session.records.length], [sessionId, before]);
    assert.deepEqual(
      chat.poster.state.items.map((item) => (item.kind === 'notice' ? item.title : item.kind)),
      ['user', 'This session is shown read-only.', 'This session is shown read-only.'],
    );
    assert.deepEqual(
      unsent.map(({ display }) => display.text),
      ['And now?'],
    );
  });
});
