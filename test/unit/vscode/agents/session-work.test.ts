// The list of all background work: what is asked of the disk, and what a Stop finds.
import assert from 'node:assert/strict';
import { endWork, titlesOf } from '../../../../src/vscode/agents/session-work';

describe('the list of all background work', () => {
  it('reads the names of sessions only for one that no chat shows, and once', async () => {
    let reads = 0;
    const titleOf = titlesOf(
      async () => (reads++, [{ id: 'a', title: 'One' }]),
      () => assert.fail('Nothing failed.'),
    );
    assert.equal(reads, 0);
    assert.deepEqual(await Promise.all([titleOf('a'), titleOf('b')]), ['One', undefined]);
    assert.equal(reads, 1);
  });

  it('stands without names where the disk refuses, and that is told', async () => {
    const told: unknown[] = [];
    const refused = new Error('EIO');
    const titleOf = titlesOf(
      () => Promise.reject(refused),
      (error) => told.push(error),
    );
    assert.equal(await titleOf('a'), undefined);
    assert.deepEqual(told, [refused]);
  });

  it('stops what the chat has beside its session, what the session has, and says where there is neither', async () => {
    const chat = {
      sideWork: { end: (id: string) => id === 'side' },
      session: async () => ({ controls: { end: async (id: string) => id === 'agent' } }),
    };
    assert.deepEqual(await Promise.all(['side', 'agent', 'gone'].map((id) => endWork(chat, id))), [true, true, false]);
    assert.equal(await endWork(undefined, 'agent'), false);
  });
});
