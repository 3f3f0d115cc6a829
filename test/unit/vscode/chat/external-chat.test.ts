import assert from 'node:assert/strict';
import { readClaudeCode } from '../../../../src/core/external-sessions/claude-code';
import { type AssistantBlock } from '../../../../src/core/wire/wire';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { DeftError } from '../../../../src/core/text/errors';
import { type SessionFollower } from '../../../../src/core/ports/session-store';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';
import { createEventPoster } from '../../../../src/vscode/chat/conversation/event-poster';
import { ExternalView, isExternalId } from '../../../../src/vscode/chat/conversation/external-chat';
import { claudeCodeLog, said, used } from '../../../support/external-logs';

describe('a chat that shows a session of another program', () => {
  const log = claudeCodeLog();
  log.prompt('Look');
  log.reply('m1', said('I look.'), used('t1', 'Bash', { command: 'ls' }));
  const session = readClaudeCode([...log.text().split('\n'), '{"torn']);
  const opened = () => {
    const failures: string[] = [];
    const titles: string[] = [];
    const followers = new Set<SessionFollower>();
    const poster = createEventPoster(emptyChat('own', 'plan', 'm'), {
      post: () => undefined,
      surroundings: () => assert.fail(),
    });
    const view = new ExternalView(
      {
        readExternal: (id) =>
          id === 'codex:broken'
            ? Promise.reject(new Error('It cannot be read.'))
            : Promise.resolve(id === 'claude-code:s-1' ? session : undefined),
        readOwn: async (id) => (id === 'unread' ? [] : session.records),
        folders: () => [],
        followOwn: async (id, liveFollower) => {
          if (id === 'unread') return { records: [], stop: () => undefined };
          followers.add(liveFollower);
          // Without the result that the reading of the other format gave its call.
          const records = session.records.filter(
            (record) =>
              record.type !== 'user' ||
              typeof record.message.content === 'string' ||
              record.message.content.every(({ type }) => type !== 'tool_result'),
          );
          return {
            records: id === 'live' ? records : [...session.records],
            stop: () => void followers.delete(liveFollower),
          };
        },
        projection: () => ({ registry: createToolRegistry([]), folders: [] }),
        initialMode: () => 'default',
        initialModel: () => 'claude-opus-5',
        titleChanged: (title) => void titles.push(title),
      },
      poster,
      (detail) => void failures.push(detail),
    );
    return { view, poster, failures, titles, followers };
  };

  it("shows it under its row, with what it lacks, and Deft's own model and mode", async () => {
    const { view, poster, titles } = opened();
    await view.open('claude-code:s-1');
    const { sessionId, title, external, items, mode, model, status } = poster.state;
    assert.deepEqual(
      [sessionId, title, mode, model, status],
      ['claude-code:s-1', 'Look', 'default', 'claude-opus-5', 'idle'],
    );
    assert.deepEqual(external, {
      name: 'Claude Code',
      note: '1 call in it has no result. 1 line of it cannot be read.',
    });
    assert.deepEqual(
      items.map((item) => item.kind),
      ['user', 'text', 'tool'],
    );
    assert.deepEqual([view.shown, titles], [session, ['Look']]);
    view.leave();
    assert.equal(view.shown, undefined);
  });

  it('shows a session that another window writes, and goes on with it in a copy that keeps everything', async () => {
    const { view, poster } = opened();
    assert.ok(!(await view.showWithheld('unread', new DeftError('session-locked', 'Locked.'))));
    assert.equal(view.continuing(), undefined);
    assert.ok(await view.showWithheld('s-1', new DeftError('session-locked', 'Locked.')));
    const { sessionId, title, external, items } = poster.state;
    assert.deepEqual([sessionId, title, external?.name], ['withheld:s-1', 'Look', 'another window']);
    assert.deepEqual(
      items.map((item) => item.kind),
      ['user', 'text', 'tool'],
    );
    const copy = view.continuing();
    // The chat leaves the view before the copy is made.
    view.leave();
    const records = copy?.('new') ?? [];
    assert.equal(records.length, session.records.length);
    assert.ok(records.every((record) => !('sessionId' in record) || record.sessionId === 'new'));
    assert.equal(view.continuing(), undefined);
    assert.ok(await view.showWithheld('s-1', new DeftError('session-newer', 'Newer.')));
    assert.equal(poster.state.external?.name, 'a newer version of Deft');
  });

  it('follows what another window says in it, until it is left', async () => {
    const { view, poster, titles, followers } = opened();
    assert.ok(await view.showWithheld('live', new DeftError('session-locked', 'Locked.')));
    const shown = (): unknown =>
      poster.state.items.map((item) => (item.kind === 'tool' ? item.state : 'text' in item ? item.text : item.kind));
    assert.deepEqual(
      [shown(), poster.state.status],
      [['Look', 'I look.', 'waiting'], 'working'],
      'its call still runs there',
    );
    const [follower = assert.fail()] = followers;
    const envelope = {
      uuid: 'n',
      parentUuid: null,
      timestamp: '2026-11-01T11:00:00.000Z',
      sessionId: 's-1',
      cwd: '/w',
      version: '1',
    };
    const reply = (id: string, ...content: AssistantBlock[]): SessionRecord => ({
      ...envelope,
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', stop_reason: null, content },
    });
    const turnEnd: SessionRecord = {
      ...envelope,
      type: 'system',
      subtype: 'turn_end',
      reason: 'completed',
      durationMs: 1,
    };
    await follower.added([{ ...envelope, type: 'system', subtype: 'tool_started', toolUseId: 't1' }]);
    assert.deepEqual([shown(), poster.state.status], [['Look', 'I look.', 'running'], 'working']);
    await follower.added([
      {
        ...envelope,
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] },
        toolState: 'done',
      },
    ]);
    await follower.added([
      reply('m2', { type: 'text', text: 'It is there.' }, { type: 'tool_use', id: 't2', name: 'Bash', input: {} }),
      { ...envelope, type: 'ai-title', title: 'The look' },
    ]);
    assert.deepEqual(
      [shown(), poster.state.title, titles.at(-1)],
      [['Look', 'I look.', 'done', 'It is there.', 'waiting'], 'The look', 'The look'],
    );
    await follower.added([turnEnd]);
    assert.deepEqual([shown(), poster.state.status], [['Look', 'I look.', 'done', 'It is there.', 'stopped'], 'idle']);

    await follower.added([
      { ...envelope, type: 'user', message: { role: 'user', content: 'And now?' } },
      reply('m3', { type: 'tool_use', id: 't3', name: 'Bash', input: {} }),
    ]);
    assert.equal(poster.state.status, 'working');
    await follower.added([
      {
        ...envelope,
        type: 'queue-operation',
        operation: 'enqueue',
        messageId: 'q',
        content: [],
        display: { text: 'Waits', attachments: [], images: 0 },
      },
    ]);
    assert.deepEqual(poster.state.queue, [], 'it can be taken back there, not here');
    // The other window crashed, or was closed.
    follower.held(false);
    await new Promise(setImmediate);
    assert.deepEqual(
      [poster.state.status, shown()],
      ['idle', ['Look', 'I look.', 'done', 'It is there.', 'stopped', 'And now?', 'stopped', 'notice']],
    );
    follower.held(true);
    await new Promise(setImmediate);
    assert.ok(!poster.state.items.some(({ kind }) => kind === 'notice'));

    const copy = view.continuing();
    view.leave();
    assert.equal(followers.size, 0);
    const before = poster.state;
    await follower.added([reply('m4', { type: 'text', text: 'Unseen.' })]);
    assert.deepEqual(poster.state.items, before.items);
    const copied = JSON.stringify(copy?.('new'));
    assert.ok(copied.includes('And now?') && !copied.includes('Unseen.'));
  });

  it('says why one does not open, and leaves the chat as it is', async () => {
    const { view, poster, failures } = opened();
    await view.open('claude-code:gone');
    await view.open('codex:broken');
    assert.deepEqual(failures, ['Its file no longer exists.', 'It cannot be read.']);
    assert.deepEqual([poster.state.sessionId, view.shown], ['own', undefined]);
    assert.deepEqual(['codex:a', '1b9d6bcd-bbfd-4b2d'].map(isExternalId), [true, false]);
  });
});
