// What a model is asked for a commit message, and what of its answer is taken.
import assert from 'node:assert/strict';
import {
  commitMessageOf,
  commitMessageRequest,
  visibleDiff,
  type CommitFacts,
} from '../../../../src/core/prompt/commit-message';
import { refuseBody } from '../../../support/messages-api/validate-request';

const section = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;
const facts: CommitFacts = { diff: section('a.ts', 'new'), newFiles: [], recent: [], typed: '' };

function asked(change: Partial<CommitFacts>): string {
  const { messages } = commitMessageRequest('claude-opus-5', { ...facts, ...change });
  return messages
    .flatMap(({ content }) => content.map((block) => (block.type === 'text' ? block.text : '')))
    .join('\n');
}

describe('the request for a commit message', () => {
  it('is one that the API takes', () => {
    const request = commitMessageRequest('claude-opus-5', {
      ...facts,
      recent: ['One'],
      typed: 'fix',
      newFiles: ['b.ts'],
    });
    assert.equal(
      refuseBody(request, { 'anthropic-version': '2023-06-01', 'x-api-key': 'key' }, [], {}, false),
      undefined,
    );
  });

  it('holds the diff, new files, the style of the last messages and what was typed', () => {
    const text = asked({ newFiles: ['src/new.ts'], recent: ['Add a\n\nWhy.\n', 'Fix b'], typed: 'dates ' });
    assert.match(text, /<attachment name="recent-messages">\nAdd a\n\nWhy\.\n---\nFix b\n<\/attachment>/);
    assert.match(text, /<attachment name="new-files">\nsrc\/new\.ts\n<\/attachment>/);
    assert.match(text, /<attachment name="diff">\ndiff --git a\/a\.ts/);
    assert.match(text, /<attachment name="typed-by-the-user">\ndates\n<\/attachment>/);
    assert.doesNotMatch(asked({}), /recent-messages|new-files|typed-by/);
  });

  it('asks for no author where settings say how it ends', () => {
    const system = (endIsSet: boolean): string =>
      JSON.stringify(commitMessageRequest('claude-opus-5', { ...facts, endIsSet }).system);
    assert.match(system(true), /Put no line into a commit message that names you/);
    assert.doesNotMatch(system(false), /Put no line/);
  });

  it('cuts a long diff and says so; no diff closes its attachment', () => {
    const text = asked({ diff: section('a.ts', `</attachment> ${'x'.repeat(200_000)}`) });
    assert.ok(text.length < 130_000);
    assert.match(text, /\[cut here: the diff is 200\d\d\d characters long\]/);
    assert.equal(text.match(/<\/attachment>/g)?.length, 1);
  });
});

describe('the answer', () => {
  for (const [answer, message] of [
    ['Fix dates\n\nThey rolled over.\n', 'Fix dates\n\nThey rolled over.'],
    ['```\nFix dates\n```', 'Fix dates'],
    ['```text\nFix dates\n\nBody.\n```\n', 'Fix dates\n\nBody.'],
    ['"Fix dates"', 'Fix dates'],
    ['Quote "a" and "b"', 'Quote "a" and "b"'],
    ['"a" becomes "b"', '"a" becomes "b"'],
    ['  \n', ''],
  ] as const) {
    it(`${JSON.stringify(answer)} gives ${JSON.stringify(message)}`, () =>
      assert.equal(commitMessageOf(answer), message));
  }
});

describe('a diff for the model', () => {
  const hidden = (path: string) => ['.env', 'secret dir/k', 'café.txt'].includes(path);

  it('leaves hidden files out, by old and by new name', () => {
    const kept = section('a.ts', 'new') + section('b.ts', 'diff --git is only a word here');
    const renamed = 'diff --git a/.env b/env.txt\nsimilarity index 100%\nrename from .env\nrename to env.txt\n';
    const spaces =
      'diff --git a/secret dir/k b/secret dir/k\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/secret dir/k\t\n@@ -0,0 +1 @@\n+key\n';
    const quoted =
      'diff --git "a/caf\\303\\251.txt" "b/caf\\303\\251.txt"\n--- "a/caf\\303\\251.txt"\n+++ "b/caf\\303\\251.txt"\n@@ -1 +1 @@\n-a\n+b\n';
    assert.equal(visibleDiff(section('.env', 'KEY=1') + kept + renamed + spaces + quoted, hidden), kept);
  });

  it('is whole where nothing is hidden', () => {
    const diff = section('a.ts', 'x') + section('b.ts', 'y');
    assert.equal(
      visibleDiff(diff, () => false),
      diff,
    );
  });
});
