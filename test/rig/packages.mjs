// Installs the project's packages where they are missing, before a script of package.json that needs them.
import { ensureDependencies } from './dependencies.mjs';
import { fileURLToPath } from 'node:url';

try {
  ensureDependencies(fileURLToPath(new URL('../../', import.meta.url)), "the project's packages");
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
