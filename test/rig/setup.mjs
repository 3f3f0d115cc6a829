// Sets up what tests in a real VS Code need, ahead of them: `node test/rig/setup.mjs`.
import { runTypeScript } from './load.mjs';

await runTypeScript('test/rig/setup.ts');
