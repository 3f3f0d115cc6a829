// Opens and closes browsers for Page, and counts what stays behind: `npm run soak:pages -- [200]`.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(process.execPath, ['test/run.mjs', 'unit', '--filter', 'unit/node/page/browsers'], {
  stdio: 'inherit',
  env: { ...process.env, SOAK_PAGES: process.argv[2] ?? '200' },
});
process.exitCode = status ?? 1;
