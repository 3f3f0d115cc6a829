// `npm run check`: types, format, lint and tidy tests. All run, also behind one that fails, and read only what has changed.
import process from 'node:process';
import { projectRoot } from './rig/load.mjs';
import { cached, finish, format, lint, stage, tidy, types } from './rig/stages.mjs';

process.chdir(projectRoot);
for (const [name, command] of Object.entries({ types, format: cached(format), lint: cached(lint), tidy })) {
  if (process.exitCode !== 130) await stage(name, [command]);
}
finish();
