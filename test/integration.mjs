// Runs the tests inside VS Code's extension host.
// `node test/integration.mjs [--electron] [--filter text] [--grep expression]`
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/rig/in-host.ts');
