// A tool context over an in-memory answer: what the tool asks for is kept, what it gets is given.
import { type FileStat } from '../../../../../src/core/ports/files';
import {
  type GlobOutcome,
  type GlobQuery,
  type GrepOutcome,
  type GrepQuery,
} from '../../../../../src/core/ports/search';
import { createReadState } from '../../../../../src/core/sessions/read-state';
import { type ToolContext } from '../../../../../src/core/tool/tool';
import { unusedPorts, unusedSmallModel } from '../../../../support/unused-ports';

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
      todos: () => [],
      questionTimeoutMs: () => undefined,
      earlierSearches: 0,
      smallModel: unusedSmallModel,
      onArrival: () => () => undefined,
    },
    ports: unusedPorts({
      files: {
        stat: async (path) => (paths[path] ? { type: paths[path], size: 1, mtimeMs: 1 } : undefined),
        realPath: async (path) => path,
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
      clock: { now: () => 5 },
    }),
    onProgress: () => {
      throw new Error('A search reports no progress.');
    },
  };
  return { context, asked };
}
