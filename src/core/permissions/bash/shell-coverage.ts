// Checks the parser: what stands between the words that it found must be operators and blanks, nothing it skipped.
import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** False where the text of the script holds parentheses or other signs that its tree does not account for. */
export function isCovered(script: ParsedScript, source: string): boolean {
  const text = source.slice(script.pos, script.end);
  const left = text.split('');
  const found = { least: 0, most: 0, closing: 0 };
  const visit = (node: SyntaxNode): void => {
    if (leaves.has(node.type)) return blank(left, node.pos - script.pos, node.end - script.pos);
    const [least, most, closing] = parentheses.get(node.type) ?? [0, 0, 0];
    found.least += least;
    found.most += most;
    found.closing += closing;
    if (node.type === 'HereDoc') {
      blank(left, node.body.pos - script.pos, (node.closing ?? node.body).end - script.pos);
      blank(left, node.pos - script.pos, (node.delimiter ?? node).end - script.pos);
      return;
    }
    if (node.type === 'Redirect' || node.type === 'HereString')
      return blank(left, node.pos - script.pos, node.end - script.pos);
    forEachChild(node, visit);
  };
  forEachChild(script, visit);
  // A comment begins a word: after one, `#` belongs to it, and what follows would run.
  const rest = left
    .join('')
    .replace(/\\\n/g, ' ')
    .replace(/(^|[\s;&|(])#[^\n]*/g, '$1');
  if (rest.includes('#')) return false;
  if (hasStraySeparator(rest)) return false;
  const openingCount = rest.split('(').length - 1;
  const closingCount = rest.split(')').length - 1;
  if (openingCount < found.least || openingCount > found.most) return false;
  if (closingCount < found.least + found.closing || closingCount > found.most + found.closing) return false;
  return !/[`\\]/.test(rest) && keywordsOnly(rest);
}

/** `;` and `&` end something: they follow a word, a closing sign or a closing keyword. */
function hasStraySeparator(rest: string): boolean {
  const tokens = rest.match(/&&|\|\||\|&|;;&?|;&|[;&|\n(){}!]|\w+|\u0001+/g) ?? [];
  return tokens.some((token, index) => (token === ';' || token === '&') && opening.test(tokens[index - 1] ?? ''));
}

const opening = /^(|&&|\|\||\|&|[;&|\n({!]|if|then|elif|else|do|while|until|in)$/;

/** Letters are left only of the shell's own words. */
function keywordsOnly(rest: string): boolean {
  return (rest.match(/[A-Za-z_]\w*/g) ?? []).every((word) => keywords.has(word));
}

/** Stands for what the tree accounts for. */
const placeholder = '\u0001';

function blank(left: string[], from: number, to: number): void {
  for (let index = Math.max(0, from); index < Math.min(left.length, to); index++) left[index] = placeholder;
}

const leaves = new Set(['Word', 'Assignment', 'TestUnary', 'TestBinary', 'ArithmeticCommand', 'Time']);

/** Opening ones at least and at most; closing ones beyond those. */
const parentheses = new Map<string, [number, number, number]>([
  ['Subshell', [1, 1, 0]],
  ['Function', [0, 1, 0]],
  ['CaseItem', [0, 0, 1]],
  ['ArithmeticFor', [2, 9, 0]],
  ['TestGroup', [1, 1, 0]],
]);

const keywords = new Set(
  'if then elif else fi for in do done while until case esac select function coproc time'.split(' '),
);
