// What the user has chosen so far: one choice a question, and the answers that they make.
import { type Question } from '../../src/shared/question';

export interface Choice {
  /** Of the options. */
  labels: readonly string[];
  /** "Other" is chosen. */
  other: boolean;
  text: string;
}

export const noChoice: Choice = { labels: [], other: false, text: '' };

/** Radios: the one that was clicked. Checkboxes: the one that was clicked turns over. */
export function choose(choice: Choice, { multiSelect }: Question, label: string): Choice {
  if (!multiSelect) return { ...choice, labels: [label], other: false };
  const labels = choice.labels.includes(label)
    ? choice.labels.filter((other) => other !== label)
    : [...choice.labels, label];
  return { ...choice, labels };
}

export function chooseOther(choice: Choice, { multiSelect }: Question, other = true): Choice {
  return multiSelect ? { ...choice, other } : { ...choice, labels: [], other: true };
}

/** Words that are written are meant. */
export function write(choice: Choice, question: Question, text: string): Choice {
  return { ...(text.trim() === '' ? choice : chooseOther(choice, question)), text };
}

/** In the order of the options, separated by commas; undefined where nothing, or an empty "Other", is chosen. */
export function answerOf({ labels, other, text }: Choice, { options }: Question): string | undefined {
  const words = other ? text.trim() : '';
  if (other && words === '') return undefined;
  const chosen = options.map(({ label }) => label).filter((label) => labels.includes(label));
  const all = [...chosen, ...(words === '' ? [] : [words])];
  return all.length === 0 ? undefined : all.join(', ');
}

/** What was answered, by question. */
export function answersOf(choices: readonly Choice[], questions: readonly Question[]): Record<string, string> {
  const given = questions.flatMap((question, index): [string, string][] => {
    const text = answerOf(choices[index] ?? noChoice, question);
    return text === undefined ? [] : [[question.question, text]];
  });
  return Object.fromEntries(given);
}

/** How far a question's card has come. */
export interface HalfAnswer {
  page: number;
  choices: readonly Choice[];
}
