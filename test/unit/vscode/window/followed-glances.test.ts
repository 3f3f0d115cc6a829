// The states that others write, as a window follows them: told where something is other than before, and only then; nothing is missed.
import assert from 'node:assert/strict';
import { createSessionGlances, type SessionGlances } from '../../../../src/node/sessions/session-glances';
import { type SessionGlance } from '../../../../src/shared/session-glance';
import { FollowedGlances, type FollowedGlancesOptions } from '../../../../src/vscode/window/followed-glances';
import { makeTree, type Tree } from '../../node/search-tree';

const glance = (own: Partial<SessionGlance> = {}): SessionGlance => ({ state: 'idle', since: 1, title: 'One', ...own });

describe('the states of others, followed', () => {
  let place: Tree;
  let ends: FollowedGlances[];
  let failures: unknown[];
  beforeEach(async () => {
    place = await makeTree({ 'a.jsonl': '', 'b.jsonl': '' });
    ends = [];
    failures = [];
  });
  afterEach(async () => {
    ends.forEach((one) => one.dispose());
    await place.remove();
    assert.deepEqual(failures, []);
  });
  const follow = (glances: FollowedGlancesOptions['glances'], own: Partial<FollowedGlancesOptions> = {}) => {
    const one = new FollowedGlances({
      glances,
      isHeld: async () => true,
      changed: () => undefined,
      failed: (error) => failures.push(error),
      ...own,
    });
    ends.push(one);
    return one;
  };
  /** As the store's own, with the ticks in the hands of the test. */
  const ticked = (own: Partial<SessionGlances> = {}) => {
    let tick: (id: string | undefined) => void = () => assert.fail('Nobody watches.');
    const glances = {
      ...createSessionGlances(place.root),
      watch: async (changed: (id: string | undefined) => void) => {
        tick = changed;
        return () => undefined;
      },
      ...own,
    };
    return { glances, tick: (id?: string) => tick(id) };
  };

  it('tell nothing at looks that find nothing new, and once what is new', async () => {
    const { glances, tick } = ticked();
    await glances.write('a', glance());
    let told = 0;
    const followed = follow(glances, { changed: () => told++ });
    assert.deepEqual([...(await followed.read()).keys()], ['a']);
    for (let at = 0; at < 5; at++) {
      tick();
      await followed.look();
    }
    assert.equal(told, 0);
    await glances.write('b', glance({ state: 'waiting' }));
    tick();
    await followed.look();
    assert.equal(told, 1);
    assert.equal((await followed.read()).get('b')?.state, 'waiting');
  });

  it('are looked at by one look at a time, however many ticks there are', async () => {
    let [now, most, looks] = [0, 0, 0];
    const { glances, tick } = ticked();
    const { read } = glances;
    const followed = follow({
      ...glances,
      read: async (isHeld) => {
        looks++;
        most = Math.max(most, ++now);
        const found = await read(isHeld);
        now--;
        return found;
      },
    });
    await followed.read();
    for (let at = 0; at < 20; at++) tick();
    await followed.look();
    assert.equal(most, 1);
    assert.ok(looks <= 3, `${looks} looks`);
  });

  it('have what was written during the first look', async () => {
    const { glances, tick } = ticked();
    const { read } = glances;
    await glances.write('a', glance());
    const followed = follow({
      ...glances,
      read: async (isHeld) => {
        const found = await read(isHeld);
        await glances.write('a', glance({ state: 'waiting' }));
        tick('a');
        return found;
      },
    });
    assert.equal((await followed.read()).get('a')?.state, 'waiting');
  });

  it('are not looked at before anybody asks, and leave out what the window shows itself', async () => {
    const { glances } = ticked({ readOne: async () => assert.fail('Nobody asked.') });
    await follow(glances).look('a');
    await glances.write('a', glance());
    const followed = follow(glances, { isOwn: (id) => id === 'a' });
    assert.deepEqual([...(await followed.read()).keys()], []);
  });

  it('are told as the system tells of them', async () => {
    const own = createSessionGlances(place.root);
    let told: () => void = () => undefined;
    const heard = new Promise<void>((resolve) => (told = resolve));
    const followed = follow(own, { changed: () => told() });
    await followed.read();
    await own.write('a', glance({ state: 'waiting' }));
    await heard;
    assert.equal((await followed.read()).get('a')?.state, 'waiting');
  });

  it('are told of ten sessions that change at once without a single look by the clock', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `s${at}`);
    const { setInterval: usual } = globalThis;
    let [intervals, reads] = [0, 0];
    globalThis.setInterval = ((...args: Parameters<typeof usual>) => {
      intervals++;
      return usual(...args);
    }) as typeof usual;
    try {
      const own = createSessionGlances(place.root, async () => ids.map((id) => `${id}.jsonl`));
      for (const id of ids) await own.write(id, glance());
      let told: () => void = () => undefined;
      const followed = follow(
        {
          ...own,
          read: (isHeld) => {
            reads++;
            return own.read(isHeld);
          },
        },
        { changed: () => told() },
      );
      await followed.read();
      const waits = async (): Promise<boolean> =>
        [...(await followed.read()).values()].every(({ state }) => state === 'waiting');
      const all = new Promise<void>((resolve) => (told = () => void waits().then((yes) => yes && resolve())));
      await Promise.all(ids.map((id) => own.write(id, glance({ state: 'waiting' }))));
      await all;
      assert.equal((await followed.read()).size, 10);
      assert.deepEqual({ intervals, reads }, { intervals: 0, reads: 1 }, 'each change is read by itself');
    } finally {
      globalThis.setInterval = usual;
    }
  });
});
