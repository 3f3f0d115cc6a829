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
    if (!table.hint.test(words) || table.failure.test(words.replace(table.noFailure, ' '))) continue;
    for (const [kind, pattern] of table.claims) {
      const found = pattern.exec(words);
      if (found === null || isTurned(table, words, found.index, found[0])) continue;
      const isScoped = table.scope.test(found[0]) || table.scope.test(words.slice(0, found.index));
      return { ...claimOf(kind, sentence), isScoped, isPast: past.test(found[0]) };
    }
  }
  return undefined;
}

/** What is said ahead of it or behind it makes something else of it. */
function isTurned({ before, after }: (typeof claimWords)[number], words: string, at: number, found: string): boolean {
  return (
    before.test(`${words.slice(0, at + found.length)} `) ||
    after.test(words.slice(at + found.length).replace(/^\s+/, ''))
  );
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
    return { ...claimOf(kind, sentence), isScoped: true, isPast: past.test(state[0]), subjects: [text] };
  }
  return undefined;
}

/** In one of the languages; a perfect tells of now. */
const past =
  /(?<!\b(?:have|has)\s(?:\w+\s)?)\b(?:passed|succeeded|were|was|came|ran|went|had|waren|war|liefen|lief|pasaron|pasó|passaram|passou)\b|прош(?:ли|ёл|ел|ла)|通过了|通過了|(?:通り|パスし|成功し|合格し|通過し)ました|(?:通っ|パスし|成功し)た|통과했|통과하였|성공했|성공하였/iu;

function claimOf(kind: CheckKind | 'checks', { quote, words }: Sentence): Claim {
  const numbers = [...words.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));
  return { kind, quote, isScoped: false, isPast: false, numbers, subjects: [] };
}
