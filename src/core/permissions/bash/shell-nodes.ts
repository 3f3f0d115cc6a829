// What single nodes of a parsed line are: how a refusal names them, which hold commands, what a command of a pipe reads.
import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { isPlainVariable } from './shell-variables';
import { type SimpleCommand } from './simple-command';

/** Read over the tree's own walk, so that no kind of child is missed. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

export const walked = new Set([
  'Command',
  'Pipeline',
  'AndOr',
  'Redirected',
  'Subshell',
  'BraceGroup',
  'If',
  'While',
  'For',
]);
/** `-v` and `-R` may evaluate what they are given. */
export const fileTests = /^-[abcdefghknprstuwxzGLNOS]$/;
export const textTests = /^(==?|!=|=~|<|>|-nt|-ot|-ef)$/;
export const nodeNames = new Map([
  ['Function', 'it defines a function'],
  ['Case', 'it contains a `case`'],
  ['Select', 'it contains a `select`'],
  ['Coproc', 'it contains a `coproc`'],
  ['ArithmeticFor', 'it contains an arithmetic loop'],
  ['ArithmeticCommand', 'it contains an arithmetic command'],
  ['TestCommand', 'it contains a `[[ … ]]` test'],
  ['Assignment', 'it sets an array'],
]);

/** Characters that a user cannot see, or that shells and parsers read differently. */
export const oddCharacters =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;

/** True where a redirection may change what the command reads from the pipe. */
export function takesOtherInput(redirects: readonly SyntaxNode[]): boolean {
  return redirects.some(
    (one) => one.type !== 'Redirect' || !/^(>{1,2}|>&|&>)$/.test(one.operator) || !outputs.has(descriptorOf(one) ?? 1),
  );
}

/** `2>/dev/null`: what it prints stays the same. */
export function isQuiet(one: SyntaxNode): boolean {
  return one.type === 'Redirect' && one.operator === '>' && descriptorOf(one) === 2 && one.target?.text === '/dev/null';
}

/** Undefined where none is written out. */
function descriptorOf({ descriptor }: Extract<SyntaxNode, { type: 'Redirect' }>): number | undefined {
  if (descriptor === undefined) return undefined;
  return descriptor.type === 'FileDescriptor' ? descriptor.value : 0;
}

const outputs = new Set([1, 2]);

/** `while read …`, and nothing else decides whether it goes on. */
export function isOverLines({ kind, clause }: Extract<SyntaxNode, { type: 'While' }>): boolean {
  const [only, ...more] = clause.commands;
  return (
    kind === 'while' &&
    more.length === 0 &&
    only?.background !== true &&
    only?.command.type === 'Command' &&
    only.command.redirects.length === 0 &&
    only.command.name?.text === 'read'
  );
}

/** The one variable that gets the whole line: names have neither blanks at their ends nor backslashes. */
export function lineVariable({ words, assignments }: SimpleCommand): string | undefined {
  const isPlain = assignments.every(
    ({ name, value }) => name === 'IFS' && value.value === '' && value.kind === 'literal',
  );
  const values = words.map(({ value }) => value);
  if (!isPlain || !words.every(({ kind }) => kind === 'literal')) return undefined;
  const name = /^read(?: -r)?(?: -d )?(?: -r)? (\w+)$/.exec(values.join(' '))?.[1];
  return name !== undefined && isPlainVariable(name) ? name : undefined;
}

/** The commands that run whatever the others of the line do. */
export function unconditional(statements: ParsedScript['commands']): SyntaxNode[] {
  return statements.flatMap(({ command, background }) => {
    let node: SyntaxNode | undefined = command;
    while (node?.type === 'AndOr' || (node?.type === 'Pipeline' && node.commands.length === 1)) node = node.commands[0];
    return node === undefined || background === true ? [] : [node];
  });
}
