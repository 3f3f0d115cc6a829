// Parses a growing Markdown text block by block: what is finished is never parsed again.
import { type Lexer, type Token } from 'marked';
import { partsByNesting } from './nesting';
import { createLexer } from './syntax';

/** The raw text of blocks and its tokens, in order; the last part may still change. */
export interface ParsedBlocks {
  /** Blocks that no later text can change. Only ever appended to. */
  closed: readonly Token[];
  /** The open end of the text. */
  open: readonly Token[];
}

export interface BlockParser {
  /** `text` is the whole text so far. Anything but an appended text starts again. */
  update(text: string): ParsedBlocks;
  /** No more text comes: the result equals that of a lexer that reads it at once. */
  finish(text: string): ParsedBlocks;
}

type Links = Lexer['tokens']['links'];

export function createBlockParser(): BlockParser {
  let closed: Token[] = [];
  let links: Links = {};
  /** The text that was handed in, as far as `closed` and `tail` cover it. */
  let seen = '';
  let closedLength = 0;
  let open: Token[] = [];

  function reset(): void {
    closed = [];
    links = {};
    seen = '';
    closedLength = 0;
    open = [];
  }

  function update(text: string): ParsedBlocks {
    // A carriage return may turn out to be half of a line ending.
    const usable = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (!usable.startsWith(seen)) reset();
    if (usable.length > seen.length) {
      seen = usable;
      const tail = normalise(usable.slice(closedLength));
      const tokens = lex(tail, links);
      const stable = stableCount(tokens, tail);
      open = tokens.slice(stable);
      if (stable > 0) {
        const done = tokens.slice(0, stable);
        closed = [...closed, ...done];
        for (const token of done)
          if (token.type === 'def') links[token['tag']] ??= { href: token['href'], title: token['title'] };
        closedLength += originalLength(usable, closedLength, length(done));
      }
    }
    return { closed, open };
  }

  return {
    update,
    finish(text) {
      // Reference definitions work backwards too, so blocks parsed before them may be wrong.
      const parsed = update(text);
      const defines = [...parsed.closed, ...parsed.open].some((token) => token.type === 'def');
      if (!defines && !text.endsWith('\r')) return parsed;
      reset();
      seen = text;
      closed = lex(normalise(text), {});
      closedLength = text.length;
      return { closed, open };
    },
  };
}

function lex(text: string, links: Links): Token[] {
  return partsByNesting(text).flatMap((part) => (part.plain ? plainToken(part.text) : lexPart(part.text, links)));
}

function lexPart(text: string, links: Links): Token[] {
  const lexer = createLexer();
  Object.assign(lexer.tokens.links, links);
  try {
    return [...lexer.lex(text)];
  } catch {
    // Nested in a way that nobody has thought of: better read with its marks than not at all.
    return [plainToken(text)];
  }
}

/** Drawn as it stands, as raw HTML is. */
function plainToken(raw: string): Token {
  return { type: 'html', raw, text: raw, block: true, pre: false };
}

function normalise(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}

/**
 * How many of the tokens no appended text can change. A block ends for good where a blank line follows and then a
 * complete line that begins another block; lists, indented code and raw HTML may swallow blank lines, so these are
 * final only once the lexer has put something else behind that line.
 */
function stableCount(tokens: readonly Token[], text: string): number {
  let stable = 0;
  let start = 0;
  for (let index = 1; index < tokens.length; index++) {
    const before = tokens[index - 1];
    const token = tokens[index];
    if (!before || !token) break;
    start += before.raw.length;
    if (before.type !== 'space' || token.type === 'space') continue;
    const lineEnd = text.indexOf('\n', start);
    if (lineEnd < 0) break;
    // After an indented line the lexer's choice may depend on what was before it.
    if (/^[ \t]/.test(text.slice(start, start + 1))) continue;
    stable = index;
  }
  return stable;
}

function length(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + token.raw.length, 0);
}

/** How many characters of `text` from `start` on give `wanted` characters once line endings are normalised. */
function originalLength(text: string, start: number, wanted: number): number {
  let at = start;
  for (let got = 0; got < wanted; got++) at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  return at - start;
}
