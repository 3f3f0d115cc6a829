// What "@changes" attaches: states, differences as far as they fit, and no more than the rules let through.
import assert from 'node:assert/strict';
import { type UncommittedChanges } from '../../../../src/core/ports/git-state';
import { mentionedChanges } from '../../../../src/core/prompt/changes-mention';

const mentioned = (changes: UncommittedChanges | undefined, secrets: string[] = []): Promise<string> =>
  mentionedChanges({ changes: async () => changes }, '/w', () => false, secrets);
const part = (name: string, lines: number): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,${lines} @@\n${'+a line of some length\n'.repeat(lines)}`;

describe('@changes', () => {
  it('has the states and the differences', async () => {
    const text = await mentioned({
      files: [
        { state: ' M', path: 'a.ts' },
        { state: '??', path: 'b.ts' },
      ],
      hidden: 0,
      diff: part('a.ts', 1),
    });
    assert.equal(text, `Uncommitted in /w:\n M a.ts\n?? b.ts\n\n${part('a.ts', 1).trimEnd()}`);
  });

  it('says that there are none, that some are hidden, and that there is no repository', async () => {
    assert.equal(await mentioned({ files: [], hidden: 0, diff: '' }), 'Nothing in /w is uncommitted.');
    assert.equal(
      await mentioned({ files: [], hidden: 2, diff: '' }),
      "Nothing in /w is uncommitted.\nLeft out because the user's rules hide them: 2 files.",
    );
    assert.match(await mentioned(undefined), /^\/w is in no git repository, or git does not answer/);
  });

  it('shows whole files as long as they fit, and names the others', async () => {
    const text = await mentioned({
      files: [{ state: ' M', path: 'a' }],
      hidden: 0,
      diff: part('a', 1_000) + part('b', 1_200) + part('c', 10),
    });
    assert.ok(text.length < 41_000);
    assert.match(text, /\+\+\+ b\/a\n/);
    assert.match(text, /\+\+\+ b\/c\n/);
    assert.doesNotMatch(text, /\+\+\+ b\/b\n/);
    assert.match(text, /\[Differences that are not shown: b \(\d+ lines\)\]$/);
  });

  it('cuts one that is too long alone, after credentials are gone', async () => {
    const secret = 'key-0123456789abcdef';
    const long =
      part('a', 1).replace('\n+a line', `\n+${'x'.repeat(39_900 - part('a', 1).length)}${secret}`) + 'y'.repeat(5_000);
    const text = await mentioned({ files: [{ state: ' M', path: 'a' }], hidden: 0, diff: long }, [secret]);
    assert.match(text, /\n\[cut here: read the file for the rest\]$/);
    assert.doesNotMatch(text, /key-0/);
  });
});
