// Grep and Glob on a generated tree, compared with ripgrep with the same arguments, spawned right before each turn.
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { fileListArguments, grepArguments, withoutRepositoryFolders } from '../../src/node/search/ripgrep-arguments';
import type { GlobQuery, GrepQuery } from '../../src/core/ports/search';
import { toolUse } from '../support/messages-api/script';
import { removeFolder } from '../rig/cleanup';
import { benchFolder, runHeadless, timeProcess } from './headless-run';
import type { BenchOptions } from './main';
import type { Report } from './report';
import { differences, median } from './samples';
import { writeTree } from './sources';
import { turnsOf, addGaps } from './turn-gaps';

const area = 'search';
const files = 6_000;
/** What Deft may add to ripgrep's own time. */
const allowed = 10;

export async function measureSearch(report: Report, options: BenchOptions): Promise<void> {
  const rg = await findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] });
  if (rg === undefined) return report.skip(area, 'Grep and Glob', 'ripgrep is not installed');
  const folder = benchFolder('tree');
  try {
    writeTree(folder, files, 60);
    const hidden = (): boolean => false;
    const grep: GrepQuery = {
      pattern: 'entry1a\\w*\\(',
      path: folder,
      mode: 'files_with_matches',
      ignoreCase: false,
      multiline: false,
      onlyMatching: false,
      before: 0,
      after: 0,
      limit: 250,
      offset: 0,
      hidden,
    };
    const glob: GlobQuery = { pattern: '**/*7.ts', path: folder, limit: 100, hidden };
    await compare(report, options, {
      tool: 'Grep',
      input: { pattern: grep.pattern },
      args: [
        ...grepArguments(grep, 'folder', withoutRepositoryFolders(folder)),
        '--files-with-matches',
        '--null',
        '--',
        './',
      ],
      peer: '74 ms',
      rg,
      folder,
    });
    const list = fileListArguments(glob, withoutRepositoryFolders(folder));
    await compare(report, options, {
      tool: 'Glob',
      input: { pattern: glob.pattern },
      args: list,
      peer: '78 ms',
      rg,
      folder,
    });
  } finally {
    removeFolder(folder);
  }
}

interface Comparison {
  readonly tool: 'Grep' | 'Glob';
  readonly input: unknown;
  readonly args: readonly string[];
  readonly peer: string;
  readonly rg: string;
  readonly folder: string;
}

async function compare(
  report: Report,
  options: BenchOptions,
  { tool, input, args, peer, rg, folder }: Comparison,
): Promise<void> {
  const runs: { gaps: readonly number[]; raw: readonly number[] }[] = [];
  for (let round = 0; round < (options.quick ? 1 : 3); round++) {
    const raw: number[] = [];
    const { gaps } = await runHeadless({
      bundle: options.bundle,
      workspace: folder,
      calls: (turn) => (turn < turnsOf(options) ? [toolUse(tool, input)] : undefined),
      compare: async () => void raw.push(await timeProcess(rg, args, folder)),
    });
    runs.push({ gaps, raw });
  }
  const plain = median(runs.flatMap(({ raw }) => raw));
  const figure = { area, tool: `a ${tool}`, target: plain + allowed, peer };
  addGaps(
    report,
    options,
    figure,
    runs.map(({ gaps }) => gaps),
  );
  report.add(
    { area, name: `ripgrep with the arguments of this ${tool}, ${files} files`, unit: 'ms' },
    runs.flatMap(({ raw }) => raw),
  );
  const over = runs.flatMap(({ gaps, raw }) => differences(gaps, raw));
  report.add({ area, name: `${tool} over ripgrep, turn by turn`, unit: 'ms', target: allowed }, over);
}
