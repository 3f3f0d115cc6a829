// The share of everyday lines that ask, in a real workspace and through everything that the host looks up.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveTargets } from '../../../../src/core/calls/resolve-targets';
import { judge } from '../../../../src/core/permissions/decide';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { type PermissionMode } from '../../../../src/shared/permission';
import { acting, reading } from './everyday-lines';
import { context } from './permission-table';

const files = createNodeFileSystem();

describe('everyday lines', () => {
  let workspace: string;

  before(async () => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'deft-everyday-')));
    for (const folder of ['src/deep', 'test', 'app', 'tests', 'dist', 'logs', '.github/workflows'])
      await mkdir(join(workspace, folder), { recursive: true });
    for (const file of [
      ...['package.json', 'tsconfig.json', 'README.md', 'names.txt', 'other.txt', 'data.csv', 'Makefile', 'go.mod'],
      ...['src/index.ts', 'src/util.ts', 'src/a.ts', 'src/b.ts', 'app/main.py', 'dist/main.js', 'logs/app.log'],
      '.github/workflows/ci.yml',
    ])
      await writeFile(join(workspace, file), 'x\n');
    execFileSync('git', ['init', '-q'], { cwd: workspace });
  });
  after(() => rmSync(workspace, { recursive: true }));

  const verdictIn = async (mode: PermissionMode, command: string, rules: string[] = []): Promise<string> => {
    const session = { cwd: workspace, home: '/home/u', folders: [workspace] };
    const { targets } = await resolveTargets(bashTool, { command }, session, files);
    const call = { tool: 'Bash', access: bashTool.access, readOnly: false, targets };
    return judge(call, context(mode, rules, { ...session, folders: [workspace] })).behavior;
  };

  it('are four hundred, each written once', () => {
    const all = [...reading, ...acting];
    assert.ok(all.length >= 400, String(all.length));
    assert.equal(new Set(all).size, all.length);
  });

  /** What git's index names need not be on disk, where a name with blanks would be seen. */
  const asking = ["wc -l $(git ls-files '*.ts') | tail -1 || true", "git ls-files '*.ts' | xargs wc -l"];

  it('that read do not ask, but for one in a hundred', async () => {
    const asked: string[] = [];
    for (const line of reading) if ((await verdictIn('default', line)) !== 'allow') asked.push(line);
    console.log(`    ${asked.length} of ${reading.length} reading lines ask`);
    assert.deepEqual(new Set(asked), new Set(asking));
    assert.ok(asked.length <= reading.length / 100);
  });

  it('that read are free in plan mode, too', async () => {
    const denied: string[] = [];
    for (const line of reading) if ((await verdictIn('plan', line)) !== 'allow') denied.push(line);
    assert.deepEqual(new Set(denied), new Set(asking));
  });

  it('that do something ask, and are denied in plan mode', async () => {
    const passed: string[] = [];
    for (const line of acting) {
      if ((await verdictIn('default', line)) !== 'ask') passed.push(line);
      if ((await verdictIn('plan', line)) === 'allow') passed.push(`plan: ${line}`);
    }
    assert.deepEqual(passed, []);
  });
});
