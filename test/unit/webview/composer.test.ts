// Mentions, dropped files, inserted text and image limits of the composer.
import assert from 'node:assert/strict';
import { openWebviewPage } from '../../support/webview-page';
import fc from 'fast-check';
import { aside, beginRecall, clearDraft, draft, insertAt, setDraft, writeAnew } from '../../../webview-ui/state/draft';
import { MAX_BYTES, MAX_SIDE, scaledSize, scaledType } from '../../../webview-ui/state/image-limits';
import { findMentions } from '../../../src/core/prompt/mentions';
import { mentionText } from '../../../src/shared/mention-text';
import { applyMention, mentionAt } from '../../../webview-ui/composer/mention';
import { labelParts } from '../../../webview-ui/composer/selection-chip';
import { costText } from '../../../src/shared/session-glance';

/** `|` is the cursor. */
function at(marked: string) {
  return mentionAt(marked.replace('|', ''), marked.indexOf('|'));
}

function choose(marked: string, path: string, kind: 'file' | 'folder' = 'file'): string {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const mention = mentionAt(text, cursor);
  assert.ok(mention);
  const applied = applyMention(text, cursor, mention, { path, kind });
  return `${applied.text.slice(0, applied.cursor)}|${applied.text.slice(applied.cursor)}`;
}

describe('mentions', () => {
  it('finds the one at the cursor', () => {
    assert.deepEqual(at('@|'), { start: 0, query: '' });
    assert.deepEqual(at('see @src/a.t|s now'), { start: 4, query: 'src/a.t' });
    assert.deepEqual(at('(@a|)'), { start: 1, query: 'a' });
    assert.deepEqual(at('line\n@x|'), { start: 5, query: 'x' });
    assert.deepEqual(at('see @"a b|'), { start: 4, query: 'a b' });
  });

  it('finds none elsewhere', () => {
    for (const text of ['me@example.org|', 'see @a b|', '|@a', 'text|', '@"a b" |'])
      assert.equal(at(text), undefined, text);
  });

  it('writes the chosen one', () => {
    assert.equal(choose('see @sr|', 'src/a.ts'), 'see @src/a.ts |');
    assert.equal(choose('see @sr| now', 'src/a.ts'), 'see @src/a.ts| now');
    assert.equal(choose('see @s|rc/x', 'src/a.ts'), 'see @src/a.ts |');
    assert.equal(choose('@a|', 'a b.ts'), '@"a b.ts" |');
    assert.equal(choose('@s|', 'src', 'folder'), '@src/|');
    assert.equal(choose('@s|', 'src/[id]', 'folder'), '@"src/[id]/|"');
    assert.equal(choose('@"src/[id]/|"', 'src/[id]/a.ts'), '@"src/[id]/a.ts" |');
  });

  it('attaches what was chosen, whatever signs are in its name', () => {
    const names = fc.string({ unit: fc.constantFrom(...'a/[](){}<>.:!?,;\'`# 12-L@ö"'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(names, fc.constant('src/routes/[id].ts')), (path) => {
        const text = applyMention('see @s', 6, { start: 4, query: 's' }, { path, kind: 'file' }).text;
        assert.deepEqual(findMentions(text), [{ path }]);
      }),
    );
  });

  it('is found again as written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w ./-]{1,20}$/), (path) => {
        const written = mentionText(path).replace(/"$/, '');
        assert.deepEqual(mentionAt(`x ${written}`, written.length + 2), { start: 2, query: path });
      }),
    );
  });
});

describe("the selection's label", () => {
  it('is parted into what gives way and what stays', () => {
    assert.deepEqual(labelParts('src/date.ts:12-30'), { folder: 'src/', stem: 'date', end: '.ts:12-30' });
    assert.deepEqual(labelParts('date.test.ts'), { folder: '', stem: 'date.test', end: '.ts' });
    assert.deepEqual(labelParts('a b/.env:1-1'), { folder: 'a b/', stem: '.env', end: ':1-1' });
    assert.deepEqual(labelParts('Makefile'), { folder: '', stem: 'Makefile', end: '' });
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w ./:\\-]{1,30}$/), (label) => {
        const { folder, stem, end } = labelParts(label);
        assert.equal(folder + stem + end, label);
      }),
    );
  });
});

describe('inserted text', () => {
  it('gets spaces where words would touch', () => {
    assert.deepEqual(insertAt('', 0, 0, 'new'), { text: 'new', cursor: 3 });
    assert.deepEqual(insertAt('ab', 1, 1, 'new'), { text: 'a new b', cursor: 6 });
    assert.deepEqual(insertAt('a  b', 2, 2, 'new'), { text: 'a new b', cursor: 5 });
    assert.deepEqual(insertAt('old text', 0, 3, 'new'), { text: 'new text', cursor: 3 });
  });

  it('keeps a block on lines of its own', () => {
    assert.deepEqual(insertAt('', 0, 0, '\nblock\n'), { text: 'block\n', cursor: 6 });
    assert.deepEqual(insertAt('See:', 4, 4, '\nblock\n'), { text: 'See:\nblock\n', cursor: 11 });
  });
});

describe('image limits', () => {
  it('leave small images as they are', () => {
    assert.equal(scaledSize({ width: MAX_SIDE, height: 10 }, MAX_BYTES), undefined);
  });

  it('scale the longer side and keep the proportions', () => {
    assert.deepEqual(scaledSize({ width: 3_136, height: 1_000 }, 1), { width: 1_568, height: 500 });
    assert.deepEqual(scaledSize({ width: 100, height: 100 }, MAX_BYTES + 1), { width: 100, height: 100 });
  });

  it('never give an empty or a long side', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), (width, height) => {
        const size = scaledSize({ width, height }, 1);
        if (!size) return assert.ok(Math.max(width, height) <= MAX_SIDE);
        assert.ok(Math.min(size.width, size.height) >= 1 && Math.max(size.width, size.height) === MAX_SIDE);
      }),
    );
  });

  it('encode drawings without loss first, then smaller', () => {
    assert.deepEqual(scaledType('image/png', 0), { type: 'image/png' });
    const qualities = [0, 1, 2, 3].map((attempt) => scaledType('image/jpeg', attempt).quality ?? 1);
    assert.deepEqual(
      [...qualities].sort((a, b) => b - a),
      qualities,
    );
  });
});

describe('cost', () => {
  it('shows cents, and never zero for something', () => {
    assert.equal(costText(0.1234), '$0.12');
    assert.equal(costText(0.001), '$0.01');
    assert.equal(costText(12), '$12.00');
  });
});

describe('a message that is written anew', () => {
  const message = { text: 'Look at this', images: [{ name: 'a.png', mediaType: 'image/png' as const, data: 'AAAA' }] };
  before(openWebviewPage);
  after(clearDraft);

  it('puts nothing of its own aside where it comes twice', () => {
    setDraft('');
    writeAnew(message);
    writeAnew(message);
    assert.deepEqual([draft.peek(), aside.peek()], ['Look at this', null]);
    setDraft('Look at that');
    writeAnew(message);
    assert.equal(aside.peek()?.text, 'Look at that');
  });

  it('is asked for once, until the draft changes', () => {
    setDraft('');
    assert.deepEqual([beginRecall('1'), beginRecall('1')], [true, false]);
    setDraft('');
    assert.equal(beginRecall('1'), true);
  });
});
