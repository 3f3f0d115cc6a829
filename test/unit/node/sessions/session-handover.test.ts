// A session that another window has open: its holder is asked, and closes it or keeps it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SessionLog, type SessionWish } from '../../../../src/core/ports/session-store';
import { askHolder, hearQuestions } from '../../../../src/node/sessions/session-handover';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { makeTree, type Tree } from '../search-tree';

describe('a session that is asked for', () => {
  let place: Tree;
  let log: SessionLog;
  const store = () => createJsonlSessionStore(place.root);
  const file = (name: string): string => path.join(place.root, name);

  beforeEach(async () => {
    place = await makeTree({});
    log = await store().create('a');
    log.append([
      {
        type: 'user',
        uuid: 'u',
        parentUuid: null,
        timestamp: '2026-11-27T00:00:00.000Z',
        sessionId: 'a',
        cwd: '/w',
        version: '0',
        message: { role: 'user', content: 'one' },
      },
    ]);
    await log.sync();
  });
  afterEach(async () => {
    await log.close();
    await place.remove();
  });

  it('is closed by its holder, and then open to whoever asked', async () => {
    const wishes: SessionWish[] = [];
    log.onWanted?.(async (wish) => {
      wishes.push(wish);
      // What the holder does takes its time: its turn ends first.
      setTimeout(() => void log.close(), 300);
      return true;
    });
    assert.equal(await store().ask?.('a', 'taken-over'), true);
    assert.deepEqual(wishes, ['taken-over']);
    const opened = await store().open('a');
    assert.equal(opened?.records.length, 1);
    await opened?.log.close();
    assert.equal(existsSync(file('a.lock.wanted')), false);
  });

  it('is kept by a holder that uses it, who says so at once', async () => {
    log.onWanted?.(async (wish) => wish === 'taken-over');
    assert.equal(await store().ask?.('a', 'unless-seen'), false);
    await assert.rejects(store().open('a'), { code: 'session-locked' });
    assert.equal(existsSync(file('a.lock.wanted')), false);
  });

  it('is not free where the holder does not hear, and no question stays behind', async () => {
    assert.equal(await askHolder(file('a.lock'), 'taken-over', async () => true, 200), false);
    assert.equal(existsSync(file('a.lock.wanted')), false);
  });

  it('is free where nobody has it', async () => {
    await log.close();
    assert.equal(await store().ask?.('a', 'unless-seen'), true);
  });

  it('is heard by looks where the system reports nothing', async () => {
    let heard = (): void => undefined;
    const hearing = new Promise<void>((resolve) => (heard = resolve));
    const end = hearQuestions(file('b.lock'), async () => (heard(), false), { watches: false, lookMs: 20 });
    try {
      const kept = askHolder(file('b.lock'), 'taken-over', async () => true);
      await hearing;
      assert.equal(await kept, false);
    } finally {
      end();
    }
  });

  it('is not given up for a question that somebody left behind long ago, nor for anything else in that file', async () => {
    const wishes: SessionWish[] = [];
    const end = hearQuestions(file('a.lock'), async (wish) => wishes.push(wish) > 0);
    try {
      await writeFile(file('old'), 'taken-over');
      await utimes(file('old'), 1_000, 1_000);
      await rename(file('old'), file('a.lock.wanted'));
      await sleep(700);
      await writeFile(file('a.lock.wanted'), 'something');
      await sleep(700);
      assert.deepEqual(wishes, []);
      await writeFile(file('a.lock.wanted'), 'taken-over');
      await sleep(700);
      assert.deepEqual(wishes, ['taken-over'], 'a new one is heard');
    } finally {
      end();
    }
  });
});
