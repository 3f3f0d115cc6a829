// What the user makes of sessions is kept by workspace: marks, and groups that are there while a session is in them.
import assert from 'node:assert/strict';
import { createSessionMarks } from '../../../../src/vscode/window/session-marks';

describe('marks of sessions', () => {
  const kept = new Map<string, unknown>();
  let told = 0;
  const memento = {
    keys: () => [...kept.keys()],
    get: (key: string, fallback?: unknown) => kept.get(key) ?? fallback,
    update: async (key: string, value: unknown) => void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  const marks = () => createSessionMarks(memento as Parameters<typeof createSessionMarks>[0], () => told++);

  it('hold groups and marks apart, also in the next window', async () => {
    await marks().set('a', 'pinned');
    await marks().setGroup('a', 'Bugs');
    await marks().setGroup('b', 'Alpha');
    assert.deepEqual([marks().of('a'), marks().groupOf('a'), marks().groups()], ['pinned', 'Bugs', ['Alpha', 'Bugs']]);
    assert.equal(marks().groupOf('constructor'), undefined);
    assert.equal(told, 3);
  });

  it('have groups that are renamed, joined and removed', async () => {
    await marks().renameGroup('Alpha', 'Bugs');
    assert.deepEqual([marks().groupOf('b'), marks().groups()], ['Bugs', ['Bugs']]);
    await marks().setGroup('b', undefined);
    assert.deepEqual([marks().groupOf('a'), marks().groupOf('b')], ['Bugs', undefined]);
    await marks().renameGroup('Bugs', undefined);
    assert.deepEqual([marks().groups(), marks().of('a')], [[], 'pinned']);
  });
});
