// The claims of a text: sentences that report success or say what was done. Where a sentence may mean something else, it is none.
import { type CheckKind } from '../../../shared/ledger';
import { readCommand } from '../facts/runners';
import { type Claim } from './claim';
import { claimWords, mayClaim } from './claim-words';
import { deedsIn } from './deeds';
import { type Sentence, sentencesOf } from './sentences';

const longest = 400;

export function findClaims(text: string): Claim[] {
  if (!mayClaim.test(text) && !text.includes('`')) return [];
  return sentencesOf(text).flatMap((sentence) => {
    if (sentence.quote.length > longest || /[?？]\s*[*_]*$/.test(sentence.words)) return [];
    const report = reportIn(sentence) ?? programIn(sentence);
    return report === undefined ? deedsIn(sentence) : [report];
  });
}

function reportIn(sentence: Sentence): Claim | undefined {
  const { words } = sentence;
  if (!mayClaim.test(words)) return undefined;
  for (const table of claimWords) {
    if (table.failure.test(words.replace(table.noFailure, ' '))) continue;
    for (const [kind, pattern] of table.claims) {
      const found = pattern.exec(words);
      if (found === null || isTurned(table, words, found.index, found[0])) continue;
      return claimOf(kind, sentence, table.scope.test(found[0]) || table.scope.test(words.slice(0, found.index)));
    }
  }
  return undefined;
}

/** What is said ahead of it or behind it makes something else of it. */
function isTurned({ before, after }: (typeof claimWords)[number], words: string, at: number, found: string): boolean {
  return (
    before.test(`${words.slice(0, at)} `) ||
    before.test(inner(found)) ||
    after.test(words.slice(at + found.length).replace(/^\s+/, ''))
  );
}

/** A negation may stand between the noun and the verb. */
function inner(found: string): string {
  return /\b(?:not|never|n't|should|would|will|could|may|might|must|nicht|noch|pas|ne|não|nunca|devrai\w*|deber\w+|dever\w+|sollte\w*|не|бы|будут|должны)\b|[不未没]|해야|应该|應該/iu.test(
    found,
  )
    ? ' not '
    : '';
}

const programState =
  /^\s*(?:\([^)]*\)\s*)?(?:now\s+|still\s+|also\s+|all\s+|again\s+)*(?:pass(?:es|ed)|succeed(?:s|ed)|(?:is|was|runs?|ran|comes? back|came back)\s+(?:now\s+|all\s+)?(?:green|clean(?:ly)?|passing|successful(?:ly)?|happy)|exits?\s+(?:with\s+)?(?:code\s+)?0|(?:reports|reported|shows|showed)\s+(?:no|zero|0)\s+(?:\w+\s+)?(?:errors?|failures?|problems?|issues?|warnings?))\b(?!\s+(?:a|an|the|it|to|through|as|into|its|this|that)\b)/i;

/** "`npm test` passes": what the program checks is in the table of runners. */
function programIn(sentence: Sentence): Claim | undefined {
  const english = claimWords[0];
  if (english === undefined) return undefined;
  if (english.failure.test(sentence.words.replace(english.noFailure, ' '))) return undefined;
  for (const { text, at, length } of sentence.codes) {
    const rest = sentence.words.slice(at + length);
    const state = programState.exec(rest);
    if (state === null) continue;
    const [kind] = readCommand(text).kinds;
    if (kind === undefined || english.before.test(`${sentence.words.slice(0, at)} `)) continue;
    if (english.after.test(rest.slice(state[0].length).replace(/^\s+/, ''))) continue;
    return { ...claimOf(kind, sentence, true), subjects: [text] };
  }
  return undefined;
}

function claimOf(kind: CheckKind | 'checks', { quote, words }: Sentence, isScoped: boolean): Claim {
  const numbers = [...words.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));
  return { kind, quote, isScoped, numbers, subjects: [] };
}
