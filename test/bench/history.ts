// The list of 10,000 sessions: with its index, without, and how long the event loop was blocked meanwhile.
import { randomUUID } from 'node:crypto';
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeRecord } from '../../src/core/sessions/session-codec';
import { listSessions } from '../../src/node/sessions/session-list';
import { searchSessions } from '../../src/node/sessions/session-search';
import type { Report } from './report';

const sessions = 10_000;
const area = 'core';

export async function measureHistory(report: Report, runs: number): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'deft-history-'));
  try {
    for (let at = 0; at < sessions; at++) await writeFile(path.join(root, `${randomUUID()}.jsonl`), sessionText(at));
    const index = path.join(root, '.index.json');
    const listed = async (): Promise<void> => {
      const found = await listSessions(root);
      if (found.length !== sessions) throw new Error(`${found.length} sessions were listed.`);
    };
    const cold = await measured(Math.min(runs, 3), listed, () => rm(index, { force: true }));
    const warm = await measured(runs, listed);
    const searched = await measured(1, async () =>
      searchSessions(root, await listSessions(root), 'nowhere to be found', {
        limit: 100,
        found: () => undefined,
        signal: new AbortController().signal,
      }),
    );
    report.add({ area, name: 'history of 10,000 sessions: listed, index there', unit: 'ms' }, warm.times);
    report.add({ area, name: 'its longest block', unit: 'ms', target: 50 }, warm.blocks);
    report.add({ area, name: 'history of 10,000 sessions: listed, index missing', unit: 'ms' }, cold.times);
    report.add({ area, name: 'its longest block, index missing', unit: 'ms', target: 50 }, cold.blocks);
    report.add({ area, name: 'all 10,000 conversations searched', unit: 'ms' }, searched.times);
    report.add({ area, name: 'its longest block while searching', unit: 'ms', target: 50 }, searched.blocks);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function sessionText(at: number): string {
  const envelope = { parentUuid: null, timestamp: '2026-01-01T00:00:00Z', sessionId: 's', cwd: '/w', version: '1' };
  const message = {
    id: `m${at}`,
    role: 'assistant' as const,
    model: 'claude-opus-5',
    content: [{ type: 'text' as const, text: `It is in module ${at}. `.repeat(40) }],
    stop_reason: 'end_turn' as const,
  };
  return [
    encodeRecord({
      ...envelope,
      uuid: `${at}-1`,
      type: 'user',
      message: { role: 'user', content: `Where is the code for order ${at}?` },
    }),
    encodeRecord({ ...envelope, uuid: `${at}-2`, type: 'assistant', message }),
    '',
  ].join('\n');
}

/** Milliseconds of each run, and its longest stretch without a turn of the event loop. */
async function measured(
  runs: number,
  work: () => Promise<void>,
  before: () => Promise<void> = async () => undefined,
): Promise<{ times: number[]; blocks: number[] }> {
  const times: number[] = [];
  const blocks: number[] = [];
  for (let run = 0; run < runs; run++) {
    await before();
    let last = performance.now();
    let longest = 0;
    let over = false;
    const tick = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (!over) setImmediate(tick);
    };
    setImmediate(tick);
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
    longest = Math.max(longest, performance.now() - last);
    over = true;
    blocks.push(longest);
  }
  return { times, blocks };
}
