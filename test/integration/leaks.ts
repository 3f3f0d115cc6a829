// Counts what Deft makes by VS Code's API and does not dispose, suite by suite: each is named where it was made.
import { readFileSync } from 'node:fs';
import { createRequire, SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { counted, leaked, type Living, LivingThings } from './living';

const namespaces = [
  'authentication',
  'commands',
  'comments',
  'debug',
  'env',
  'extensions',
  'languages',
  'lm',
  'notebooks',
  'scm',
  'tasks',
  'window',
  'workspace',
];
const classes = ['EventEmitter'];
/** Fewer would mean that the API is not where it is looked for. */
const fewest = 60;

const things = new LivingThings();

/** Before the extension is loaded: watches its API, and the one of the tests, which run parts of Deft themselves. */
export function watchLeaks(extensionPath: string): void {
  // Each extension has an API of its own; what asks for it from the extension's folder gets the extension's.
  const own = createRequire(path.join(extensionPath, 'dist', 'extension.js'))('vscode') as object;
  const tests = createRequire(__filename)('vscode') as object;
  for (const api of new Set([own, tests])) {
    const watched = things.watch(api, namespaces, classes);
    if (watched < fewest) throw new Error(`Only ${watched} functions of VS Code's API are watched for leaks.`);
  }
}

/** At the beginning of a suite: `afterTest` counts, and `end` throws when something has become more from test to test. */
export function beginSuite(): { afterTest: () => void; end: () => void } {
  const counts = [counted(things.all())];
  return {
    afterTest: () => void counts.push(counted(things.all())),
    end() {
      const more = leaked([...counts, counted(things.all())]);
      if (more.length > 0) throw new Error(`Made and not disposed:\n  ${more.map(inSource).join('\n  ')}`);
    },
  };
}

export function livingThings(): Living[] {
  return things.all();
}

/** Deft is packed small and without its source maps: those of the build say where a place was written. */
function inSource(stackLine: string): string {
  return stackLine.replace(
    /\S*[\\/]dist[\\/](\S+\.js):(\d+):(\d+)/,
    (place, file: string, line: string, column: string) => {
      try {
        const map = path.resolve(__dirname, '../../dist', `${file}.map`);
        const payload = JSON.parse(readFileSync(map, 'utf8')) as SourceMapPayload;
        const entry = new SourceMap(payload).findEntry(Number(line) - 1, Number(column) - 1);
        return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : place;
      } catch {
        return place;
      }
    },
  );
}
