// Which lines of a file a text means whose lines are not all there: an alignment, in which lines may be added, missing or different.

/** Characters of a line that are compared. */
const MAX_COMPARED = 500;
/** Lines of a text that are aligned; of a longer one the first. */
const MAX_WANTED = 100;
/** Windows of the file that are aligned, and how many places of one line vote for them. */
const MAX_WINDOWS = 4;
const MAX_VOTES = 60;
/** Lines that may be missing or added before the first one that is the same. */
const MAX_SLACK = 20;
const MIN_LENGTH = 4;
/** Words in common that make two lines versions of each other. */
const MIN_COMMON = 0.45;
/** A line without a letter or digit says little. */
const BARE = 0.15;
const OTHER = -0.3;
const GAP = -0.35;

export interface Alignment {
  /** 0-based lines of the file: where the text is, its first and its last line. */
  start: number;
  end: number;
  /** In order: a line of the text with one of the file, or one of the two alone. */
  steps: { wanted?: number; found?: number }[];
  file: readonly string[];
  score: number;
}

/** `places`: where parts of lines are, asked for where no line is the same. Undefined where nothing is alike. */
export function alignText(
  file: readonly string[],
  wanted: readonly string[],
  places: () => readonly { line: number; index: number }[],
): Alignment | undefined {
  const ours = wanted.slice(0, MAX_WANTED).map(keyOf);
  const theirs = new Map<number, LineKey>();
  const key = (at: number): LineKey => {
    let known = theirs.get(at);
    if (known === undefined) theirs.set(at, (known = keyOf(file[at] ?? '')));
    return known;
  };
  const slack = Math.min(MAX_SLACK, 3 + Math.ceil(ours.length / 2));
  let best: Alignment | undefined;
  for (const top of windowsOf(votesFor(file, ours, places), slack)) {
    const from = Math.max(0, top - slack);
    const to = Math.min(file.length, top + ours.length + slack);
    const found = align(ours, key, from, to);
    if (found !== undefined && (best === undefined || found.score > best.score)) best = { ...found, file };
  }
  return best;
}

interface LineKey {
  bare: string;
  words: readonly string[];
  known: ReadonlySet<string>;
  /** What the same line is worth. */
  weight: number;
}

function keyOf(line: string): LineKey {
  const text = folded(line.slice(0, MAX_COMPARED));
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const bare = text.replace(/\s+/g, '');
  return { bare, words, known: new Set(words), weight: words.length > 0 ? 1 : BARE };
}

