// Makes the picture of the README anew from what is built: `npm run build && node test/picture.mjs`.
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/rig/picture.ts');
