import assert from 'node:assert/strict';
import { readClaudeCode } from '../../../../src/core/interchange/claude-code';
import { DeftError } from '../../../../src/core/errors';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { emptyChat } from '../../../../src/shared/chat';
import { createEventPoster } from '../../../../src/vscode/chat/event-poster';
import { createForeignView, isForeignId } from '../../../../src/vscode/chat/foreign-chat';
import { claudeCodeLog, said, used } from '../../../support/foreign-logs';

describe('a chat that shows a session of another program', () => {
  const log = claudeCodeLog();
  log.prompt('Look');
  log.reply('m1', said('I look.'), used('t1', 'Bash', { command: 'ls' }));
  const session = readClaudeCode([...log.text().split('\n'), '{"torn']);
  const opened = () => {
    const failures: string[] = [];
    const titles: string[] = [];
    const poster = createEventPoster(emptyChat('own', 'plan', 'm'), { post: () => undefined, surroundings: () => assert.fail() });
    const view = createForeignView(
      {
        readForeign: (id) => (id === 'codex:broken' ? Promise.reject(new Error('It cannot be read.')) : Promise.resolve(id === 'claude-code:s-1' ? session : undefined)),
        readOwn: async (id) => (id === 'unread' ? [] : session.records),
        projection: () => ({ registry: createToolRegistry([]), folders: [] }),
        initialMode: () => 'default',
        initialModel: () => 'claude-opus-5',
        titleChanged: (title) => void titles.push(title),
      },
      poster,
      (detail) => void failures.push(detail),
    );
    return { view, poster, failures, titles };
  };

  it('shows it under its row, with what it lacks, and Deft\'s own model and mode', async () => {
    const { view, poster, titles } = opened();
    await view.open('claude-code:s-1');
    const { sessionId, title, foreign, items, mode, model, status } = poster.state;
    assert.deepEqual([sessionId, title, mode, model, status], ['claude-code:s-1', 'Look', 'default', 'claude-opus-5', 'idle']);
    assert.deepEqual(foreign, { name: 'Claude Code', note: '1 call in it has no result. 1 line of it cannot be read.' });
    assert.deepEqual(items.map((item) => item.kind), ['user', 'text', 'tool']);
    assert.deepEqual([view.shown, titles], [session, ['Look']]);
    view.leave();
    assert.equal(view.shown, undefined);
  });

  it('shows a session that another window writes, and goes on with it in a copy that keeps everything', async () => {
    const { view, poster } = opened();
    assert.ok(!(await view.showWithheld('unread', new DeftError('session-locked', 'Locked.'))));
    assert.equal(view.continuing(), undefined);
    assert.ok(await view.showWithheld('s-1', new DeftError('session-locked', 'Locked.')));
    const { sessionId, title, foreign, items } = poster.state;
    assert.deepEqual([sessionId, title, foreign?.name], ['withheld:s-1', 'Look', 'another window']);
    assert.deepEqual(items.map((item) => item.kind), ['user', 'text', 'tool']);
    const copy = view.continuing();
    // The chat leaves the view before the copy is made.
    view.leave();
    const records = copy?.('new') ?? [];
    assert.equal(records.length, session.records.length);
    assert.ok(records.every((record) => !('sessionId' in record) || record.sessionId === 'new'));
    assert.equal(view.continuing(), undefined);
    assert.ok(await view.showWithheld('s-1', new DeftError('session-newer', 'Newer.')));
    assert.equal(poster.state.foreign?.name, 'a newer version of Deft');
  });

  it('says why one does not open, and leaves the chat as it is', async () => {
    const { view, poster, failures } = opened();
    await view.open('claude-code:gone');
    await view.open('codex:broken');
    assert.deepEqual(failures, ['Its file is gone.', 'It cannot be read.']);
    assert.deepEqual([poster.state.sessionId, view.shown], ['own', undefined]);
    assert.deepEqual(['codex:a', '1b9d6bcd-bbfd-4b2d'].map(isForeignId), [true, false]);
  });
});
