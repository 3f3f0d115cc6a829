// Templates of sentences for the model: what stays of them with which tools.
import assert from 'node:assert/strict';
import { offeredText, said, words } from '../../../../src/core/text/words';

const rows: Record<string, [template: string, offered: string[], text: string]> = {
  'a part of an offered tool stays': ['See it.{{Grep:  Use Grep.}}', ['Grep'], 'See it. Use Grep.'],
  'a part of another one goes': ['See it.{{Grep:  Use Grep.}}', [], 'See it.'],
  'all that are named': ['{{Read, Edit: Both.}}', ['Read'], ''],
  'one of those that are named': ['{{Read|Edit: One.}}', ['Edit'], 'One.'],
  'what is not offered': ['{{!Read: None.}}{{!Read, Edit: Edit alone.}}', ['Edit'], 'None.Edit alone.'],
  'one of those that are not offered': ['{{!Bash|!Read: Look.}}', ['Bash'], 'Look.'],
  'none that is not offered': ['{{!Bash|!Read: Look.}}', ['Bash', 'Read'], ''],
  'no condition on tools': ['{{note: see}}', [], '{{note: see}}'],
  'a list of what is offered': ['Use {{Read, Grep, Glob}}.', ['Read', 'Glob'], 'Use Read and Glob.'],
  'one of a list': ['Use {{Read or Grep}}.', ['Grep'], 'Use Grep.'],
  'alternatives of a list': ['Use {{Read or Grep}}.', ['Grep', 'Read'], 'Use Read or Grep.'],
  'a list inside a part': ['{{Read|Grep: Use {{Read, Grep}}.}}', ['Read'], 'Use Read.'],
  'a point of which nothing is left': ['- One.\n- {{Grep: Two.}}\n- Three.', [], '- One.\n- Three.'],
  'the last point': ['- One.\n- {{Grep: Two.}}', [], '- One.\n'],
  'a point with a part': ['- One.{{Grep:  Two.}}\n- Three.', [], '- One.\n- Three.'],
  'braces of its own': ['{{A1: send {"type": "x"} now}}', ['A1'], 'send {"type": "x"} now'],
  'other braces': ['{default} {{ {{x}} }}', [], '{default} {{ {{x}} }}'],
};

describe('words', () => {
  for (const [name, [template, offered, text]] of Object.entries(rows))
    it(name, () => {
      assert.equal(
        offeredText(template, (tool) => offered.includes(tool)),
        text,
      );
    });

  it('take nothing in a value for a part of the template', () => {
    const path = 'a{{Grep: b}}{{Read, Edit}}$&.txt';
    assert.equal(
      said(words`No ${path}.{{Grep:  Find ${path} with Grep.}}`, () => false),
      `No ${path}.`,
    );
    assert.equal(said(words`${1}: ${words`{{Grep: in ${2}}}`}`), '1: in 2');
  });

  it('name no tool where they become a text by mistake', () => {
    const text: unknown = words`See it.{{Grep:  Use Grep.}}`;
    assert.equal(String(text), 'See it.');
  });
});
