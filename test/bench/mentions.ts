// "@" in a workspace of 100,000 files, as the host answers it: the list, the index, and each letter of a path.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from '../../src/node/search/ripgrep-files';
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { createMentionIndex } from '../../src/vscode/chat/completion/mention-index';
import { removeFolder } from '../rig/cleanup';
import { benchFolder } from './headless-run';
import type { Report } from './report';

const area = 'core';
const folders = 1_000;
const filesEach = 100;
const typed = 'd500/f7.ts';

export async function measureMentions(report: Report, runs: number): Promise<void> {
  const executable = await findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] });
  if (executable === undefined) return report.skip(area, '"@" in 100,000 files', 'ripgrep is not installed');
  const folder = benchFolder('many');
  try {
    for (let at = 0; at < folders; at++) {
      mkdirSync(path.join(folder, `d${at}`));
      for (let file = 0; file < filesEach; file++) writeFileSync(path.join(folder, `d${at}`, `f${file}.ts`), '');
    }
    const [lists, firsts, laters]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < runs; round++) {
      let began = performance.now();
      const took = (): number => performance.now() - began;
      const listing = { executable, folder, excluding: [], followLinks: true, limit: 200_000 };
      const paths = (await listFiles(listing, new AbortController().signal)) ?? [];
      const index = createMentionIndex(paths);
      lists.push(took());
      for (let end = 1; end <= typed.length; end++) {
        began = performance.now();
        const [first] = index.find(typed.slice(0, end));
        (end === 1 ? firsts : laters).push(took());
        if (end === typed.length && first?.path !== typed) throw new Error(`${typed} was not found.`);
      }
    }
    report.add({ area, name: '"@" in 100,000 files: listed ahead', unit: 'ms' }, lists);
    report.add({ area, name: '"@" in 100,000 files: first letter', unit: 'ms', target: 150 }, firsts);
    report.add({ area, name: '"@" in 100,000 files: later letters', unit: 'ms', target: 50 }, laters);
  } finally {
    removeFolder(folder);
  }
}
