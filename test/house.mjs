// Prints how the code stands, each figure beside its goal: `npm run house [-- --check]`.
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/house/house.ts');
