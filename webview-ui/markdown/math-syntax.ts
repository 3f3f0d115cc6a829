// Finds formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, but neither prices nor variables of a shell.
import { type Token } from 'marked';
import { type Extension, startInParagraph } from './syntax-extension';

export interface MathToken {
  type: 'math';
  raw: string;
  /** The TeX between the delimiters. */
  text: string;
  /** On a line of its own. */
  display: boolean;
}

/** A formula ends with its paragraph, as in TeX: what is behind a blank line never changes what is before it. */
const dollars = /^ {0,3}\$\$((?:(?!\n[ \t]*\n|\$\$)[^\\]|\\[^]){1,5000}?)\$\$[ \t]*(?:\n|$)/;
const brackets = /^ {0,3}\\\[((?:(?!\n[ \t]*\n)[^\\]|\\(?!\])[^]){1,5000}?)\\\][ \t]*(?:\n|$)/;
const blockStart = /(?<=\n) {0,3}(?:\$\$|\\\[)/;

export const blockMath: Extension = {
  level: 'block',
  start: startInParagraph(blockStart),
  read: (text) => {
    const found = dollars.exec(text) ?? brackets.exec(text);
    return found === null ? undefined : mathToken(found[0], found[1] ?? '', true);
  },
};

const inlineForms: readonly { pattern: RegExp; display: boolean }[] = [
  { pattern: /^\$\$((?:(?!\n[ \t]*\n|\$\$)[^\\`]|\\[^]){1,1000}?)\$\$/, display: true },
  // No blank inside the signs, nothing that goes on behind them: "$5 and $6", "$HOME/bin:$PATH".
  { pattern: /^\$(?![\s$])((?:(?!\n[ \t]*\n)[^\\$`]|\\[^]){1,1000}?)(?<!\s)\$(?![\w$\p{L}{])/u, display: false },
  { pattern: /^\\\(((?:(?!\n[ \t]*\n)[^\\]|\\(?!\))[^]){1,1000}?)\\\)/, display: false },
  { pattern: /^\\\[((?:(?!\n[ \t]*\n)[^\\]|\\(?!\])[^]){1,1000}?)\\\](?!\()/, display: true },
];
/** As far as the lexer reads text: at all other signs it stops by itself. */
const plain = /^[^\\<![`*_]*/;

export const inlineMath: Extension = {
  level: 'inline',
  start: (text) => /(?<![\w$\p{L}])\$/u.exec(plain.exec(text)?.[0] ?? '')?.index,
  read: (text, before) => {
    if (!/^(?:\$|\\[([])/.test(text) || (text.startsWith('$') && isJoined(before))) return undefined;
    for (const { pattern, display } of inlineForms) {
      const found = pattern.exec(text);
      if (found !== null) return mathToken(found[0], found[1] ?? '', display);
    }
    return undefined;
  },
};

/** The sign belongs to what stands before it: "US$5", "a$b". */
function isJoined(before: readonly Token[]): boolean {
  return /[\w$\p{L}]$/u.test(before.at(-1)?.raw ?? '');
}

function mathToken(raw: string, inside: string, display: boolean): MathToken | undefined {
  const text = inside.trim();
  return isFormula(text) ? { type: 'math', raw, text, display } : undefined;
}

/** Words alone are prose between two signs; so are words behind a price. */
function isFormula(text: string): boolean {
  if (/\\[a-zA-Z]|[\^_={}<>]/.test(text)) return true;
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  if (/^\d/.test(text)) return words.length === 0 && text !== '';
  return words.length < 2 && (/[+\-*/|()!]/.test(text) || /(?<![\p{L}\d])\p{L}(?!\p{L})/u.test(text));
}
