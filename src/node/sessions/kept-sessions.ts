// Looks after old sessions for both hosts: when they go, what the user was asked about that, and what is remembered of it beside them.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { cleanupDue, defaultKeptDays, noticeDays } from '../../core/sessions/cleanup-due';
import { errorCode } from '../files/file-error';
import { cleanUpSessions, type CleanupOptions, type CleanupResult } from './session-cleanup';

const dayMs = 86_400_000;

/** Times in milliseconds since the epoch. */
export interface CleanupMemory {
  lastCleanup: number;
  announced: number | undefined;
  /** The user keeps all sessions of this folder. */
  keepAll: boolean;
  /** When a run without anybody to tell first came by and found nothing remembered. */
  waitsSince?: number | undefined;
}

export interface KeptSessions extends Omit<CleanupOptions, 'days' | 'countOnly' | 'external'> {
  /** Names folders of other programs. */
  environment: Readonly<Record<string, string | undefined>>;
  /** `cleanupPeriodDays`; undefined where nobody has set it. */
  days: number | undefined;
  /** What this host knew before there was a file for it. */
  known?: CleanupMemory;
  /** Tells the user that so many will go; true where all are to be kept. Undefined where nobody can be asked. */
  announce: ((many: number, days: number) => Promise<boolean>) | undefined;
}

/** Undefined where nothing was due. What is remembered and cannot be read keeps all. */
export async function lookAfterSessions({
  days,
  known,
  announce,
  environment,
  ...cleanup
}: KeptSessions): Promise<CleanupResult | undefined> {
  const { root, now } = cleanup;
  const file = path.join(root, 'cleanup.json');
  const read = await readMemory(file);
  if (read === 'unreadable') return undefined;
  const memory = merged(read, known);
  const remember = async (changed: Partial<CleanupMemory>): Promise<void> =>
    writeMemory(file, Object.assign(memory, changed));
  if (JSON.stringify(memory) !== JSON.stringify(merged(read, undefined))) await remember({});
  if (memory.keepAll || now - memory.lastCleanup < dayMs) return undefined;
  const kept = { ...cleanup, external: otherHomes(cleanup.home, environment), days: days ?? defaultKeptDays };
  if (announce === undefined && days !== undefined) {
    // An older version remembered *Keep All* where only the window looks, which copies it here.
    if (read.isNew) await remember({ waitsSince: now });
    if (memory.waitsSince !== undefined && now - memory.waitsSince < noticeDays * dayMs) return undefined;
  }
  const state = { ...memory, set: days !== undefined, canAsk: announce !== undefined };
  const first = !state.set && state.canAsk && memory.lastCleanup === 0 && memory.announced === undefined;
  const wouldGo = first ? (await cleanUpSessions({ ...kept, countOnly: true })).sessions : 0;
  const due = cleanupDue(now, state, wouldGo);
  if (due === 'announce') {
    await remember({ announced: now });
    if ((await announce?.(wouldGo, kept.days)) === true) await remember({ keepAll: true });
  }
  if (due !== 'clean') return undefined;
  await remember({ lastCleanup: now });
  return cleanUpSessions(kept);
}

function merged(read: CleanupMemory, known: CleanupMemory | undefined): CleanupMemory {
  return {
    lastCleanup: Math.max(read.lastCleanup, known?.lastCleanup ?? 0),
    announced: read.announced ?? known?.announced,
    keepAll: read.keepAll || known?.keepAll === true,
    ...defined({ waitsSince: read.waitsSince }),
  };
}

function otherHomes(home: string, environment: KeptSessions['environment']): string[] {
  const { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex } = environment;
  return [claude, codex].flatMap((folder) => (folder ? [path.resolve(home, folder)] : []));
}

/** `isNew`: there is no file. */
async function readMemory(file: string): Promise<(CleanupMemory & { isNew: boolean }) | 'unreadable'> {
  const nothing = { lastCleanup: 0, announced: undefined, keepAll: false, isNew: true };
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!isObject(value)) return 'unreadable';
    const { lastCleanup = 0, announced, keepAll = false, waitsSince } = value;
    const isTime = (one: unknown): one is number => typeof one === 'number' && one >= 0;
    const mayBeTime = (one: unknown): one is number | undefined => one === undefined || isTime(one);
    if (!isTime(lastCleanup) || !mayBeTime(announced) || !mayBeTime(waitsSince) || typeof keepAll !== 'boolean')
      return 'unreadable';
    return { lastCleanup, announced, keepAll, ...defined({ waitsSince }), isNew: false };
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? nothing : 'unreadable';
  }
}

async function writeMemory(file: string, memory: CleanupMemory): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, JSON.stringify(memory));
  await rename(part, file);
}
