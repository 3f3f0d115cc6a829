// Memory files in memory: who reads them, and what of it is left out.
import { type OutsideImport, createMemory, type Memory, type MemoryOptions } from '../../src/core/memory/memory';
import { type MemoryEntry, withImported } from '../../src/core/memory/memory-entry';
import { createMemoryFiles, type MemoryEntry as FileEntry, type MemoryFiles } from './memory-files';

export interface MemoryRun {
  files: MemoryFiles;
  memory: Memory;
  waiting: OutsideImport[];
  /** What is sent from the start, in order. */
  atStart(): Promise<string[]>;
  /** What these paths add. */
  touched(...paths: string[]): Promise<string[]>;
  /** Sentences of what is left out, by path. */
  left(): Promise<Record<string, string>>;
}

export interface MemoryRunOptions extends Partial<Omit<MemoryOptions, 'files' | 'settings'>> {
  settings?: Partial<ReturnType<MemoryOptions['settings']>>;
  hidden?: readonly string[];
}

export function createMemoryRun(
  entries: Record<string, FileEntry>,
  { settings = {}, hidden = [], ...options }: MemoryRunOptions = {},
): MemoryRun {
  const files = createMemoryFiles(entries);
  const waiting: OutsideImport[] = [];
  const memory = createMemory({
    files,
    home: '/home/ann',
    ignoreCase: false,
    managedFolder: '/etc/claude-code',
    personalFolder: '/home/ann/.claude',
    folders: () => ['/home/ann/code/w'],
    settings: () => ({ agentsMd: 'whenNoClaudeMd', excludes: [], autoMemory: false, ...settings }),
    trusted: () => true,
    agreed: () => false,
    waiting: (outside) => void waiting.push(...outside),
    ...options,
  });
  const isHidden = (path: string): boolean => hidden.includes(path);
  const texts = (found: readonly MemoryEntry[]): string[] =>
    found
      .flatMap(withImported)
      .filter(({ text }) => text !== '')
      .map(({ text }) => text);
  return {
    files,
    memory,
    waiting,
    atStart: async () => texts((await memory.look(isHidden)).atStart.filter(({ globs }) => globs === undefined)),
    touched: async (...paths) => texts(await (await memory.look(isHidden)).of(paths)),
    left: async () =>
      Object.fromEntries(
        (await memory.look(isHidden)).atStart
          .flatMap(withImported)
          .flatMap(({ path, left }) => (left === undefined ? [] : [[path, left]])),
      ),
  };
}
