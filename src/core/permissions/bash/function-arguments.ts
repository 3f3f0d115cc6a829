// The body of a shell function with the words of a call in place of `$@`, `$*` and `$1`, as far as that is plain.
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { shellWord } from './shell-word';

type Word = Extract<SyntaxNode, { type: 'Word' }>;

export interface Edit {
  from: number;
  to: number;
  text: string;
}

export function withEdits(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { from, to, text: put } of [...edits].sort((one, other) => other.from - one.from))
    result = result.slice(0, from) + put + result.slice(to);
  return result;
}

/** Without scripts that have a text of their own, where positions say nothing about the line. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  if ('script' in node && node.script?.source !== undefined) return children;
  forEachChild(node, (child) => void children.push(child));
  return children;
}

/** `plain` is false where some of the call's words may reach a command in a way that the text does not show. */
export function withArguments(body: string, args: readonly Word[]): { text: string; plain: boolean } {
  const edits: Edit[] = [];
  /** Quoted text, where a dollar is one. */
  const quoted: Edit[] = [];
  let plain = true;
  const visit = (node: SyntaxNode, flows: boolean): void => {
    if (node.type === 'SingleQuoted') quoted.push({ from: node.pos, to: node.end, text: '' });
    if (node.type === 'For' && node.wordlist === undefined) plain = false;
    if (node.type === 'Select') plain = false;
    if (node.type === 'Command' && node.name?.type === 'Word' && changesArguments.has(node.name.value)) plain = false;
    if (node.type === 'Word' && !flows) {
      const put = exactly(node.text, args);
      if (put !== undefined) {
        edits.push({ from: node.pos, to: node.end, text: put });
        return;
      }
    }
    if (!flows && (node.type === 'SimpleExpansion' || node.type === 'ParameterExpansion')) {
      const put = inside(node.text, args);
      if (put !== undefined) edits.push({ from: node.pos, to: node.end, text: put });
      return;
    }
    // What a variable or an input is set to is not seen where it is used.
    const carries = flows || carriers.has(node.type);
    for (const child of childrenOf(node)) visit(child, carries || (node.type === 'For' && child.type === 'Word'));
  };
  try {
    for (const statement of parse(body).commands) visit(statement, false);
  } catch {
    return { text: body, plain: false };
  }
  // A call without words passes none anywhere.
  if (args.length === 0) return { text: withEdits(body, edits), plain: true };
  const rest = withEdits(
    body,
    [...edits, ...quoted].map((edit) => ({ ...edit, text: ' ' })),
  );
  if (/\$(\{[#!]?)?[@*1-9]|BASH_ARG/.test(rest)) plain = false;
  return { text: withEdits(body, edits), plain };
}

/** They read other words than those of the call, or read code that may name them. */
const changesArguments = new Set(['shift', 'set', 'getopts', 'eval', 'trap', 'source', '.']);
const carriers = new Set([
  'Assignment',
  'HereString',
  'HereDoc',
  'ArithmeticCommand',
  'ArithmeticExpansion',
  'ArithmeticFor',
]);

/** For a word that is nothing else. */
function exactly(text: string, args: readonly Word[]): string | undefined {
  const [, quote, short, long] = /^("?)\$(?:([@*1-9])|\{([@*]|[1-9]\d*)\})\1$/.exec(text) ?? [];
  const name = short ?? long;
  if (quote === undefined || name === undefined) return undefined;
  if (name === '@' || name === '*') {
    if (quote === '') return args.every(isUnsplit) ? textOf(args) : undefined;
    if (name === '@' || args.length === 1) return textOf(args);
    const values = args.map(literalOf);
    return values.includes(undefined) ? undefined : `'${values.join(' ').replaceAll("'", "'\\''")}'`;
  }
  const arg = numbered(name, args);
  if (arg === undefined) return undefined;
  if (arg === 'none') return quote === '' ? '' : '""';
  return quote !== '' || isUnsplit(arg) ? arg.text : undefined;
}

/** For a part of a word: only what means the same within any quotes. */
function inside(text: string, args: readonly Word[]): string | undefined {
  const [, short, long] = /^\$(?:([1-9])|\{([1-9]\d*)\})$/.exec(text) ?? [];
  const name = short ?? long;
  const arg = name === undefined ? undefined : numbered(name, args);
  if (arg === undefined) return undefined;
  if (arg === 'none') return '';
  const value = literalOf(arg);
  return value !== undefined && /^[\w@%+=:,./-]*$/.test(value) ? value : undefined;
}

/** Undefined where one before it may be several words or none. */
function numbered(name: string, args: readonly Word[]): Word | 'none' | undefined {
  const index = Number(name) - 1;
  const isOne = (word: Word): boolean => literalOf(word) !== undefined || /^"[^"@*]*"$/.test(word.text);
  return args.slice(0, index + 1).every(isOne) ? (args[index] ?? 'none') : undefined;
}

function literalOf(word: Word): string | undefined {
  const plain = shellWord(word);
  return plain?.kind === 'literal' && !plain.tilde ? plain.value : undefined;
}

/** Without quotes it stays one word: no blanks in it, no pattern of file names. */
function isUnsplit(word: Word): boolean {
  const value = literalOf(word);
  return value === undefined ? shellWord(word) !== undefined : /^[^\s*?[\]\\]+$/.test(value);
}

function textOf(args: readonly Word[]): string {
  return args.map(({ text }) => text).join(' ');
}
