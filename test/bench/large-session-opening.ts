// How long sessions open: until the last page can be shown, until all of it is there, what that takes of memory, and how long nothing else runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createChatProjection } from '../../src/core/projection/chat-projection';
import { foldLog } from '../../src/core/sessions/fold-log';
import { foldInSlices } from '../../src/core/sessions/fold-slices';
import { replayInSlices } from '../../src/core/projection/replay-slices';
import { type SessionStore } from '../../src/core/ports/session-store';
import { createToolRegistry, getAllBaseTools } from '../../src/core/tools/registry';
import { createJsonlSessionStore } from '../../src/node/sessions/jsonl-session-store';
import { emptyChat } from '../../src/shared/chat';
import { shownEnd } from '../../src/vscode/chat/conversation/shown-end';
import { createHarness } from '../support/session-harness';
import { createScriptedModel } from '../support/scripted-model';
import { writeLargeSession } from './large-session';
import type { BenchOptions } from './main';
import type { Report } from './report';

const area = 'core';
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const slices = { pause: () => nextTask(), now: () => performance.now() };
const sessions = {
  '50 MB': { records: 0, bytes: 50e6, resultLines: 60 },
  '100,000 records': { records: 100_000, bytes: 0, resultLines: 4 },
};

export async function measureLargeSessions(report: Report, { quick }: BenchOptions): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'deft-bench-sessions-'));
  const store = createJsonlSessionStore(root);
  try {
    for (const [name, least] of Object.entries(sessions)) {
      const id = `s${least.records}`;
      const written = await writeLargeSession(path.join(root, `${id}.jsonl`), id, least);
      const note = `${(written.bytes / 1e6).toFixed(0)} MB, ${written.records} records`;
      const times = { page: [] as number[], whole: [] as number[], memory: [] as number[], block: [] as number[] };
      for (let run = -1; run < (quick ? 2 : 5); run++) {
        collectGarbage();
        const before = process.memoryUsage().heapUsed;
        const { page, whole, block, after } = await openOnce(store, id);
        if (run < 0) continue;
        times.page.push(page);
        times.whole.push(whole);
        times.memory.push((after - before) / 1e6);
        times.block.push(block);
      }
      report.add({ area, name: `open a session of ${name}: last page`, unit: 'ms', target: 300, note }, times.page);
      report.add({ area, name: `open a session of ${name}: all of it, ready for a request`, unit: 'ms' }, times.whole);
      report.add(
        { area, name: `open a session of ${name}: longest time in which nothing else runs`, unit: 'ms', target: 50 },
        times.block,
      );
      report.add({ area, name: `open a session of ${name}: memory`, unit: 'MB' }, times.memory);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** As a chat opens it, with the fold of its first request. */
async function openOnce(
  store: SessionStore,
  id: string,
): Promise<{ page: number; whole: number; block: number; after: number }> {
  const projection = () =>
    createChatProjection({ registry: createToolRegistry(getAllBaseTools()), folders: [{ name: 'w', path: '/w' }] });
  const blocks = watchBlocks();
  const started = performance.now();
  const end = await store.end?.(id);
  if (end === undefined) throw new Error('The end of the session was not read.');
  const shown = shownEnd(id, end, projection(), { mode: 'default', model: 'm' });
  const page = performance.now() - started;
  if (shown.items.length < 80) throw new Error(`Only ${shown.items.length} items of the last page.`);
  const opened = await store.open(id);
  if (opened === undefined) throw new Error('The session is gone.');
  const state = await replayInSlices(projection(), emptyChat(id, 'default', 'm'), opened.records, slices);
  await nextTask();
  const records = await foldInSlices(opened.records, slices);
  const { session } = createHarness({ model: createScriptedModel([]), session: { log: opened.log, records } });
  await nextTask();
  foldLog(session.records);
  await nextTask();
  const whole = performance.now() - started;
  const block = blocks();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  if (state.items.length < 10_000 || session.records.length < 10_000) throw new Error('The session is not whole.');
  await session.close();
  return { page, whole, block, after };
}

/** The longest time between two turns of the event loop until it is called. */
export function watchBlocks(): () => number {
  let last = performance.now();
  let longest = 0;
  let watching = true;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    watching = false;
    return longest;
  };
}
