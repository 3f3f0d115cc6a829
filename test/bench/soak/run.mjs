// Works for hours: `npm run soak -- [--hours 1] [--lanes headless,window] [--seed N] [--pause milliseconds] [--write]`.
import { runTypeScript } from '../../rig/load.mjs';

await runTypeScript('test/bench/soak/main.ts');
