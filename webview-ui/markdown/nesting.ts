// Finds the parts of a Markdown text that are nested deeper than anybody writes: lexing and drawing recurse, and would not come back.

export interface MarkdownPart {
  text: string;
  /** To be shown as it stands, without reading its marks. */
  plain: boolean;
}

/** Lists and quotes inside each other in one line. */
const MOST_MARKERS = 32;
/** Columns in front of a list's marker or a quote's. */
const MOST_INDENT = 120;

const marker = String.raw`(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))`;
const deepMarkers = new RegExp(String.raw`^[ \t]*(?:${marker}[ \t]*){${MOST_MARKERS}}`);
const deepIndent = new RegExp(String.raw`^(?=([ \t]*))\1${marker}`);
/** So many signs of emphasis in one place mean as many levels of it. */
const deepEmphasis = /([*_~])\1{63}/;
/** A line of nothing else is a rule, which is flat. */
const rule = /^ {0,3}([-*_])(?:[ \t]*\1)*[ \t]*$/;
const fence = /^ {0,3}(?:(`{3,})(?!.*`)|(~{3,}))/;
const suspicious = new RegExp(
  String.raw`(?:${marker}[ \t]*){${MOST_MARKERS}}|^[ \t]{${MOST_INDENT / 4},}${marker}|${deepEmphasis.source}`,
  'm',
);

/** One part where nothing is too deep. The parts together are the text. A plain part reaches from blank line to blank line. */
export function partsByNesting(text: string): MarkdownPart[] {
  if (!suspicious.test(text)) return [{ text, plain: false }];
  const parts: MarkdownPart[] = [];
  for (const paragraph of paragraphs(text)) {
    const last = parts.at(-1);
    if (last !== undefined && !last.plain && !paragraph.plain) last.text += paragraph.text;
    else parts.push(paragraph);
  }
  return parts;
}

/** What is between blank lines, which belong to what is before them. A code block does not end with one. */
function paragraphs(text: string): MarkdownPart[] {
  const found: MarkdownPart[] = [];
  let begun: MarkdownPart = { text: '', plain: false };
  let code: string | undefined;
  for (const line of text.split(/(?<=\n)/)) {
    const shown = line.trimEnd();
    const isCode = code !== undefined;
    code = fenceAfter(code, shown);
    begun.text += line;
    if (!isCode && code === undefined && isTooDeep(shown)) begun.plain = true;
    if (shown !== '' || code !== undefined) continue;
    found.push(begun);
    begun = { text: '', plain: false };
  }
  return begun.text === '' ? found : [...found, begun];
}

/** The signs that close the code block in which the next line stands. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  const found = fence.exec(line);
  const signs = found?.[1] ?? found?.[2];
  if (open === undefined) return signs;
  return signs?.startsWith(open) === true && line.trim() === signs ? undefined : open;
}

function isTooDeep(line: string): boolean {
  if (rule.test(line)) return false;
  if (deepMarkers.test(line) || deepEmphasis.test(line)) return true;
  const indent = deepIndent.exec(line)?.[1];
  return indent !== undefined && columns(indent) > MOST_INDENT;
}

function columns(indent: string): number {
  let at = 0;
  for (const sign of indent) at += sign === '\t' ? 4 - (at % 4) : 1;
  return at;
}
