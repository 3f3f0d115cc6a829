// Writes the documents that are made from code: `npm run docs`.
import { runTypeScript } from './rig/load.mjs';

await runTypeScript('test/golden/documents.ts');
