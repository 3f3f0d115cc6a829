// Documents hold together: decisions are numbered without a hole, and every reference to a decision or a file leads somewhere.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'pathe';
import { shippedFiles } from '../../rig/shipped-files';
import { filesBelow } from './source-files';

const folder = 'docs/decisions';
const decisions = readdirSync(folder).sort();
const numbers = decisions.map((name) => name.slice(0, 4));
const rootFiles = readdirSync('.', { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
const texts = [...rootFiles, ...['docs', 'media', 'src', 'webview-ui', 'test'].flatMap(filesBelow)]
  .filter((file) => /\.(tsx?|mjs|css|md|json)$/.test(file) && file !== 'package-lock.json')
  // What a run prints, and what other programs wrote, is not our text.
  .filter((file) => !/^test\/(golden\/snapshots|fixtures)\//.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const documents = texts.filter(({ file }) => file.endsWith('.md'));

describe('documents', () => {
  it('were read', () => {
    assert.ok(texts.length > 1_500, `${texts.length} texts`);
    assert.ok(documents.length > 100, `${documents.length} documents`);
  });

  it('number decisions from 1 without a hole, in file names and headings alike', () => {
    assert.ok(decisions.length >= 53);
    assert.deepEqual(
      decisions.map((name) => name.replace(/^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$/, '$1')),
      decisions.map((_, index) => String(index + 1).padStart(4, '0')),
    );
    assert.deepEqual(
      decisions.map((name) => /^# (\d+)\. \S/.exec(readFileSync(`${folder}/${name}`, 'utf8'))?.[1]),
      decisions.map((_, index) => String(index + 1)),
    );
  });

  it('refer only to decisions that exist', () => {
    const references = texts.flatMap(({ file, text }) => decisionReferences(text).map((name) => ({ file, name })));
    assert.ok(references.length > 20, `${references.length} references`);
    assert.deepEqual(
      references.filter(({ name }) => !exists(name)),
      [],
    );
    const broken = `see ADR${' 7'}, docs/${'decisions'}/0001-other.md and docs/${'decisions'}/9999`;
    assert.deepEqual(
      decisionReferences(broken).map(exists),
      [false, false, false],
      'the check finds a short number, another name and a number that is not there',
    );
  });

  it('name in CONTRIBUTING.md and docs/security.md only files that exist', () => {
    for (const [document, atLeast] of [
      ['CONTRIBUTING.md', 40],
      ['docs/security.md', 25],
    ] as const) {
      const named = namedPaths(readFileSync(document, 'utf8'));
      assert.ok(named.length > atLeast, `${named.length} paths in ${document}`);
      assert.deepEqual(
        named.filter((name) => !existsSync(name)),
        [],
      );
    }
    assert.deepEqual(namedPaths('`src/a.ts`, `src/b/`, `src/*.ts` and `npm test`'), ['src/a.ts', 'src/b/']);
  });

  it('show a small picture of every sense of the editor, in both themes and in words', () => {
    const pages = readdirSync('docs').filter((name) => /^editor-.*\.md$/.test(name));
    assert.ok(pages.length >= 6, pages.join());
    for (const page of pages) {
      const [, dark = '', light = '', alt = ''] = shownPicture.exec(readFileSync(`docs/${page}`, 'utf8')) ?? [];
      assert.ok(alt.length > 20, `${page} has no picture with words`);
      assert.equal(dark.replace('-dark.', '-light.'), light);
      for (const name of [dark, light]) {
        const bytes = statSync(`docs/${name}`).size;
        assert.ok(bytes > 3_000 && bytes <= 80_000, `docs/${name} has ${bytes} bytes`);
      }
    }
    // Nothing of them is packed.
    assert.deepEqual(
      shippedFiles('.')?.filter((file) => file.startsWith('docs/')),
      [],
    );
  });

  it('link only to files that exist', () => {
    const links = documents.flatMap(({ file, text }) =>
      relativeLinks(text).map((link) => ({ file, link, target: path.join(path.dirname(file), link) })),
    );
    assert.ok(links.length > 50, `${links.length} links`);
    assert.deepEqual(
      links.flatMap(({ file, link, target }) => (existsSync(target) ? [] : [`${file}: ${link}`])),
      [],
    );
    assert.deepEqual(relativeLinks('[a](b.md#c) ![d](e/f.png) [g](https://h) [i](#j) `[k](l)`'), ['b.md', 'e/f.png']);
  });
});

const shownPicture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)" alt="([^"]+)">\s*<\/picture>/;

/** Paths of the project in code spans, also with a folder at their end; patterns are left out. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:src|webview-ui|test|docs|media)\/[\w./-]+)`/g)].map(([, name]) => name ?? '');
}

/** Names of decisions as a text gives them: "0007" of "ADR 0007", "0007-name" of a path. */
function decisionReferences(text: string): string[] {
  const named = [...text.matchAll(/\bADRs? (\d+)\b/g)].map(([, number]) => number ?? '');
  const paths = [...text.matchAll(/\bdecisions\/(\d+(?:-[a-z0-9]+)*)/g)].map(([, name]) => name ?? '');
  return [...named, ...paths];
}

function exists(name: string): boolean {
  return numbers.includes(name) || decisions.includes(`${name}.md`);
}

/** Targets of Markdown links to files, without their anchors; code is left out. */
function relativeLinks(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => (target ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target));
}
