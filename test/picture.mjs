// Makes the pictures of the README and of docs/editor-*.md anew from what is built: `npm run build && node test/picture.mjs [names]`.
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/rig/picture.ts');
