// Sessions that are not open: renamed, read and searched, on real files.
import assert from 'node:assert/strict';
import { appendFile, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { createJsonlSessionStore } from '../../../../src/node/sessions/jsonl-session-store';
import { createSessionArchive } from '../../../../src/node/sessions/session-archive';
import { type SessionMatch } from '../../../../src/node/sessions/session-search';
import { makeTree, type Tree } from '../search-tree';

const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
const prompt = (text: string): SessionRecord => ({
  ...envelope,
  uuid: 'u',
  type: 'user',
  message: { role: 'user', content: text },
});
const answer = (text: string): SessionRecord => ({
  ...envelope,
  uuid: 'a',
  type: 'assistant',
  message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'text', text }], stop_reason: 'end_turn' },
});

describe('session archive', () => {
  let place: Tree;
  const store = () => createJsonlSessionStore(place.root);
  const archive = () => createSessionArchive(place.root, store(), '1');
  const fill = async (id: string, records: SessionRecord[]): Promise<void> => {
    const log = await store().create(id);
    log.append(records);
    await log.close();
  };
  const search = async (text: string, limit = 100, signal = new AbortController().signal): Promise<SessionMatch[]> => {
    const matches: SessionMatch[] = [];
    await archive().search(await store().list(), text, { limit, signal, found: (match) => matches.push(match) });
    return matches;
  };
  beforeEach(async () => {
    place = await makeTree({});
  });
  afterEach(() => place.remove());

  it('renames a session, also a large one, and leaves it where it stands in the list', async () => {
    await fill('old', [prompt('First'), answer('x'.repeat(400_000))]);
    await fill('new', [prompt('Second')]);
    await utimes(path.join(place.root, 'old.jsonl'), 1_000, 1_000);
    assert.equal(await archive().rename('old', 'Apples'), true);
    assert.equal((await stat(path.join(place.root, 'old.jsonl'))).mtimeMs, 1_000_000);
    assert.deepEqual(
      (await store().list()).map(({ title }) => title),
      ['Second', 'Apples'],
    );
    const records = await archive().records('old');
    assert.deepEqual(
      records.map(({ type }) => type),
      ['user', 'assistant', 'custom-title'],
    );
    const last = records.at(-1);
    assert.equal(last && 'parentUuid' in last ? last.parentUuid : '', 'a');
    assert.equal(await archive().rename('none', 'Pears'), false);
  });

  it('does not rename one that is open elsewhere, but reads what of it is on disk', async () => {
    await fill('a', [prompt('Hello')]);
    const held = await store().open('a');
    await assert.rejects(archive().rename('a', 'Apples'), { code: 'session-locked' });
    assert.equal((await archive().records('a')).length, 1);
    await held?.log.close();
  });

  it('keeps a title that much was written behind, also without an index', async () => {
    await fill('a', [prompt('Hello'), answer('y'.repeat(200_000))]);
    await archive().rename('a', 'Apples');
    await appendFile(path.join(place.root, 'a.jsonl'), `${JSON.stringify(answer('z'.repeat(200_000)))}\n`);
    assert.deepEqual(
      (await store().list()).map(({ title }) => title),
      ['Apples'],
    );
  });

  it('finds words of prompts, answers, calls and results, whatever their case, and shows their line', async () => {
    await fill('a', [prompt('One\nWhere is the "Bundler"?\nThree')]);
    await fill('b', [answer(`${'far '.repeat(100)}the bundler of the page`)]);
    await fill('c', [
      {
        ...envelope,
        uuid: 'c',
        type: 'assistant',
        message: {
          id: 'm',
          role: 'assistant',
          model: 'bundler-model',
          content: [{ type: 'tool_use', id: 'bundler', name: 'Bash', input: { command: 'ls' } }],
          stop_reason: 'tool_use',
        },
      },
    ]);
    await fill('d', [prompt('bundler '.repeat(200_000))]);
    const lines = Object.fromEntries((await search('BUNDLER')).map(({ session, line }) => [session.id, line]));
    assert.deepEqual(lines, { a: 'Where is the "Bundler"?', b: '…far far far far far the bundler of the page' });
    assert.deepEqual(
      (await search('the "bundler"')).map(({ session }) => session.id),
      ['a'],
    );
  });

  it('ends at the limit, when aborted, and for nothing', async () => {
    for (let at = 0; at < 30; at++) await fill(`s${at}`, [prompt('the same')]);
    assert.equal((await search('same', 5)).length, 5);
    assert.deepEqual(await search('same', 5, AbortSignal.abort()), []);
    assert.deepEqual(await search('  '), []);
  });
});
