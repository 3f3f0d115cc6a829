// The language of source, prompts and docs: phrases that read as translated, or that belong to another term, stay out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { filesBelow } from './source-files';

/** Each with what to write in its place; only phrases that are never right here. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bthe persons?\b/i, 'the user'],
  [/\bof worth\b/i, 'valuable'],
  [/\bstands in it twice\b/i, 'it has … twice'],
  [/\bThis is a fault of Deft\b/, 'This is a bug in Deft'],
  [/\bis no permission\b/i, 'is not a permission'],
  [/\bspeaks for the user in it\b/i, "is not the user's words"],
  [/\blook only\b/i, 'only read'],
  [/\bleave to (?:run|read|write|make|use|edit)\b/i, 'permission to'],
  [/\bso it is passed over\b/i, 'so it is ignored'],
  [/\bwhatever it holds\b/i, 'regardless of content'],
  [/\bnobody speaks for the user\b/i, "data, not the user's words"],
  [/\bThe person rejected\b/, 'The user rejected'],
  [/\bWhat was finished (?:stays|is kept)\b/, 'Finished work is kept'],
  [/\bThe turn is over\b/, 'The turn has ended'],
  [/\bby somebody else['"`]/, 'by another process'],
  [/\bno message of the protocol\b/i, 'not a protocol message'],
  [/\bhas something that does not count\b/i, 'has something that is ignored'],
  [/\bwhat is to be (?:added|explained|reached)\b/i, 'what to add'],
  [/\bleads in a circle\b/i, 'is a circular symlink'],
  [/\bis no regular file\b/i, 'is not a regular file'],
  [/\b[Tt]ake the goal back\b/, 'Clear the goal'],
  [/\bShow what it brings\b/, 'Show its contents'],
  [/\bsign-in has run out\b/i, 'has expired'],
  [/\bGo on (?:in a copy|with this session)\b/, 'Continue'],
  [
    /\b(?:mayLeave|NewsBell|onNews|TeammateSeat|BesideServices|createBeside|toldKeys|toldMode|LateTold|tellHooks)\b/,
    'allowsUnsandboxed, onArrival, TeammateSlot, sideWork, sent…, report…',
  ],
];

const files = [
  ...filesBelow('src').filter((file) => /\.(?:tsx?|md)$/.test(file)),
  ...filesBelow('webview-ui').filter((file) => /\.tsx?$/.test(file)),
  ...filesBelow('docs').filter((file) => file.endsWith('.md') && !file.includes('decisions')),
];

function findings(text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    banned.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line)?.[0];
      return found === undefined ? [] : [`${index + 1}: "${found}", write "${instead}"`];
    }),
  );
}

describe('language', () => {
  it('has none of the phrases that read as translated', () => {
    assert.ok(files.length > 800, `${files.length} files were read`);
    assert.deepEqual(
      files.flatMap((file) => findings(readFileSync(file, 'utf8')).map((finding) => `${file}:${finding}`)),
      [],
    );
  });

  it('finds each of them in strings, comments and prompts', () => {
    const lines = ['// Asks the person.', "const why = 'The turn is over.';", '- Without leave to run it, stop.'];
    assert.deepEqual(findings(lines.join('\n')), [
      '1: "the person", write "the user"',
      '2: "The turn is over", write "The turn has ended"',
      '3: "leave to run", write "permission to"',
    ]);
    assert.deepEqual(findings('// Asks the user to leave the folder in person.'), []);
  });
});
