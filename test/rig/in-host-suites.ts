// Finds the in-host suites below test/integration and bundles them into one file for the extension host.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
// @ts-expect-error: the build script is plain JavaScript.
import { common } from '../../esbuild.mjs';
import { RigError } from './rig-error';
import type { Settings } from './settings';

const ROOT = 'test/integration';

/** What a suite's suite.json may say; each suite gets a window of its own. */
export type SuiteWindow = {
  /** One folder (default), two folders of a workspace file, or none. */
  readonly workspace?: 'folder' | 'multi-root' | 'empty';
  readonly settings?: Settings;
  /** The whole suite is killed after this time; default 900: a busy machine takes three times as long as a quiet one. */
  readonly timeoutSeconds?: number;
};
export type Suite = { readonly name: string; readonly files: readonly string[]; readonly window: SuiteWindow };

/** The suites that have a test file whose path matches `filter`. */
export function findSuites(filter: string): Suite[] {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(ROOT, file.replaceAll(path.sep, '/')))
    .filter((file) => file.endsWith('.test.ts') && new RegExp(filter).test(file))
    .sort();
  const bySuite = new Map<string, string[]>();
  for (const file of files) {
    const relative = path.posix.relative(ROOT, file);
    const name = relative.includes('/') ? (relative.split('/')[0] ?? '') : '';
    bySuite.set(name, [...(bySuite.get(name) ?? []), file]);
  }
  if (bySuite.size === 0) throw new RigError(`No test file below ${ROOT} matches "${filter}".`);
  return [...bySuite].map(([name, own]) => ({ name, files: own, window: readWindow(name) }));
}

/** Writes the bundle with `run()` to `outfile`. */
export async function bundleSuites(suites: readonly Suite[], outfile: string): Promise<void> {
  await build({
    ...(common as object),
    entryPoints: [`${ROOT}/index.ts`],
    outfile,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha', 'esbuild', 'playwright-core'],
    plugins: [testTable(suites)],
  });
}

/** The module `virtual:integration-tests`: each test file behind a loader, so that mocha is in place when it runs. */
function testTable(suites: readonly Suite[]): Plugin {
  return {
    name: 'integration-tests',
    setup(setup) {
      setup.onResolve({ filter: /^virtual:integration-tests$/ }, () => ({
        path: 'tests',
        namespace: 'integration-tests',
      }));
      setup.onLoad({ filter: /.*/, namespace: 'integration-tests' }, () => {
        const entries = suites.map(({ name, files }) => {
          const loaders = files.map(
            (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(path.resolve(file))})`,
          );
          return `${JSON.stringify(name)}: {${loaders.join(',')}}`;
        });
        return { contents: `export const suites = {${entries.join(',')}};`, loader: 'js', resolveDir: process.cwd() };
      });
    },
  };
}

function readWindow(suite: string): SuiteWindow {
  const file = path.join(ROOT, suite, 'suite.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  return JSON.parse(text) as SuiteWindow;
}
