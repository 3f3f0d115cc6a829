// A git marketplace of 100 plugins: added once by git, and browsed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { keepMarketplace, prepareMarketplace, readOffers } from '../../src/node/plugins/install-plugin';
import { loadPlugins } from '../../src/node/plugins/load-plugins';
import { commitAll, wholePlugin, writeFolder } from '../support/plugin-folders';
import type { Report } from './report';

const area = 'core';
const plugins = 100;

export async function measureMarketplace(report: Report, runs: number): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'deft-marketplace-'));
  try {
    const url = `file://${await repository(path.join(root, 'repository'))}`;
    const files = createNodeFileSystem();
    const host = { home: path.join(root, 'home'), files, environment: process.env };
    const before = performance.now();
    const prepared = await prepareMarketplace({ kind: 'git', url }, host);
    if ('problem' in prepared) throw new Error(prepared.problem);
    const problem = await keepMarketplace(prepared, host);
    if (problem !== undefined) throw new Error(problem);
    const name = `git marketplace of ${plugins} plugins`;
    report.add({ area, name: `${name}: fetched and added`, unit: 'ms' }, [performance.now() - before]);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await browsed(host));
    report.add({ area, name: `${name}: browsed`, unit: 'ms', target: 200 }, times);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** From what is on disk to what the list shows. */
async function browsed({
  home,
  files,
}: {
  home: string;
  files: ReturnType<typeof createNodeFileSystem>;
}): Promise<number> {
  const before = performance.now();
  const personalFolder = path.join(home, '.claude');
  const { marketplaces } = await loadPlugins({ home, personalFolder, files, settings: {}, workspace: [] });
  const [offer] = await readOffers(marketplaces);
  const duration = performance.now() - before;
  const count = typeof offer?.read === 'object' ? offer.read.plugins.length : 0;
  if (count !== plugins) throw new Error(`${count} plugins were offered.`);
  return duration;
}

async function repository(folder: string): Promise<string> {
  const names = Array.from({ length: plugins }, (_, index) => `plugin-${index}`);
  for (const name of names) await writeFolder(path.join(folder, 'plugins', name), wholePlugin());
  await writeFolder(folder, {
    '.claude-plugin/marketplace.json': {
      name: 'many',
      owner: { name: 'Ann' },
      plugins: names.map((name) => ({
        ...{ name, source: `./plugins/${name}`, version: '1.0.0', category: 'tools', keywords: ['one', 'two'] },
        description: `What ${name} does, in a sentence that is as long as those of others.`,
      })),
    },
  });
  commitAll(folder);
  return folder;
}
