// What is chosen of a question, and the answer that it makes.
import assert from 'node:assert/strict';
import { type Question } from '../../../src/shared/question';
import { answerOf, choose, chooseOther, noChoice, write, type Choice } from '../../../webview-ui/forms/choices';

const question = (multiSelect: boolean): Question => ({
  question: 'Which?',
  header: 'Which',
  options: ['A', 'B', 'C'].map((label) => ({ label, description: '' })),
  multiSelect,
});
const one = question(false);
const many = question(true);
type Step = (choice: Choice, of: Question) => Choice;
const click =
  (label: string): Step =>
  (choice, of) =>
    choose(choice, of, label);
const other: Step = (choice, of) => chooseOther(choice, of);
const noOther: Step = (choice, of) => chooseOther(choice, of, false);
const words =
  (text: string): Step =>
  (choice, of) =>
    write(choice, of, text);

describe('choices', () => {
  const table: [string, Question, Step[], string | undefined][] = [
    ['nothing', one, [], undefined],
    ['one', one, [click('B')], 'B'],
    ['another one', one, [click('B'), click('C')], 'C'],
    ['"Other" without words', one, [click('B'), other], undefined],
    ['words', one, [click('B'), words(' my own ')], 'my own'],
    ['words, and then an option', one, [words('my own'), click('A')], 'A'],
    ['an option, and then "Other" with the words from before', one, [words('my own'), click('A'), other], 'my own'],
    ['blank words', one, [click('B'), words('  ')], 'B'],
    ['several, in the order of the options', many, [click('C'), click('A')], 'A, C'],
    ['one that was taken away', many, [click('C'), click('A'), click('C')], 'A'],
    ['several and words', many, [words('my own'), click('B')], 'B, my own'],
    ['several, "Other" taken away', many, [words('my own'), click('B'), noOther], 'B'],
    ['several and "Other" without words', many, [click('B'), other], undefined],
    ['none of several', many, [click('B'), click('B')], undefined],
  ];
  for (const [name, of, steps, answer] of table) {
    it(`${name}: ${answer ?? 'no answer'}`, () =>
      assert.equal(
        answerOf(
          steps.reduce((choice, step) => step(choice, of), noChoice),
          of,
        ),
        answer,
      ));
  }
});
