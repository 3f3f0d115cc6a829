// Finds the sessions that Claude Code and Codex keep of a workspace, and reads them. Nothing in their folders is ever written.
import { mkdir, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DeftError } from '../../core/text/errors';
import { claudeCodeTitle, readClaudeCode } from '../../core/external-sessions/claude-code';
import { codexFacts, readCodex } from '../../core/external-sessions/codex';
import { type ExternalSession, type ExternalSource, parseLines } from '../../core/external-sessions/external-session';
import { readSessionText } from '../../core/external-sessions/read-session-text';
import { fileErrorSentence } from '../files/file-error';
import { searchExternal } from './external-search';
import { type SearchOptions } from './session-search';
import { readExternalIndex, type SeenFile, writeExternalIndex } from './external-index';

export interface ExternalRow {
  /** "claude-code:…" or "codex:…": no id of Deft's own has a colon. */
  id: string;
  source: ExternalSource;
  title: string;
  updatedAt: number;
  sizeBytes: number;
}

export interface ExternalSessions {
  /** Of the workspace, newest first. */
  list(): Promise<ExternalRow[]>;
  /** By the id of its row, or by the other program's own id. Undefined where the workspace has none such. */
  find(id: string): Promise<ExternalRow | undefined>;
  /** Of the workspace's, those that hold the words, newest first. */
  search(text: string, options: SearchOptions<ExternalRow>): Promise<void>;
  /** Throws a DeftError where the file cannot be read. */
  read(id: string): Promise<ExternalSession | undefined>;
}

export interface ExternalPlaces {
  home: string;
  environment: NodeJS.ProcessEnv;
  folders: () => readonly string[];
  /** Deft's own folder: what was seen of the files is remembered there. */
  cache: string;
}

const maxBytes = 256 * 1024 * 1024;
const edgeBytes = 128 * 1024;
const maxFiles = 2_000;
const readAtOnce = 8;

interface FoundFile {
  source: ExternalSource;
  file: string;
  size: number;
  mtimeMs: number;
}

export function createExternalSessions({ home, environment, folders, cache }: ExternalPlaces): ExternalSessions {
  const claude = path.join(path.resolve(home, environment['CLAUDE_CONFIG_DIR'] || '.claude'), 'projects');
  const codex = path.join(path.resolve(home, environment['CODEX_HOME'] || '.codex'), 'sessions');

  const entries = async (): Promise<(ExternalRow & { file: string })[]> => {
    const own = await withRealPaths(folders());
    const found = [...(await claudeFiles(claude, own)), ...(await codexFiles(codex))];
    const index = await readExternalIndex(cache);
    const stale = found.filter((one) => isStale(one, index.get(one.file), own));
    for (let at = 0; at < stale.length; at += readAtOnce) {
      const looked = stale
        .slice(at, at + readAtOnce)
        .map(async (one) => void index.set(one.file, await look(one, own)));
      await Promise.all(looked);
    }
    if (stale.length > 0) {
      // Of other workspaces too: they are looked at once only. What is gone is forgotten.
      const present = new Set(found.map(({ file }) => file));
      const kept = [...index].filter(([file]) => present.has(file));
      // Without it the next list is slower, nothing else.
      await mkdir(cache, { recursive: true, mode: 0o700 }).then(
        () => writeExternalIndex(cache, kept),
        () => undefined,
      );
    }
    const rows = found.flatMap(({ source, file, size, mtimeMs }) => {
      const seen = index.get(file);
      if (
        seen === undefined ||
        seen.title === '' ||
        !(seen.cwd === '' ? source === 'claude-code' : isInside(seen.cwd, own))
      )
        return [];
      return [{ id: `${source}:${idOf(file)}`, source, title: seen.title, updatedAt: mtimeMs, sizeBytes: size, file }];
    });
    return rows.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  };
  const entry = async (id: string) => (await entries()).find((row) => row.id === id || idOf(row.file) === id);

  return {
    list: async () => (await entries()).map(rowOf),
    find: async (id) => {
      const found = await entry(id);
      return found && rowOf(found);
    },
    search: async (text, { limit, found, signal }) => {
      const rows = await entries();
      if (!signal.aborted)
        await searchExternal(rows, text, {
          limit,
          signal,
          found: ({ session, line }) => found({ session: rowOf(session), line }),
        });
    },
    read: async (id) => {
      const found = await entry(id);
      if (found === undefined) return undefined;
      const lines = (await readWhole(found.file)).split('\n');
      return found.source === 'codex' ? readCodex(lines) : readClaudeCode(lines);
    },
  };
}

/** A file that the user picked: either format, or Deft's own. Throws a DeftError with a sentence. */
export async function readSessionFile(file: string): Promise<ExternalSession> {
  try {
    return readSessionText(await readWhole(file));
  } catch (error) {
    if (!(error instanceof DeftError)) throw error;
    throw new DeftError(error.code, `${path.basename(file)} cannot be opened. ${error.message}`, {
      audience: 'user',
      cause: error,
    });
  }
}

