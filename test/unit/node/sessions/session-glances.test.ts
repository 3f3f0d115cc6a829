// What sessions do, as other windows read it from the disk: in order, told as it changes, and true where whoever worked is gone.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { createSessionGlances, glancesFolder } from '../../../../src/node/sessions/session-glances';
import { byUrgency, glanceFacts, type SessionGlance } from '../../../../src/shared/session-glance';
import { makeTree, type Tree } from '../search-tree';

const glance = (own: Partial<SessionGlance> = {}): SessionGlance => ({ state: 'idle', since: 1, title: 'One', ...own });
const everybody = async (): Promise<boolean> => true;
const nobody = async (): Promise<boolean> => false;

describe('the states of sessions on the disk', () => {
  let place: Tree;
  beforeEach(async () => {
    place = await makeTree({ 'a.jsonl': '', 'b.jsonl': '' });
  });
  afterEach(() => place.remove());
  const glances = () => createSessionGlances(place.root);

  it('are those that were written last', async () => {
    const own = glances();
    const writes = (['working', 'waiting', 'working', 'finished'] as const).map((state) =>
      own.write('a', glance({ state })),
    );
    await Promise.all(writes);
    assert.deepEqual(await glances().read(everybody), new Map([['a', glance({ state: 'finished' })]]));
  });

  it('say that nobody works any more where the process is gone, and that what waits still waits', async () => {
    await glances().write('a', glance({ state: 'working' }));
    await glances().write('b', glance({ state: 'waiting', line: 'Approve: Bash npm test' }));
    const states = async (isHeld: () => Promise<boolean>) =>
      [...(await glances().read(isHeld))].map(([id, { state }]) => [id, state]).sort();
    assert.deepEqual(await states(everybody), [
      ['a', 'working'],
      ['b', 'waiting'],
    ]);
    assert.deepEqual(await states(nobody), [
      ['a', 'idle'],
      ['b', 'waiting'],
    ]);
  });

  it('leave out what is broken or of an unknown kind, and remove those of sessions that are gone', async () => {
    await glances().write('a', glance());
    await glances().write('gone', glance());
    await writeFile(path.join(place.root, glancesFolder, 'b.json'), '{"state":"toString","since":1,"title":""}');
    assert.deepEqual([...(await glances().read(everybody)).keys()], ['a']);
    assert.equal(existsSync(path.join(place.root, glancesFolder, 'gone.json')), false);
    assert.equal(existsSync(path.join(place.root, glancesFolder, 'b.json')), true);
  });

  it('say nothing where the log has changed since, unless a living process has the session', async () => {
    await glances().write('a', glance({ state: 'waiting' }));
    await glances().write('b', glance({ state: 'finished' }));
    const states = async (isHeld: () => Promise<boolean>) => [...(await glances().read(isHeld)).keys()].sort();
    const now = Date.now() / 1000;
    await utimes(path.join(place.root, 'a.jsonl'), now, now + 5);
    assert.deepEqual(await states(nobody), ['a', 'b'], 'closing a log takes a while');
    await utimes(path.join(place.root, 'a.jsonl'), now, now + 60);
    assert.deepEqual(await states(nobody), ['b']);
    assert.equal(await glances().readOne('a', nobody), undefined);
    assert.deepEqual(await states(everybody), ['a', 'b']);
    await glances().write('a', glance({ state: 'waiting' }));
    await utimes(path.join(place.root, glancesFolder, 'a.json'), now, now + 60);
    assert.deepEqual(await states(nobody), ['a', 'b']);
  });

  it('go with their sessions', async () => {
    await glances().write('a', glance({ line: 'The password is in the drawer.' }));
    await createJsonlSessionStore(place.root).remove('a');
    assert.equal(existsSync(path.join(place.root, glancesFolder, 'a.json')), false);
  });

  it('stay where nobody can tell which sessions are gone', async () => {
    await glances().write('a', glance());
    const refused = createSessionGlances(place.root, () => Promise.reject(new Error('EMFILE')));
    assert.deepEqual([...(await refused.read(everybody)).keys()], ['a']);
    assert.equal(existsSync(path.join(place.root, glancesFolder, 'a.json')), true);
  });

  for (const watches of [true, false])
    it(`are told to those who watch, ${watches ? 'by the system' : 'by looks'}`, async () => {
      let told = (): void => undefined;
      const heard = new Promise<void>((resolve) => (told = resolve));
      const end = await glances().watch(
        (id) => {
          if (id === undefined || id === 'a') told();
        },
        { watches, lookMs: 10 },
      );
      await glances().write('a', glance({ state: 'waiting' }));
      await heard;
      end();
      assert.equal((await glances().readOne('a', everybody))?.state, 'waiting');
    });

  it('stand in the order of who needs the user', () => {
    const states = (['idle', 'working', 'failed', 'waiting', 'finished'] as const).map((state) => ({ state }));
    assert.deepEqual(
      [...states, {}].sort(byUrgency).map((one) => ('state' in one ? one.state : undefined)),
      ['waiting', 'working', 'idle', 'failed', 'finished', undefined],
    );
  });

  it('have their facts in one line', () => {
    const changes = { files: 1, added: 3, removed: 1 };
    assert.equal(
      glanceFacts({ branch: 'main', changes, cost: { usd: 0.001, known: false } }),
      'main · +3 −1 · ≥ $0.01',
    );
    assert.equal(glanceFacts({ changes: { files: 0, added: 0, removed: 0 }, cost: { usd: 0, known: true } }), '');
  });
});
