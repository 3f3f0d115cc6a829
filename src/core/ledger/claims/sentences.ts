// The sentences of an answer that speak for themselves: without code, quotes, tables, and lists of what is planned or wanted.

export interface Code {
  text: string;
  /** Where it begins in the sentence. */
  at: number;
  length: number;
}

export interface Sentence {
  /** As it stands in the text. */
  quote: string;
  /** As long as `quote`, with what speaks for somebody else blanked out. Code is `¤`. */
  words: string;
  codes: Code[];
  /** It stands in a list or is a heading. */
  isItem: boolean;
}

interface Block {
  text: string;
  isItem: boolean;
}

const item = /^\s*(?:[-*+•]|\d+[.)])\s+/;
/** What follows is wanted, not reported. */
const plans =
  /\b(?:plan|planned|next|to-?dos?|steps?|criteria|goals?|done when|should|will|need|needs|remaining|checklist|requirements?|expect\w*|before (?:you )?(?:merge|merging|release)|would|want|acceptance|proposal|propose|suggest\w*|recommend\w*|how to|verify|verification plan|test plan|once|options?|example|later|baseline|before|remains?|missing|left|open|pending|outstanding|definition)\b|(?:nächste|geplant|plan|soll|ziel|étapes?|prochain|à faire|próxim|pasos|pendiente|计划|步骤|下一步|目标|計画|次の|手順|목표|계획|다음|план|далее|следующ|шаг)/i;

/** Fences, quoted lines, tables and indented code are not Deft's own words. */
function* blocksOf(text: string): Generator<Block> {
  let fence: string | undefined;
  let lines: string[] = [];
  let isItem = false;
  /** Under a heading or a line of this kind, nothing is reported. */
  let planned: 'section' | 'list' | undefined;
  const take = (): Block[] => {
    const block = { text: lines.join('\n'), isItem };
    lines = [];
    isItem = false;
    if (block.text.trim() === '') return [];
    if (planned === 'list' && !block.isItem) planned = undefined;
    const skipped = planned !== undefined;
    if (!skipped && /[:：]\**\s*$/.test(block.text) && plans.test(block.text)) planned = 'list';
    return skipped ? [] : [block];
  };
  for (const line of text.split('\n')) {
    const marks = /^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) === true && line.trim() === marks) fence = undefined;
      continue;
    }
    if (marks !== undefined) {
      yield* take();
      fence = marks;
      continue;
    }
    const heading = /^\s{0,3}#{1,6}\s/.test(line);
    const starts = item.test(line);
    const silent = isSilent(line) || (isIndented(line) && !starts && lines.length === 0);
    if (line.trim() === '' || heading || starts || silent) yield* take();
    if (silent || line.trim() === '') continue;
    if (heading) {
      planned = plans.test(line) ? 'section' : undefined;
      yield { text: line, isItem: true };
      continue;
    }
    if (starts) isItem = true;
    lines.push(line);
  }
  yield* take();
}

/** Quoted, a table, or a box that is not ticked. */
function isSilent(line: string): boolean {
  return /^\s*(?:>|\|)/.test(line) || /^\s*[-*+]\s+\[ \]/.test(line);
}

function isIndented(line: string): boolean {
  return /^(?: {4}|\t)/.test(line);
}

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const block of blocksOf(text)) {
    const { words, codes } = masked(block.text);
    let from = 0;
    for (const end of endsOf(words)) {
      const piece = block.text.slice(from, end);
      const at = from + (piece.length - piece.trimStart().length);
      const quote = piece.trim();
      if (quote !== '')
        found.push({
          quote,
          words: words.slice(at, at + quote.length),
          codes: codes.flatMap((code) => (code.at >= at && code.at < end ? [{ ...code, at: code.at - at }] : [])),
          isItem: block.isItem,
        });
      from = end;
    }
  }
  return found;
}

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|vs|etc|cf|z\.B|d\.h|bzw|ca|p\.ex|approx|incl|no)\.$/i;

function endsOf(words: string): number[] {
  const ends: number[] = [];
  for (const { index, 0: sign } of words.matchAll(/[.!?…]+(?=[\s)*_"'»”\]]|$)|[。！？；]|;(?=\s)/g)) {
    const end = index + sign.length;
    if (!abbreviation.test(words.slice(0, end).slice(-8))) ends.push(end);
  }
  if (ends.at(-1) !== words.length) ends.push(words.length);
  return ends;
}

const quoted =
  /"[^"\n]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»|„[^“”]{1,200}[“”]|「[^」]{1,200}」|『[^』]{1,200}』|‘[^’]{1,200}’/g;

function masked(text: string): { words: string; codes: Code[] } {
  const codes: Code[] = [];
  const words = text
    .replace(/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, (whole: string, _ticks: string, code: string, at: number) => {
      codes.push({ text: code.trim(), at, length: whole.length });
      return '¤'.repeat(whole.length);
    })
    .replace(quoted, (whole) => ' '.repeat(whole.length))
    .replace(/(?<=\])\([^)\s]*\)/g, (whole) => ' '.repeat(whole.length))
    .replace(/~~[^~]*~~/g, (whole) => ' '.repeat(whole.length))
    .replace(item, (whole) => ' '.repeat(whole.length))
    .replace(/[*_#[\]]/g, ' ')
    .replace(/[’]/g, "'");
  return { words, codes };
}
