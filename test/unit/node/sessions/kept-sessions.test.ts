// What a window tells of old sessions, and what both hosts remember of that, on real files.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { type CleanupMemory, lookAfterSessions } from '../../../../src/node/sessions/kept-sessions';
import { makeTree, type Tree } from '../search-tree';

const day = 86_400_000;
const start = Date.now() + 100 * day;
const id = '11111111-1111-4111-8111-111111111111';

describe('what is remembered of old sessions', () => {
  let place: Tree;
  let told: [many: number, days: number][];
  beforeEach(async () => {
    place = await makeTree({ 'elsewhere/kept.txt': 'kept' });
    told = [];
    await mkdir(path.join(place.root, 'sessions'));
    await writeFile(path.join(place.root, 'sessions', `${id}.jsonl`), '{"type":"summary"}\n');
  });
  afterEach(() => place.remove());

  const root = (): string => path.join(place.root, 'sessions');
  const look = (at: number, more: { keeps?: boolean; known?: CleanupMemory; days?: number; alone?: true } = {}) =>
    lookAfterSessions({
      ...{ root: root(), store: createJsonlSessionStore(root()), now: at, home: place.root, environment: {} },
      isOpen: () => false,
      days: more.days,
      announce: more.alone ? undefined : async (...which) => (told.push(which), more.keeps === true),
      ...(more.known === undefined ? {} : { known: more.known }),
    });
  const memory = async (): Promise<unknown> =>
    JSON.parse(await readFile(path.join(root(), 'cleanup.json'), 'utf8')) as unknown;
  const isThere = async (): Promise<boolean> => (await readdir(root())).includes(`${id}.jsonl`);

  it('tells once, and takes them a week later', async () => {
    await look(start);
    await look(start + 6 * day);
    assert.deepEqual(told, [[1, 30]]);
    assert.ok(await isThere());
    assert.equal((await look(start + 7 * day))?.sessions, 1);
    assert.equal(await isThere(), false);
    assert.deepEqual(await memory(), { lastCleanup: start + 7 * day, announced: start, keepAll: false });
  });

  it('keeps all where the user says so, whatever is set later', async () => {
    await look(start, { keeps: true });
    await look(start + 30 * day, { days: 1 });
    assert.ok(await isThere());
    assert.deepEqual(await memory(), { lastCleanup: 0, announced: start, keepAll: true });
  });

  it('waits a week for a window before anything goes without one, and tells as if nothing had been', async () => {
    await look(start, { alone: true, days: 10 });
    await look(start + 6 * day, { alone: true, days: 10 });
    assert.ok(await isThere());
    assert.deepEqual(await memory(), { lastCleanup: 0, keepAll: false, waitsSince: start });
    await look(start + 6 * day, { known: { lastCleanup: 0, announced: undefined, keepAll: true } });
    await look(start + 8 * day, { alone: true, days: 10 });
    assert.ok(await isThere());
    assert.deepEqual(told, []);
  });

  it('tells before the first ones go where a run has come by and the setting is gone', async () => {
    await look(start, { alone: true, days: 10 });
    await look(start + 8 * day);
    assert.deepEqual(told, [[1, 30]]);
    assert.ok(await isThere());
  });

  it('takes over what an older version remembered elsewhere', async () => {
    await look(start, { known: { lastCleanup: 0, announced: start - 8 * day, keepAll: true } });
    assert.ok(await isThere());
    assert.deepEqual(await memory(), { lastCleanup: 0, announced: start - 8 * day, keepAll: true });
    assert.deepEqual(told, []);
  });
});
