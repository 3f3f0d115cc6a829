// Pattern tables of other projects: ripgrep and the walk find the same, and ignore files mean what their authors say.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type GlobOutcome, type GrepOutcome, type GrepQuery, type Search } from '../../../src/core/ports/search';
import { createWalkSearch } from '../../../src/core/search/walk-search';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system';
import { findRipgrep } from '../../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../../src/node/search/ripgrep-search';
import { corpusPath, printFigures } from '../../support/corpus';
import { matchHere } from '../../support/pattern-thread';
import { makeTree } from './search-tree';

interface GlobCase {
  glob: string;
  path: string;
}
interface IgnoreCase {
  description: string;
  patterns: unknown;
  expect: Record<string, 0 | 1>;
  skip_real_git: boolean;
}

const signal = new AbortController().signal;
const searches: [string, Search][] = [
  [
    'ripgrep',
    createRipgrepSearch(() => findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] })),
  ],
  ['walk', createWalkSearch(createNodeFileSystem(), { openPattern: matchHere })],
];
const everything: Omit<GrepQuery, 'path'> = {
  pattern: '^',
  mode: 'files_with_matches',
  ignoreCase: false,
  multiline: false,
  onlyMatching: false,
  before: 0,
  after: 0,
  limit: 1_000,
  offset: 0,
  hidden: () => false,
};

describe('pattern corpus', function () {
  // Hundreds of processes and folders: a machine that is slow at both takes minutes.
  this.timeout(300_000);

  const load = async <Case>(test: Mocha.Context, file: string): Promise<Case[]> =>
    JSON.parse(await readFile(corpusPath(test, file), 'utf8')) as Case[];

  it('globs: both searches find the same', async function () {
    const cases = await load<GlobCase>(this, 'glob/ripgrep-globset-cases.json');
    // To ripgrep a class in brackets is about bytes, so names outside ASCII differ.
    const names = fileNames(cases.map((entry) => entry.path)).filter((name) => /^[\x20-\x7e]+$/.test(name));
    const place = await makeTree(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    try {
      let compared = 0;
      for (const { glob } of cases) {
        const [first, second] = await Promise.all(
          searches.map(async ([, search]) =>
            relative(
              await search.glob({ pattern: glob, path: place.root, limit: 1_000, hidden: () => false }, signal),
              place.root,
            ),
          ),
        );
        if (first === undefined) continue;
        assert.deepEqual(second, first, `glob ${glob}`);
        compared++;
      }
      printFigures(`${compared} of ${cases.length} globs compared`);
      assert.ok(compared > 50, `${compared} globs compared`);
    } finally {
      await place.remove();
    }
  });

  for (const [name, search] of searches) {
    it(`ignore files: ${name} finds what they leave`, async function () {
      const cases = await load<IgnoreCase>(this, 'gitignore/node-ignore-cases.json');
      const wrong: string[] = [];
      let checked = 0;
      for (const { description, patterns, expect, skip_real_git } of cases) {
        // Their library's own ways of giving patterns, and what git itself does otherwise.
        if (skip_real_git || !Array.isArray(patterns) || !patterns.every((entry) => typeof entry === 'string'))
          continue;
        // ripgrep takes a line with a bracket that never closes for a mistake and passes over it.
        const oddBrackets = name === 'ripgrep' ? /\[(?![^\]\n]+\])/ : /$^/;
        const wanted = fileNames(Object.keys(expect)).filter((file) => !Object.keys(expect).includes(`${file}/`));
        const place = await makeTree({
          '.git/HEAD': '',
          '.gitignore': patterns.join('\n'),
          ...Object.fromEntries(wanted.map((file) => [file, 'x\n'])),
        });
        try {
          const found = relative(await search.grep({ ...everything, path: place.root }, signal), place.root) ?? [];
          for (const file of wanted) {
            checked++;
            if (found.includes(file) !== (expect[file] === 0) && !oddBrackets.test(patterns.join('\n')))
              wrong.push(`${description}: ${file}`);
          }
        } finally {
          await place.remove();
        }
      }
      assert.deepEqual(wrong, []);
      printFigures(`${name}: ${checked} paths checked`);
      assert.ok(checked > 50, `${checked} paths checked`);
    });
  }
});

/** Names that can all be files in one folder. */
function fileNames(candidates: string[]): string[] {
  const names = new Set(
    candidates.filter(
      (name) =>
        /^[^/\\\0]+(?:\/[^/\\\0]+)*$/.test(name) && !name.split('/').some((part) => part === '.' || part === '..'),
    ),
  );
  return [...names].filter(
    (name) =>
      ![...names].some((other) => other.startsWith(`${name}/`)) && name !== '.gitignore' && !name.startsWith('.git/'),
  );
}

function relative(outcome: GrepOutcome | GlobOutcome, root: string): string[] | undefined {
  return outcome.outcome === 'files' ? outcome.paths.map((file) => path.relative(root, file)).sort() : undefined;
}
