// What a shell word is worth: its text for certain, a pattern of file names, or unknown.
import { type SyntaxNode } from 'unbash';
import { type ShellWord } from './simple-command';

type WordNode = Extract<SyntaxNode, { type: 'Word' }>;
type Part = NonNullable<WordNode['parts']>[number];

/** Undefined for words that shells disagree about: an unquoted parenthesis in it, or old arithmetic. */
export function shellWord(node: WordNode): ShellWord | undefined {
  // Old arithmetic: parsers and shells disagree about where it ends.
  if (node.text.includes('$[')) return undefined;
  const parts = node.parts;
  if (parts === undefined) {
    if (hasParenthesis(node.text)) return undefined;
    return {
      text: node.text,
      value: node.value,
      kind: assignsHome(node.text) ? 'dynamic' : 'literal',
      tilde: node.text.startsWith('~'),
    };
  }
  if (parts.some(hasOpenParenthesis)) return undefined;
  const [only] = parts;
  // A pipe under a name in /dev/fd: for the command as good as its input.
  if (parts.length === 1 && only?.type === 'ProcessSubstitution' && only.operator === '<' && node.text === only.text) {
    return { text: node.text, value: '-', kind: 'literal', tilde: false };
  }
  const kinds = parts.map(kindOf);
  const kind =
    kinds.includes('dynamic') || assignsHome(node.text) ? 'dynamic' : kinds.includes('glob') ? 'glob' : 'literal';
  return { text: node.text, value: node.value, kind, tilde: node.text.startsWith('~') };
}

/** True for parts that cannot run code: no transformation, indirection, subscript or real arithmetic. */
export function isPlainExpansion(node: SyntaxNode): boolean {
  if (node.type === 'ParameterExpansion') {
    if (node.prefix === '!' || node.index !== undefined || /[[\]]/.test(node.parameter)) return false;
    if (/[<>]\(/.test(node.text)) return false;
    // `${x:=y}` sets a variable.
    if (node.operation?.type === 'Default' && node.operation.operator.endsWith('=')) return false;
    return node.operation === undefined || plainOperations.has(node.operation.type);
  }
  if (node.type === 'ArithmeticExpansion') return /^\$\(\([\d\s+\-*/%()<>=&|^!~]*\)\)$/.test(node.text);
  return plainNodes.has(node.type);
}

function kindOf(part: Part): ShellWord['kind'] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return 'literal';
    case 'Glob':
      return 'glob';
    case 'DoubleQuoted':
      return part.parts.every((child) => child.type === 'Literal') ? 'literal' : 'dynamic';
    default:
      return 'dynamic';
  }
}

function hasOpenParenthesis(part: Part): boolean {
  return (
    part.type === 'ExtendedGlob' || ((part.type === 'Literal' || part.type === 'Glob') && hasParenthesis(part.text))
  );
}

function hasParenthesis(text: string): boolean {
  return /[()]/.test(text.replace(/\\[\s\S]/g, ''));
}

/** Bash expands `~` after `=` and `:` where a word looks like an assignment. */
function assignsHome(text: string): boolean {
  return /^[A-Za-z_]\w*\+?=(.*:)?~/.test(text);
}

const plainOperations = new Set(['Default', 'Remove', 'Replace', 'CaseModification']);

const plainNodes = new Set(
  (
    'Word Literal Glob SingleQuoted DoubleQuoted AnsiCQuoted LocaleString SimpleExpansion BraceExpansion ' +
    'HereDocBody Default Remove Replace CaseModification ArithmeticBinary ArithmeticUnary ArithmeticTernary ' +
    'ArithmeticGroup ArithmeticWord'
  ).split(' '),
);
