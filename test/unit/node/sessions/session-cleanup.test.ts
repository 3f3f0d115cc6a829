// What the cleanup takes and what it never touches, on real files.
import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { cleanUpSessions, lastChange } from '../../../../src/node/sessions/session-cleanup';
import { makeTree, type Tree } from '../search-tree';

const day = 86_400_000;
/** The time of the last change to a file's state is the disk's own: the tests look at it from later on. */
const now = Date.now() + 100 * day;
const idOf = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(4)}-${digit.repeat(12)}`;
const [old, fresh, open, locked, gone, goneFresh, linked] = ['1', '2', '3', '4', '5', '6', '7'].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

describe('session cleanup', () => {
  let place: Tree;
  const at = (...names: string[]): string => path.join(place.root, ...names);
  const aged = async (name: string, days: number): Promise<void> => {
    const seconds = (now - days * day) / 1_000;
    await utimes(at('sessions', name), seconds, seconds);
  };
  const put = async (name: string, days: number, text = '{"type":"summary"}\n'): Promise<void> => {
    await mkdir(path.dirname(at('sessions', name)), { recursive: true });
    await writeFile(at('sessions', name), text);
    await aged(name, days);
  };
  const clean = (days = 30, root = at('sessions'), more: { external?: string[]; countOnly?: boolean } = {}) =>
    cleanUpSessions({
      root,
      store: createJsonlSessionStore(root),
      days,
      now,
      home: place.root,
      isOpen: (id) => id === open,
      ...more,
    });
  const left = async (): Promise<string[]> => (await readdir(at('sessions'))).sort();
  beforeEach(async () => {
    place = await makeTree({ 'elsewhere/kept.txt': 'kept' });
  });
  afterEach(() => place.remove());

  it('takes old sessions with their folders, and keeps fresh, open and locked ones', async () => {
    await put(`${old}/tool-results/a.txt`, 40, 'result');
    await put(`${old}/checkpoints/b.txt`, 40, 'before');
    for (const [id, days] of [
      [old, 31],
      [fresh, 29],
      [open, 40],
      [locked, 40],
    ] as const)
      await put(`${id}.jsonl`, days);
    const held = await createJsonlSessionStore(at('sessions')).open(locked);
    const result = await clean();
    assert.deepEqual(await left(), [`${fresh}.jsonl`, `${open}.jsonl`, `${locked}.jsonl`, `${locked}.lock`].sort());
    assert.deepEqual([result.sessions, result.leftovers, result.bytes], [1, 0, 19 + 'result'.length + 'before'.length]);
    await held?.log.close();
  });

  it('keeps everything for 0 days, and in a folder of another program', async () => {
    await put(`${old}.jsonl`, 400);
    assert.equal((await clean(0)).sessions, 0);
    await mkdir(at('.claude', 'projects', 'p'), { recursive: true });
    const external = at('.claude', 'projects', 'p');
    await writeFile(path.join(external, `${old}.jsonl`), '{}\n');
    await utimes(path.join(external, `${old}.jsonl`), 0, 0);
    assert.equal((await clean(30, external)).sessions, 0);
    assert.deepEqual([await left(), await readdir(external)], [[`${old}.jsonl`], [`${old}.jsonl`]]);
    assert.equal((await clean(30, at('sessions'), { external: [at('sessions')] })).sessions, 0);
    assert.deepEqual(
      [(await clean(30, at('sessions'), { countOnly: true })).sessions, await left()],
      [1, [`${old}.jsonl`]],
    );
  });

  it('keeps what was put back lately with its old time, and what came from a wrong clock', async () => {
    const today = Date.now();
    await put(`${old}.jsonl`, 400);
    const look = (from: number) =>
      cleanUpSessions({
        root: at('sessions'),
        store: createJsonlSessionStore(at('sessions')),
        days: 30,
        now: from,
        home: place.root,
        isOpen: () => false,
      });
    assert.deepEqual(
      [(await look(today)).sessions, (await look(today - 400 * day)).sessions, await left()],
      [0, 0, [`${old}.jsonl`]],
    );
    const last = (mtimeMs: number, ctimeMs: number): number | undefined => lastChange({ mtimeMs, ctimeMs }, today);
    assert.deepEqual(
      [last(today - 40 * day, today - day), last(today, 0), last(today + 2 * day, today), last(0, 1)],
      [today - day, today, undefined, undefined],
    );
  });

  it('sweeps what sessions that are gone have left, and nothing else', async () => {
    for (const id of [gone, goneFresh]) await put(`${id}/tool-results/a.txt`, 40, '12345');
    await put(`${gone}/notes.txt`, 40);
    await aged(`${gone}/tool-results`, 40);
    await aged(gone, 40);
    await aged(goneFresh, 20);
    await put('photos/tool-results/a.txt', 40);
    await put('photos/holiday.jpg', 40);
    await aged('photos/tool-results', 40);
    await aged('photos', 40);
    await put('data.jsonl', 400);
    const result = await clean();
    assert.deepEqual([result.sessions, result.leftovers, result.bytes], [0, 1, 5]);
    assert.deepEqual(await left(), [gone, goneFresh, 'data.jsonl', 'photos'].sort());
    assert.deepEqual(await readdir(at('sessions', gone)), ['notes.txt']);
    assert.deepEqual((await readdir(at('sessions', 'photos'))).sort(), ['holiday.jpg', 'tool-results']);
  });

  it('follows no link', async function () {
    if (process.platform === 'win32') return this.skip();
    await mkdir(at('sessions', gone), { recursive: true });
    await symlink(at('elsewhere'), at('sessions', gone, 'tool-results'));
    await symlink(at('elsewhere'), at('sessions', linked));
    await symlink(at('elsewhere', 'kept.txt'), at('sessions', `${fresh}.jsonl`));
    await put(`${old}.jsonl`, 40);
    await symlink(at('elsewhere'), at('sessions', old));
    await aged(gone, 40);
    assert.equal((await clean()).sessions, 1);
    assert.deepEqual(await readdir(at('elsewhere')), ['kept.txt']);
    assert.deepEqual(await left(), [`${fresh}.jsonl`, gone, linked].sort());
  });
});
