// What it costs a window to show a long session that another window writes, and what that one appends to it.
import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { DeftError } from '../../src/core/text/errors';
import { createToolRegistry, getAllBaseTools } from '../../src/core/tools/registry';
import { createJsonlSessionStore } from '../../src/node/sessions/jsonl-session-store';
import { emptyChat } from '../../src/shared/chat';
import { createEventPoster } from '../../src/vscode/chat/conversation/event-poster';
import { ExternalView } from '../../src/vscode/chat/conversation/external-chat';
import { watchBlocks } from './large-session-opening';
import { writeLargeSession } from './large-session';
import type { BenchOptions } from './main';
import type { Report } from './report';

const area = 'core';
const moreRecords = 20_000;
/** As records of their own. */
const asOthers = (text: string): string =>
  text.replaceAll('toolu_', 'toolu_x').replaceAll('msg_', 'msg_x').replaceAll('"00000000-', '"00000001-');

export async function measureFollowedSession(report: Report, { quick }: BenchOptions): Promise<void> {
  const blocked = { shown: [] as number[], more: [] as number[] };
  for (let run = -1; run < (quick ? 1 : 3); run++) {
    const { shown, more } = await followOnce();
    if (run < 0) continue;
    blocked.shown.push(shown);
    blocked.more.push(more);
  }
  report.add(
    {
      area,
      name: 'show a session of 100,000 records that another window writes: longest time in which nothing else runs',
      unit: 'ms',
      target: 50,
    },
    blocked.shown,
  );
  report.add(
    {
      area,
      name: `${moreRecords.toLocaleString('en')} records more in it: longest time in which nothing else runs`,
      unit: 'ms',
      target: 50,
    },
    blocked.more,
  );
}

async function followOnce(): Promise<{ shown: number; more: number }> {
  const root = mkdtempSync(path.join(tmpdir(), 'deft-bench-followed-'));
  try {
    const store = createJsonlSessionStore(root);
    await writeLargeSession(path.join(root, 's.jsonl'), 's', { records: 100_000, bytes: 0, resultLines: 4 });
    await writeLargeSession(path.join(root, 'more.jsonl'), 's', { records: moreRecords, bytes: 0, resultLines: 4 });
    const appended = asOthers(await readFile(path.join(root, 'more.jsonl'), 'utf8'));
    const poster = createEventPoster(emptyChat('own', 'default', 'm'), {
      post: () => undefined,
      surroundings: () => {
        throw new Error('Nobody looks.');
      },
    });
    const none = { records: [], stop: () => undefined };
    const view = new ExternalView(
      {
        readExternal: async () => undefined,
        readOwn: async () => [],
        folders: () => [],
        followOwn: async (id, follower) => (await store.follow?.(id, follower)) ?? none,
        projection: () => ({ registry: createToolRegistry(getAllBaseTools()), folders: [] }),
        initialMode: () => 'default',
        initialModel: () => 'm',
        titleChanged: () => undefined,
      },
      poster,
      () => undefined,
    );
    const showing = watchBlocks();
    await view.showWithheld('s', new DeftError('session-locked', 'Another window has it.'));
    const shown = showing();
    const before = poster.state.items.length;
    const growing = watchBlocks();
    await appendFile(path.join(root, 's.jsonl'), appended);
    while (poster.state.items.length < before + moreRecords / 4) await later(50);
    const more = growing();
    view.leave();
    poster.dispose();
    return { shown, more };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
