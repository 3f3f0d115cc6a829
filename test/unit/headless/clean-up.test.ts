// Old sessions at the end of a run: removed where the user has set how long they are kept, or where a window has told of it, and never in silence otherwise.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const day = 86_400_000;

describe('headless session cleanup', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const memory = (): string => path.join(place.sessions, 'cleanup.json');
  const settings = async (values: object): Promise<void> => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(path.join(place.home, '.claude/settings.json'), JSON.stringify(values));
  };
  /** A session that has just ended; the times of its file are the disk's own. */
  const session = async (): Promise<string> => {
    server.setScript([reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'json'], { url: server.url });
    return path.join(place.sessions, `${(JSON.parse(end.stdout) as { session_id: string }).session_id}.jsonl`);
  };
  /** A run whose clock is so many days ahead. */
  const later = async (days: number, ...args: string[]): Promise<string> => {
    const clock = path.join(place.home, 'clock.cjs');
    await writeFile(clock, `const now = Date.now; Date.now = () => now() + ${days * day};`);
    server.setScript([reply('Done.')]);
    const end = await place.run(['-p', 'Go', ...args], {
      url: server.url,
      env: { NODE_OPTIONS: `--require ${clock}` },
    });
    assert.equal(end.code, 0, end.stderr);
    return end.stderr;
  };

  it('takes those that are older than the user has set, once a day', async () => {
    const old = await session();
    await settings({ cleanupPeriodDays: 10 });
    await later(1);
    await later(9);
    assert.ok(existsSync(old));
    assert.equal(await later(9.5), '');
    await later(11);
    assert.equal(existsSync(old), false);
    const { lastCleanup } = JSON.parse(await readFile(memory(), 'utf8')) as { lastCleanup: number };
    assert.ok(lastCleanup > Date.now() + 10 * day);
  });

  it('takes nothing for a week after it first came by: a window may know that the user keeps all', async () => {
    const old = await session();
    await settings({ cleanupPeriodDays: 10 });
    await later(200);
    await later(206);
    assert.ok(existsSync(old));
    await later(208);
    assert.equal(existsSync(old), false);
  });

  it('takes nothing where nobody was told', async () => {
    const old = await session();
    await later(200);
    await later(300);
    assert.ok(existsSync(old));
    assert.equal(existsSync(memory()), false);
  });

  it('goes on with what a window has told of, and keeps what the user keeps', async () => {
    const old = await session();
    await writeFile(memory(), JSON.stringify({ lastCleanup: 0, announced: Date.now(), keepAll: true }));
    await later(200);
    assert.ok(existsSync(old), 'the user keeps all');
    await writeFile(memory(), '{');
    await later(200);
    assert.ok(existsSync(old), 'nobody knows what the user wants');
    await writeFile(memory(), JSON.stringify({ lastCleanup: 0, announced: Date.now(), keepAll: false }));
    await later(200);
    assert.equal(existsSync(old), false);
  });

  it('takes nothing where the settings that say so are not read', async () => {
    const old = await session();
    await settings({ cleanupPeriodDays: 10 });
    await later(200, '--setting-sources', 'project');
    await writeFile(path.join(place.home, '.claude/settings.json'), '{ "cleanupPeriodDays": 10');
    await later(200);
    await settings({ cleanupPeriodDays: 0 });
    await later(200);
    assert.ok(existsSync(old));
  });
});
