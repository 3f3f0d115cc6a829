// Runs the tests that click in a real VS Code: `node test/e2e/run.mjs [--filter part-of-path] [--grep expression] [--share 1/2]`.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, runTypeScript } from '../rig/load.mjs';

process.chdir(projectRoot);
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : '');
const filter = option('--filter');
const found = readdirSync('test/e2e', { recursive: true })
  .map((file) => path.posix.join('test/e2e', file.replaceAll(path.sep, '/')))
  .filter((file) => file.endsWith('.test.ts') && file.includes(filter))
  .sort();
const files = shareOf(found, option('--share') || '1/1');
if (files.length === 0) {
  console.error(`No test file below test/e2e matches ${JSON.stringify(filter)}.`);
  process.exit(1);
}
await runTypeScript('test/rig/e2e.ts', args, files);

/** The files of one of several processes that share the work: each file goes, the longest first, to the one that has the least. */
function shareOf(all, share) {
  const [index, count] = share.split('/').map(Number);
  const shares = Array.from({ length: count }, () => ({ weight: 0, files: [] }));
  const weighed = all.map((file) => ({ file, weight: weightOf(file) })).sort((a, b) => b.weight - a.weight);
  for (const { file, weight } of weighed) {
    const least = shares.reduce((best, one) => (one.weight < best.weight ? one : best));
    least.weight += weight;
    least.files.push(file);
  }
  return (shares[index - 1]?.files ?? []).sort();
}

/** About how many times as long as one test in a window it takes: a window has to open first. */
function weightOf(file) {
  if (file.endsWith('/page.test.ts')) return 75;
  return 2 + (readFileSync(file, 'utf8').match(/^\s*it\(/gm) ?? []).length;
}
