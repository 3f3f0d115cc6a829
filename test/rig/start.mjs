// `npm start`: installs what is missing, builds Deft and opens it in a VS Code on a copy of the sample workspace.
import { ensureDependencies } from './dependencies.mjs';
import { projectRoot, runTypeScript } from './load.mjs';

process.chdir(projectRoot);
try {
  ensureDependencies(projectRoot, "the project's packages");
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const { buildAll } = await import('../../esbuild.mjs');
await buildAll();
await runTypeScript('test/rig/start.ts');
