// A tool context over an in-memory answer: what the tool asks for is kept, what it gets is given.
import { type FileStat, type GlobOutcome, type GlobQuery, type GrepOutcome, type GrepQuery } from '../../../../src/core/ports';
import { createReadState } from '../../../../src/core/tools/read-state';
import { type ToolContext } from '../../../../src/core/tools/tool';

export interface Asked {
  grep: GrepQuery[];
  glob: GlobQuery[];
}

export function searchContext(answer: {
  /** Paths that exist; others do not. */
  paths?: Record<string, FileStat['type']>;
  grep?: GrepOutcome;
  glob?: GlobOutcome;
  hidden?: string[];
}): { context: ToolContext; asked: Asked } {
  const asked: Asked = { grep: [], glob: [] };
  const paths: Record<string, FileStat['type']> = { '/work': 'directory', ...answer.paths };
  const unused = (): never => {
    throw new Error('The tool has no business with this port.');
  };
  const context: ToolContext = {
    toolUseId: 'toolu_1',
    signal: new AbortController().signal,
    session: {
      id: 's',
      cwd: '/work',
      folders: ['/work'],
      home: '/home/p',
      resultsDirectory: '/results',
      readState: createReadState(),
      isHidden: (path) => answer.hidden?.includes(path) ?? false,
    },
    ports: {
      files: {
        stat: async (path) => (paths[path] ? { type: paths[path], size: 1, mtimeMs: 1 } : undefined),
        realPath: unused,
        list: unused,
        readBytes: unused,
        readText: unused,
        writeText: unused,
        writeOwnFile: unused,
      },
      search: {
        grep: async (query) => {
          asked.grep.push(query);
          return answer.grep ?? { outcome: 'files', paths: [], total: 0, truncated: false };
        },
        glob: async (query) => {
          asked.glob.push(query);
          return answer.glob ?? { outcome: 'files', paths: [], total: 0, truncated: false };
        },
      },
      terminal: { run: unused, background: unused, stop: unused, onBackgroundEnd: unused, dispose: unused },
      diagnostics: { current: unused, newSince: unused },
      clock: { now: () => 5, sleep: unused },
      log: { debug: unused, info: unused, warn: unused, error: unused },
    },
    onProgress: unused,
  };
  return { context, asked };
}
