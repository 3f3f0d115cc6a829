// Runs the tests that click in a real VS Code: `node test/e2e/run.mjs [--filter expression] [--grep expression] [--processes N]`.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot, runTypeScript } from '../rig/load.mjs';

process.chdir(projectRoot);
const args = process.argv.slice(2);
const filter = args.includes('--filter') ? args[args.indexOf('--filter') + 1] : '';
const chosen = new RegExp(filter);
const files = readdirSync('test/e2e', { recursive: true })
  .map((file) => path.posix.join('test/e2e', file.replaceAll(path.sep, '/')))
  .filter((file) => file.endsWith('.test.ts') && chosen.test(file))
  .sort();
if (files.length === 0) {
  console.error(`No test file below test/e2e matches ${String(chosen)}.`);
  process.exit(1);
}
await runTypeScript('test/rig/e2e.ts', args, ['test/rig/e2e-file.ts', ...files]);
