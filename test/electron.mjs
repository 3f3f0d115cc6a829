// Runs the in-host tests in a desktop VS Code that @vscode/test-electron downloads.
// `node test/electron.mjs [--filter text] [--grep expression]`
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/rig/in-host.ts', ['--electron', ...process.argv.slice(2)]);
