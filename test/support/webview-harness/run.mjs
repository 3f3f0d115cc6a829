// `node test/support/webview-harness/run.mjs gallery [names, widths]` shows states in all themes beside one another,
// `… check [names]` drives the built webview and checks it.
import { runTypeScript } from '../../rig/load.mjs';

const [what = 'check', ...args] = process.argv.slice(2);
await runTypeScript(`test/support/webview-harness/${what}.ts`, args);