function rowOf({ id, source, title, updatedAt, sizeBytes }: ExternalRow): ExternalRow {
  return { id, source, title, updatedAt, sizeBytes };
}

async function claudeFiles(projects: string, folders: readonly string[]): Promise<FoundFile[]> {
  const directories = new Set(folders.map((folder) => path.join(projects, folder.replace(/[^A-Za-z0-9]/g, '-'))));
  const names = await Promise.all(
    [...directories].map(async (directory) => (await namesIn(directory)).map((name) => path.join(directory, name))),
  );
  // Those of subagents belong to the sessions that started them.
  return regularFiles(
    'claude-code',
    names.flat().filter((file) => file.endsWith('.jsonl') && !path.basename(file).startsWith('agent-')),
  );
}

/** `YYYY/MM/DD/rollout-….jsonl`: the names sort by time. */
async function codexFiles(sessions: string): Promise<FoundFile[]> {
  let level = [sessions];
  for (let depth = 0; depth < 3; depth++) {
    const below = await Promise.all(
      level.map(async (directory) =>
        (await namesIn(directory)).filter((name) => /^\d+$/.test(name)).map((name) => path.join(directory, name)),
      ),
    );
    level = below.flat().sort();
  }
  const files: string[] = [];
  for (const directory of level.reverse()) {
    if (files.length >= maxFiles) break;
    const names = (await namesIn(directory)).filter((name) => name.startsWith('rollout-') && name.endsWith('.jsonl'));
    files.push(
      ...names
        .sort()
        .reverse()
        .map((name) => path.join(directory, name)),
    );
  }
  return regularFiles('codex', files);
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** Opening anything else, such as a pipe, could wait forever. */
async function regularFiles(source: ExternalSource, files: readonly string[]): Promise<FoundFile[]> {
  const found = await Promise.all(
    files.map(async (file) => ({ file, stats: await stat(file).catch(() => undefined) })),
  );
  return found.flatMap(({ file, stats }) =>
    stats?.isFile() === true && stats.size > 0 ? [{ source, file, size: stats.size, mtimeMs: stats.mtimeMs }] : [],
  );
}

/** Also one that belonged to no workspace when it was read, and belongs to one now. */
function isStale({ size, mtimeMs }: FoundFile, seen: SeenFile | undefined, own: readonly string[]): boolean {
  return (
    seen?.size !== size || seen.mtimeMs !== mtimeMs || (seen.title === '' && seen.cwd !== '' && isInside(seen.cwd, own))
  );
}

/** Folder and title from the beginning and the end of a file. */
async function look({ source, file, size, mtimeMs }: FoundFile, own: readonly string[]): Promise<SeenFile> {
  const [head, tail] = await readEdges(file, size).catch(() => ['', '']);
  const lines = head.split('\n');
  // Of all of Codex's sessions, most are of other folders: their first line says so.
  const elsewhere = source === 'codex' ? codexFacts(parseLines(lines.slice(0, 1)).objects).cwd : '';
  if (elsewhere !== '' && !isInside(elsewhere, own)) return { size, mtimeMs, cwd: elsewhere, title: '' };
  const { objects } = parseLines([...lines, ...tail.split('\n')]);
  if (source === 'codex') {
    const { cwd, title } = codexFacts(objects);
    return { size, mtimeMs, cwd, title: title ?? readCodex(lines).title };
  }
  const { cwd, title } = readClaudeCode(lines);
  return { size, mtimeMs, cwd, title: claudeCodeTitle(objects) ?? title };
}

async function readEdges(file: string, size: number): Promise<[string, string]> {
  const handle = await open(file, 'r');
  try {
    const at = async (position: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const head = Math.min(size, edgeBytes);
    const rest = Math.min(size - head, edgeBytes);
    return [await at(0, head), rest > 0 ? await at(size - rest, rest) : ''];
  } finally {
    await handle.close();
  }
}

async function readWhole(file: string): Promise<string> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new DeftError('session-file', 'It is not a file.', { audience: 'user' });
    if (stats.size > maxBytes)
      throw new DeftError('session-file', `It is larger than ${maxBytes / 1024 / 1024} MB.`, { audience: 'user' });
    const handle = await open(file, 'r');
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof DeftError) throw error;
    throw new DeftError('session-file', fileErrorSentence(error, file, 'read'), { audience: 'user', cause: error });
  }
}

/** The last part of a rollout's name, else the whole name. */
function idOf(file: string): string {
  const name = path.basename(file, '.jsonl');
  return /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(name)?.[1] ?? name;
}

/** The other programs may have been started at the place that a link leads to. */
async function withRealPaths(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

function isInside(folder: string, folders: readonly string[]): boolean {
  return folders.some((own) => {
    const way = path.relative(own, folder);
    return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
  });
}
