// Measures Deft: `npm run bench [-- --only headless,search,core,sizes,vscode] [--parts sending,streams,…] [--quick]`.
// `--write` also writes the areas that ran into docs/performance.md. `--bundle file` measures another build of the headless runner and builds nothing.
import { runTypeScript } from '../rig/load.mjs';

await runTypeScript('test/bench/main.ts');
