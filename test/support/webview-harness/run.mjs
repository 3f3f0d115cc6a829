// `node test/support/webview-harness/run.mjs shoot [names]` takes pictures, `… check` drives the built webview and checks it.
import { runTypeScript } from '../../rig/load.mjs';

const [what = 'check', ...args] = process.argv.slice(2);
await runTypeScript(`test/support/webview-harness/${what}.ts`, args);
