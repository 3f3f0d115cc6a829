// Rewinds and kills itself as soon as a given number of files is back.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createNodeCheckpoints } from '../../../../src/node/checkpoints/node-checkpoints';

const [sessions = '', folder = '', to = '', enough = ''] = process.argv.slice(2);
const nothing = (): void => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const checkpoints = createNodeCheckpoints({ ripgrep: async () => undefined, log, uuid: randomUUID, early: false }).open(
  { id: 'session-1', resultsDirectory: path.join(sessions, 'session-1', 'tool-results'), folders: [folder] },
);
const steps = (await checkpoints.preview(to))?.plan.steps ?? [];
const watch = (): void => {
  const back = steps.filter((step) => readFileSync(step.path, 'utf8') === 'before\n').length;
  if (back >= Number(enough)) process.kill(process.pid, 'SIGKILL');
  setImmediate(watch);
};
watch();
await checkpoints.rewind(to, steps);
