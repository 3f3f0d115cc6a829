import assert from 'node:assert/strict';
import { heldSecrets } from '../../../../src/vscode/model/held-secrets';

function storage() {
  const kept = new Map<string, string>();
  const listeners = new Set<(event: { key: string }) => void>();
  const asked: string[] = [];
  let fails = false;
  let answering = Promise.resolve();
  return {
    kept,
    asked,
    fireChange: (key: string) => listeners.forEach((listen) => listen({ key })),
    fail: (on: boolean) => void (fails = on),
    /** Nothing is answered until the result is called. */
    hang(): () => void {
      let answer = (): void => undefined;
      answering = new Promise((resolve) => (answer = resolve));
      return answer;
    },
    secrets: {
      async get(name: string) {
        asked.push(name);
        if (fails) throw new Error('The keyring is locked.');
        const value = kept.get(name);
        await answering;
        return value;
      },
      store: async (name: string, value: string) => void kept.set(name, value),
      delete: async (name: string) => void kept.delete(name),
      onDidChange: (listen: (event: { key: string }) => void) => {
        listeners.add(listen);
        return { dispose: () => void listeners.delete(listen) };
      },
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('held secrets', () => {
  it('ask the storage once within five seconds; after them what they hold is given out while it is renewed', async () => {
    const { secrets, kept, asked } = storage();
    let now = 0;
    const held = heldSecrets(secrets, () => now);
    kept.set('key', 'a');
    assert.deepEqual(await Promise.all([held.get('key'), held.get('key'), held.get('other')]), ['a', 'a', undefined]);
    kept.set('key', 'of another window');
    now = 4_999;
    assert.equal(await held.get('key'), 'a');
    assert.deepEqual(asked, ['key', 'other']);
    now = 5_000;
    assert.equal(await held.get('key'), 'a');
    await settled();
    assert.equal(await held.get('key'), 'of another window');
    assert.deepEqual(asked, ['key', 'other', 'key']);
  });

  it('are given out while the window does not answer, and asked for once', async () => {
    const { secrets, kept, asked, hang } = storage();
    let now = 0;
    const held = heldSecrets(secrets, () => now);
    kept.set('key', 'a');
    assert.equal(await held.get('key'), 'a');
    const answer = hang();
    for (now = 10_000; now <= 40_000; now += 10_000) assert.equal(await held.get('key'), 'a');
    assert.deepEqual(asked, ['key', 'key'], 'nothing piles up before a busy window');
    kept.set('key', 'b');
    answer();
    await settled();
    now = 60_000;
    await held.get('key');
    await settled();
    assert.equal(await held.get('key'), 'b');
  });

  it('do not give out again what a renewal read before a change', async () => {
    const { secrets, kept, hang } = storage();
    let now = 0;
    const held = heldSecrets(secrets, () => now);
    kept.set('key', 'a');
    await held.get('key');
    const answer = hang();
    now = 5_000;
    await held.get('key');
    const deleting = held.delete('key');
    answer();
    await deleting;
    await settled();
    assert.equal(await held.get('key'), undefined);
  });

  it('stay while a renewal fails', async () => {
    const { secrets, kept, fail } = storage();
    let now = 0;
    const held = heldSecrets(secrets, () => now);
    kept.set('key', 'a');
    await held.get('key');
    fail(true);
    now = 5_000;
    await held.get('key');
    await settled();
    assert.equal(await held.get('key'), 'a');
  });

  it('are read anew as soon as they changed, whoever changed them', async () => {
    const { secrets, kept, fireChange } = storage();
    const held = heldSecrets(secrets, () => 0);
    assert.equal(await held.get('key'), undefined);
    await held.store('key', 'a');
    assert.equal(await held.get('key'), 'a');
    kept.set('key', 'b');
    fireChange('other');
    assert.equal(await held.get('key'), 'a');
    fireChange('key');
    assert.equal(await held.get('key'), 'b');
    await held.delete('key');
    assert.equal(await held.get('key'), undefined);
    held.dispose();
    fireChange('key');
  });

  it('do not keep what was read while they changed, nor a failure', async () => {
    const { secrets, fail } = storage();
    const held = heldSecrets(secrets, () => 0);
    const storing = held.store('key', 'a');
    const between = held.get('key');
    await storing;
    assert.equal(await held.get('key'), 'a');
    await between;
    fail(true);
    await assert.rejects(async () => held.get('other'), /locked/);
    fail(false);
    assert.equal(await held.get('other'), undefined);
  });
});
