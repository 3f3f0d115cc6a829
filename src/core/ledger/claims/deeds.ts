// Sentences in which Deft says what it did: "I ran `npm test`", "I did not touch `src/a.ts`", "I updated `src/b.ts`". English alone.
import { type Claim } from './claim';
import { type Code, type Sentence } from './sentences';

/** A plan, a condition, or somebody else's deed. */
const other =
  /\b(?:if|once|when|until|unless|should|would|will|could|can|may|might|must|let me|going to|plan|want|try|tried|trying|attempt\w*|after you|you|your|they|user|proposed?|suggest\w*|recommend\w*|says?|said|according|previous(?:ly)?|earlier|yesterday|last|commit|branch|PR|pull request|upstream|example|instead|rather)\b|'ll\b|'d\b/i;
const undone =
  /\b(?:revert\w*|und(?:o|id|one|oing)|restor\w+|rolled back|roll back|put back|reset|back to|beyond|except|apart|aside|other than|besides|otherwise|much|anymore|again|further|yet|only|until|before|directly|besides|semantics|behaviou?r|logic|functionally|public|API)\b/i;

const untouched =
  /\b(?:I|we)\s+(?:also\s+|still\s+)?(?:did\s+not|did\s*n't|didn't|have\s+not|haven't|never)\s+(?:touch(?:ed)?|chang(?:e|ed)|modif(?:y|ied)|edit(?:ed)?|alter(?:ed)?)\s+(?:the\s+(?:file\s+)?|anything\s+in\s+|any\s+of\s+)?(?=¤)/i;
const stays =
  /^\s*(?:(?:and|,)\s+¤+\s*)*(?:is|are|was|were|stays?|stayed|remains?|remained|has\s+been|have\s+been)\s+(?:left\s+)?(?:completely\s+|entirely\s+)?(?:untouched|unchanged|unmodified|not\s+(?:touched|changed|modified))\s*(?:[.!,;]|$)/i;
const ran =
  /(?:(?:^|[.,;:]\s+|\b(?:I|we)\s+(?:also\s+|then\s+|just\s+)*)(?:ran|re-?ran|executed)|\b(?:I|we)(?:'ve|\s+have)\s+(?:also\s+|then\s+|just\s+)*(?:run|re-?run|executed))\s+(?:the\s+(?:full\s+|whole\s+)?)?(?=¤)/i;
const ranTests =
  /\b(?:I|we)(?:'ve|\s+have)?\s+(?:also\s+|then\s+|just\s+)*(?:ran|re-?ran|run|executed)\s+(?:all\s+(?:of\s+)?|all\s+the\s+|the\s+|our\s+|your\s+)?(?:full\s+|whole\s+|entire\s+|existing\s+|unit\s+|complete\s+)*(?:tests|test\s+suite|suite)\b/i;
const changed =
  /(?:^\s*|\b(?:I|we)(?:'ve|\s+have)?\s+(?:also\s+|then\s+)*)(?:created|updated|modified|edited|rewrote|rewritten|wrote)\s+(?:the\s+(?:file\s+)?|a\s+new\s+file\s*,?\s+|a\s+(?:new\s+)?(?:file\s+)?)?(?=¤)/i;
const file = /^(?:\.{0,2}\/)?[\w@.()[\]-]+(?:\/[\w@.()[\]-]+)*\.[A-Za-z]\w{0,7}$/;

export function deedsIn(sentence: Sentence): Claim[] {
  if (sentence.codes.length === 0 && !ranTests.test(sentence.words)) return [];
  return untouchedIn(sentence) ?? ranIn(sentence) ?? changedIn(sentence) ?? [];
}

function untouchedIn(sentence: Sentence): Claim[] | undefined {
  const { words, codes } = sentence;
  if (undone.test(words) || /\b(?:if|should|would|will|could|can|must|you|your|user)\b/i.test(words)) return undefined;
  const found = untouched.exec(words);
  if (found !== null) {
    const named = codesFrom(codes, words, found.index + found[0].length);
    const last = named.at(-1);
    // What follows may say which part is meant.
    const rest = last === undefined ? '' : words.slice(last.at + last.length);
    return /^\s*(?:[.!,;]|$|at\s+all\b|and\s+(?:did|the|all|it)\b)/.test(rest)
      ? claims('untouched', sentence, named)
      : undefined;
  }
  const first = codes[0];
  // The file itself is the subject, not something in it.
  if (first === undefined || !/^\s*(?:the\s+file\s+|and\s+|so\s+)?$/i.test(words.slice(0, first.at))) return undefined;
  const named = codesFrom(codes, words, first.at);
  const last = named.at(-1);
  return last !== undefined && stays.test(words.slice(last.at + last.length))
    ? claims('untouched', sentence, named)
    : undefined;
}

function ranIn(sentence: Sentence): Claim[] | undefined {
  const { words, codes } = sentence;
  if (other.test(words) || /\b(?:not|never|n't)\b|n't\b/i.test(words)) return undefined;
  const found = ran.exec(words);
  if (found !== null) {
    const named = codesFrom(codes, words, found.index + found[0].length).filter(({ text }) => !file.test(text));
    return named.length === 0 ? undefined : claims('ran', sentence, named);
  }
  return ranTests.test(words)
    ? [{ kind: 'ran', quote: sentence.quote, isScoped: false, isPast: true, numbers: [], subjects: [] }]
    : undefined;
}

function changedIn(sentence: Sentence): Claim[] | undefined {
  const { words, codes } = sentence;
  if (other.test(words) || undone.test(words) || /\b(?:not|never)\b|n't\b/i.test(words)) return undefined;
  const found = changed.exec(words);
  if (found === null) return undefined;
  const named = codesFrom(codes, words, found.index + found[0].length);
  const last = named.at(-1);
  const rest = last === undefined ? '' : words.slice(last.at + last.length);
  const ends = /^\s*(?:[.!,;:(–—]|-\s|$|(?:to|so|with|and|by|in order|for|accordingly|as well)\b)/.test(rest);
  return ends ? claims('touched', sentence, named) : undefined;
}

/** Those that stand there one after the other: "`a.ts`, `b.ts` and `c.ts`". */
function codesFrom(codes: readonly Code[], words: string, from: number): Code[] {
  const named: Code[] = [];
  let end = from;
  for (const code of codes) {
    if (code.at < from) continue;
    if (!/^\s*(?:,|and|or|nor|&|,\s*and|,\s*or)?\s*$/i.test(words.slice(end, code.at))) break;
    named.push(code);
    end = code.at + code.length;
  }
  return named;
}

function claims(kind: 'untouched' | 'ran' | 'touched', { quote }: Sentence, named: readonly Code[]): Claim[] {
  const subjects = named.map(({ text }) => text);
  if (kind !== 'ran' && !subjects.every((subject) => file.test(subject))) return [];
  return [{ kind, quote, isScoped: true, isPast: true, numbers: [], subjects }];
}
