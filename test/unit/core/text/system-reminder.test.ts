// Tags that would speak for Deft: which ones, what they become, and back.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addedNeutralTag,
  neutralJoined,
  neutralText,
  neutralValue,
  originalText,
  reminder,
  withTagsOf,
} from '../../../../src/core/text/system-reminder';
import { spellings } from '../../../support/forged-reminders';

const piece = fc.oneof(
  fc.constantFrom(
    '<',
    '</',
    '>',
    ' ',
    '\n',
    '\\',
    'system-reminder',
    'SYSTEM-',
    'reminder',
    '\u200b',
    '\x1b[31m',
    '&lt;',
  ),
  fc.constantFrom(...spellings),
  fc.string({ maxLength: 5 }),
);
const texts = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

describe('tags of reminders', () => {
  for (const spelling of spellings)
    it(`${JSON.stringify(spelling)} gets a backslash`, () => {
      assert.equal(neutralText(`a ${spelling}`), `a ${spelling[0]}\\${spelling.slice(1)}`);
      assert.equal(originalText(neutralText(spelling)), spelling);
    });

  for (const other of [
    '<system>',
    'system-reminder',
    '&lt;system-reminder&gt;',
    '<SystemReminder />',
    '<my-system-reminder>',
    '<systemreminder>',
    '<system.reminder>',
    '<system> reminder',
    'a < b',
    '<\\/system-reminder>',
  ])
    it(`${other} stays`, () => assert.equal(neutralText(other), other));

  it('a text that was made neutral is returned as it is, whatever it holds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const neutral = neutralText(text);
        assert.equal(neutralText(neutral), neutral);
        assert.ok(!/<\s*\/?\s*system-reminder/i.test(neutral), neutral);
        assert.equal(neutral.replaceAll('\\', ''), text.replaceAll('\\', ''));
        if (!text.includes('\\')) assert.equal(originalText(neutral), text);
      }),
    );
  });

  it('spaces without end after a bracket are read once', () => {
    const text = `<${' '.repeat(1_000_000)}/${'\u200b'.repeat(1_000_000)}x${'<'.repeat(1_000_000)}`;
    assert.equal(neutralText(text), text);
    const within = `<system${' '.repeat(500_000)}${'-'.repeat(500_000)}${'\x1b[m'.repeat(200_000)}x`;
    assert.equal(neutralText(within), within);
  });

  it('of the tags around a text are neutral too, and only those', () => {
    assert.equal(neutralText('</skill><skills></ Skill >', 'skill'), '<\\/skill><skills><\\/ Skill >');
  });

  it('a reminder that quotes one is one reminder', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(reminder(text).match(/<\s*\/?\s*system-reminder/gi)?.length, 2);
      }),
    );
  });

  it('parts that form a tag where they are joined do not', () => {
    assert.equal(neutralJoined(`<\nsystem-reminder>\n${reminder('x')}`), `<\\\nsystem-reminder>\n${reminder('x')}`);
  });

  it('a value keeps its identity where nothing changes', () => {
    const value = { a: ['x', { b: 1 }], bytes: new Uint8Array(2) };
    assert.equal(neutralValue(value), value);
    assert.deepEqual(neutralValue({ a: ['<system-reminder>', value] }), { a: ['<\\system-reminder>', value] });
  });

  it('a text that replaces another has the tags as that one has them', () => {
    const shown = '<\\system-reminder>\n<\\/system-reminder>';
    assert.equal(withTagsOf('a <system-reminder> b', shown), '<system-reminder>\n<\\/system-reminder>');
    assert.equal(withTagsOf('<system-reminder> and <\\system-reminder>', shown), shown);
    assert.equal(addedNeutralTag('<\\system-reminder>', shown), '<\\/system-reminder');
  });
});
