// Replays recorded tasks and counts what they cost: `npm run replay [-- --filter text] [-- --accept]`.
import { runTypeScript } from '../rig/load.mjs';

await runTypeScript('test/replay/main.ts');
