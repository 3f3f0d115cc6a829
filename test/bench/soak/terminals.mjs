// Mixed commands through each terminal strategy in a real VS Code, against plain bash: `npm run soak:terminals -- [1000]`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const total = Number(process.argv[2] ?? 1000);
/** A window is given 300 s by the rig. */
const BATCH = 250;

const folder = mkdtempSync(path.join(tmpdir(), 'deft-soak-'));
const report = path.join(folder, 'report.jsonl');
let failed = false;
for (const strategy of ['managed', 'shell']) {
  for (let done = 0; done < total; done += BATCH) {
    const { status } = spawnSync(
      process.execPath,
      [
        'test/integration.mjs',
        '--filter',
        'integration/terminal.test',
        '--grep',
        `${strategy} do what plain bash does`,
      ],
      {
        stdio: 'inherit',
        env: { ...process.env, SOAK_COMMANDS: String(Math.min(BATCH, total - done)), SOAK_REPORT: report },
      },
    );
    failed ||= status !== 0;
  }
}
try {
  console.table(
    readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
} catch {
  console.error('No run came to its end.');
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