/** Without case, escapes and the kinds of quotes, dashes and blanks. Escaped: one other character doubles the bundle in memory. */
function folded(line: string): string {
  const text = line.toLowerCase().replaceAll('\\', '');
  const plain = text.includes('&') ? text.replace(/&(?:lt|gt|amp|quot|#39);/g, (code) => ENTITIES[code] ?? code) : text;
  return /^[\x00-\x7f]*$/.test(plain)
    ? plain
    : plain
        .normalize('NFC')
        .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
        .replace(/[\u201c\u201d\u201e\u2033]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/\u2026/g, '...')
        .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '');
}
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'" };

/** By the line that the text's first one would be at. */
function votesFor(
  file: readonly string[],
  ours: readonly LineKey[],
  places: () => readonly { line: number; index: number }[],
): Map<number, number> {
  const indexes = new Map<string, number[]>();
  for (const [index, { bare }] of ours.entries())
    if (bare.length >= MIN_LENGTH) indexes.set(bare, [...(indexes.get(bare) ?? []), index]);
  const lengths = new Set([...indexes.keys()].map((bare) => bare.length));
  const longest = Math.max(0, ...lengths);
  const hits = new Map<string, number[]>();
  for (const [at, line] of file.entries()) {
    // Cheap first: most lines are no line of the text.
    if (line.length < MIN_LENGTH || line.trim().length > 2 * longest + 40) continue;
    const bare = folded(line.slice(0, MAX_COMPARED)).replace(/\s+/g, '');
    if (!lengths.has(bare.length) || !indexes.has(bare)) continue;
    const known = hits.get(bare);
    if (known === undefined) hits.set(bare, [at]);
    else known.push(at);
  }
  const votes = new Map<number, number>();
  const vote = (top: number, weight: number): void => void votes.set(top, (votes.get(top) ?? 0) + weight);
  for (const [bare, lines] of hits)
    if (lines.length <= MAX_VOTES)
      for (const line of lines) for (const index of indexes.get(bare) ?? []) vote(line - index, 1 / lines.length);
  if (votes.size === 0) for (const { line, index } of places()) vote(line - index, 1);
  return votes;
}

/** The places with the most votes around them. */
function windowsOf(votes: ReadonlyMap<number, number>, slack: number): number[] {
  const tops = [...votes].sort(([one], [other]) => one - other);
  const sums = tops.map(([top, own], at) => {
    let sum = own;
    for (let left = at - 1; left >= 0 && top - (tops[left]?.[0] ?? 0) <= slack; left--) sum += tops[left]?.[1] ?? 0;
    for (let right = at + 1; right < tops.length && (tops[right]?.[0] ?? 0) - top <= slack; right++)
      sum += tops[right]?.[1] ?? 0;
    return { top, sum, own };
  });
  sums.sort((one, other) => other.sum - one.sum || other.own - one.own);
  const chosen: number[] = [];
  for (const { top } of sums) {
    if (chosen.length === MAX_WINDOWS) break;
    if (!chosen.some((other) => Math.abs(other - top) < Math.max(2, slack / 2))) chosen.push(top);
  }
  return chosen;
}

function likeness(ours: LineKey, theirs: LineKey): number {
  if (ours.bare === theirs.bare) return ours.weight;
  if (ours.bare.length >= MIN_LENGTH && theirs.bare.includes(ours.bare)) return 0.9;
  if (ours.words.length === 0 || theirs.words.length === 0) return OTHER;
  const common = ours.words.filter((word) => theirs.known.has(word)).length;
  const share = common / Math.max(ours.words.length, theirs.words.length);
  return share >= MIN_COMMON ? 0.9 * share : OTHER;
}

/** All of the text with a part of the lines from `from` to `to`. */
function align(
  ours: readonly LineKey[],
  key: (at: number) => LineKey,
  from: number,
  to: number,
): Omit<Alignment, 'file'> | undefined {
  const width = to - from;
  const rows = ours.length;
  const score = Array.from({ length: rows + 1 }, () => new Float64Array(width + 1));
  const like = Array.from({ length: rows }, () => new Float64Array(width));
  const at = (row: number, column: number): number => score[row]?.[column] ?? -Infinity;
  for (let row = 1; row <= rows; row++) {
    const line = score[row] ?? new Float64Array(0);
    const likes = like[row - 1] ?? new Float64Array(0);
    const own = ours[row - 1];
    if (own === undefined) continue;
    line[0] = at(row - 1, 0) + GAP;
    for (let column = 1; column <= width; column++) {
      const alike = (likes[column - 1] = likeness(own, key(from + column - 1)));
      line[column] = Math.max(at(row - 1, column - 1) + alike, at(row - 1, column) + GAP, at(row, column - 1) + GAP);
    }
  }
  let column = 0;
  for (let each = 1; each <= width; each++) if (at(rows, each) > at(rows, column)) column = each;
  const total = at(rows, column);
  const steps: Alignment['steps'] = [];
  let row = rows;
  let alike = 0;
  let same = false;
  while (row > 0) {
    const here = at(row, column);
    const likes = like[row - 1]?.[column - 1] ?? OTHER;
    if (column > 0 && Math.abs(here - at(row - 1, column - 1) - likes) < 1e-9) {
      steps.unshift({ wanted: row - 1, found: from + column - 1 });
      alike += Math.max(0, likes);
      same ||= likes >= 0.9;
      row--;
      column--;
    } else if (column > 0 && Math.abs(here - at(row, column - 1) - GAP) < 1e-9) {
      steps.unshift({ found: from + column - 1 });
      column--;
    } else {
      steps.unshift({ wanted: row - 1 });
      row--;
    }
  }
  const found = steps.flatMap((step) => (step.found === undefined ? [] : [step.found]));
  const [start] = found;
  const end = found.at(-1);
  if (start === undefined || end === undefined || (!same && alike < rows / 2)) return undefined;
  return { start, end, steps, score: total };
}
