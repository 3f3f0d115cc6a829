// What the Bash tool must know of a command's text: whether it may run on after a timeout, and what its exit code 1 means.
import { forEachChild, parse, type Command, type SyntaxNode } from 'unbash';

/** These wait or hold a lock: running on unseen would be of no use or do harm. */
const ENDED_AT_TIMEOUT = new Set(['sleep', 'git']);
/** Programs that run the program in their arguments. */
const WRAPPERS = new Set(['command', 'env', 'exec', 'nice', 'nohup', 'stdbuf', 'sudo', 'time', 'timeout', 'xargs']);

/** What exit code 1 means where it is an answer and no failure. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ['grep', 'nothing matched'],
  ['egrep', 'nothing matched'],
  ['fgrep', 'nothing matched'],
  ['rg', 'nothing matched'],
  ['find', 'some folders could not be read'],
  ['diff', 'the files differ'],
  ['test', 'the condition is false'],
  ['[', 'the condition is false'],
]);

/** What a timeout does to the command: one that waits, uses git or does not parse is killed rather than left alone. */
export function onTimeoutOf(command: string): 'background' | 'kill' {
  const script = parse(command);
  if (script.errors && script.errors.length > 0) return 'kill';
  return programs(script).some((name) => ENDED_AT_TIMEOUT.has(name)) ? 'kill' : 'background';
}

/** The meaning of exit code 1 where the program that ends the command gives an answer with it; undefined: a failure. */
export function meaningOfOne(command: string): string | undefined {
  const script = parse(command);
  if (script.errors && script.errors.length > 0) return undefined;
  const last = script.commands.at(-1);
  if (!last || last.background) return undefined;
  let node = last.command;
  if (node.type === 'AndOr') {
    // After && or || an earlier program may have set the code; only plain changes of folder go before an answer.
    const [end, ...before] = [...node.commands].reverse();
    if (!end || node.operators.some((operator) => operator !== '&&')) return undefined;
    if (!before.every((part) => part.type === 'Command' && nameOf(part) === 'cd')) return undefined;
    node = end;
  }
  if (node.type === 'Pipeline') {
    if (node.prefixes.some(({ type }) => type === 'Negation')) return undefined;
    const end = node.commands.at(-1);
    if (!end) return undefined;
    node = end;
  }
  if (node.type === 'TestCommand') return ANSWERS.get('test');
  return node.type === 'Command' ? ANSWERS.get(nameOf(node)) : undefined;
}

function programs(root: SyntaxNode): string[] {
  const names: string[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') {
      names.push(nameOf(node));
      if (WRAPPERS.has(nameOf(node)))
        names.push(...node.args.flatMap((arg) => (arg.type === 'Word' ? [baseName(arg.value)] : [])));
    }
    forEachChild(node, visit);
  };
  visit(root);
  return names;
}

const nameOf = (command: Command) => baseName(command.name?.value ?? '');
const baseName = (text: string) => text.slice(text.lastIndexOf('/') + 1);
