// A Bash command line as the simple commands in it, for permission checks: what is not plainly understood is refused.
import { defined } from '../../../shared/defined';
import { parse, type ParsedScript, type SyntaxNode } from 'unbash';
import {
  movesFolder,
  type ShellAssignment,
  type ShellRedirection,
  type ShellWord,
  type SimpleCommand,
} from './simple-command';
import {
  childrenOf,
  fileTests,
  isOverLines,
  isQuiet,
  lineVariable,
  nodeNames,
  oddCharacters,
  takesOtherInput,
  unconditional,
  textTests,
  walked,
} from './shell-nodes';
import { isPlainVariable } from './shell-variables';
import { isCovered } from './shell-coverage';
import { isPlainExpansion, shellWord } from './shell-word';
import { listedBy } from './listing-commands';

export type ParsedShell =
  | { ok: true; commands: SimpleCommand[] }
  | {
      ok: false;
      /** Completes "Deft asks because …". */
      reason: string;
      /** The syntax is wrong or unknown: there may be commands that were not found. */
      broken: boolean;
      /** What was found all the same, so that deny rules can hold. */
      commands: SimpleCommand[];
    };

const maxLength = 10_000;
const maxDepth = 40;
const maxMoves = 30;
const maxCommands = 500;
/** The most values of a loop that are known one by one. */
const maxValues = 20;

/** Commands in the order in which they stand, those of substitutions before the command that they belong to. Not to be changed. */
export function parseShell(command: string): ParsedShell {
  if (command.length > maxLength) return refused('it is very long', true, []);
  if (oddCharacters.test(command)) return refused('it contains invisible characters', true, []);
  const walk = new Walk(command);
  try {
    walk.script(parse(command), { moves: [], depth: 0 });
  } catch {
    walk.doubt('it cannot be parsed', true);
  }
  walk.doubtFunctions();
  if (walk.reason !== undefined) return refused(walk.reason, walk.broken, walk.commands);
  if (walk.commands.length === 0) return refused('it contains no command', false, []);
  return { ok: true, commands: walk.commands };
}

function refused(reason: string, broken: boolean, commands: SimpleCommand[]): ParsedShell {
  return { ok: false, reason, broken, commands };
}

/** Where a command stands: which `cd` ran before it. The list is replaced, never changed: all commands from there share it. */
interface Place {
  moves: SimpleCommand['moves'];
  /** Variables that loops around it set. */
  loops?: readonly ShellAssignment[] | undefined;
  depth: number;
}

class Walk {
  readonly commands: SimpleCommand[] = [];
  reason: string | undefined;
  broken = false;
  private functions = 0;
  private readonly unconditional = new Set<SyntaxNode>();
  /** The variables of all loops. */
  private readonly looped: string[] = [];

  constructor(private source: string) {}

  doubt(reason: string, broken = false): void {
    this.reason ??= reason;
    this.broken ||= broken;
  }

  script(script: ParsedScript, place: Place): void {
    const [error] = script.errors ?? [];
    if (error !== undefined) this.doubt(`it does not parse (${error.message})`, true);
    if (place.depth > maxDepth) return this.doubt('it is nested too deeply', true);
    const outer = this.source;
    this.source = script.source ?? outer;
    if (!isCovered(script, this.source)) this.doubt('its syntax is too complex', true);
    if (place.depth === 0) for (const node of unconditional(script.commands)) this.unconditional.add(node);
    this.list(script.commands, place);
    this.source = outer;
  }

  list(statements: ParsedScript['commands'], place: Place): void {
    for (const { command, background } of statements) {
      this.node(command, background === true ? inner(place) : place);
      // After `;` nobody knows whether it worked.
      if (place.moves.some(({ certain }) => certain))
        place.moves = place.moves.map((move) => ({ ...move, certain: false }));
    }
  }

  node(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'AndOr': {
        const before = place.moves.length;
        for (const part of node.commands) this.node(part, place);
        const all = node.operators.every((operator) => operator === '&&');
        if (!all && place.moves.length > before) this.doubt('it changes the folder conditionally');
        return;
      }
      case 'Pipeline':
        if (node.commands.length === 0) this.doubt('its syntax is too complex', true);
        if (node.commands.length === 1) for (const part of node.commands) this.node(part, place);
        else this.pipe(node, place);
        return;
      case 'Command':
        return this.command(node, place);
      case 'Redirected':
        this.node(node.command, place);
        return this.bareRedirections(node.redirects, place);
      case 'Subshell':
        return this.list(node.body.commands, inner(place));
      case 'BraceGroup':
        return this.list(node.body.commands, place);
      case 'If':
        for (const { clause, then } of [node, ...node.elif]) {
          this.list(clause.commands, place);
          this.list(then.commands, place);
        }
        if (node.else !== undefined) this.list(node.else.commands, place);
        return;
      case 'While':
        return this.inLoop('', [], [...node.clause.commands, ...node.body.commands], place);
      case 'For':
        if (!isPlainVariable(node.name.text)) this.doubt('its loop sets a variable that may affect programs');
        return this.loop(node, place);
      default:
        return this.rarer(node, place);
    }
  }

  pipe(node: Extract<SyntaxNode, { type: 'Pipeline' }>, place: Place): void {
    const before: SimpleCommand[] = [];
    let plain = node.operators.every((operator) => operator === '|');
    for (const part of node.commands) {
      const listed = plain && part.type === 'While' && isOverLines(part) ? listedBy(before) : undefined;
      if (listed !== undefined && part.type === 'While') this.lineLoop(part, listed, inner(place));
      else this.node(part, inner(place));
      const last = this.commands.at(-1);
      plain &&= part.type === 'Command' && !takesOtherInput(part.redirects);
      if (!plain || part.type !== 'Command' || last === undefined) continue;
      const command = before.length === 0 ? last : { ...last, piped: [...before] };
      this.commands[this.commands.length - 1] = command;
      before.push(command);
      // What goes wrong would be read as if it had been printed.
      plain = part.redirects.every(isQuiet);
    }
  }

  /** `find src | while read f; do …`: each value is a file that the search lists. */
  lineLoop(node: Extract<SyntaxNode, { type: 'While' }>, listed: readonly ShellWord[], place: Place): void {
    this.list(node.clause.commands, place);
    const read = this.commands.at(-1);
    const name = read === undefined ? undefined : lineVariable(read);
    if (read === undefined || name === undefined) return this.list(node.body.commands, place);
    this.commands[this.commands.length - 1] = { ...read, takesLine: true };
    const values = listed.map((value) => ({ name, text: `${name}=${value.text}`, value, append: false }));
    this.inLoop(name, values, node.body.commands, place);
  }

  rarer(node: SyntaxNode, place: Place): void {
    if (node.type === 'TestCommand') this.test(node, place);
    else if (node.type === 'Function') this.definition(node, place);
    else this.unusual(node, place);
  }

  /** A test of files and texts; one of numbers may run what stands in its variables. */
  test(node: SyntaxNode, place: Place): void {
    if (node.type === 'TestUnary' || node.type === 'TestBinary') {
      const words = node.type === 'TestUnary' ? [node.operand] : [node.left, node.right];
      const numbers = words.every(({ text }) => /^(-?\d+|"?\$[#?]"?)$/.test(text));
      if (!(node.type === 'TestUnary' ? fileTests : textTests).test(node.operator) && !numbers)
        this.doubt(nodeNames.get('TestCommand') ?? '');
      for (const word of words) this.word(word, place);
      return;
    }
    for (const child of childrenOf(node)) this.test(child, place);
  }

  /** Its commands are judged as if they ran; whoever calls it is judged by the name. */
  definition(node: Extract<SyntaxNode, { type: 'Function' }>, place: Place): void {
    const text = this.source.slice(node.body.pos, node.body.end);
    // What the words of a call make of it is not looked at, nor what moves the folder at the time of the call.
    const plain = !/\$[@*#\d]|\$\{[#!]?[@*\d]|BASH_ARG|\b(shift|set|getopts|unset|cd|pushd|popd)\b/.test(text);
    const isKnown = /^(cd|pushd|popd|builtin|command|unset|set)$/.test(node.name.text);
    if (!plain || isKnown || node.body.type === 'CompoundList') return this.unusual(node, place);
    this.functions++;
    this.node(node.body, inner(place));
  }

  /** A function runs where it is called: in another folder, or with what another loop has set since. */
  doubtFunctions(): void {
    if (this.functions === 0) return;
    if (this.commands.some(({ moves, words }) => moves.length > 0 || movesFolder(words)))
      this.doubt('it changes the folder around a function');
    if (new Set(this.looped).size < this.looped.length) this.doubt('loops around a function set the same variable');
  }

  loop(node: Extract<SyntaxNode, { type: 'For' }>, place: Place): void {
    const name = node.name.text;
    const values = (node.wordlist ?? []).map((word) => this.word(word, place));
    const known = values
      .slice(0, maxValues)
      .map((value) => ({ name, text: `${name}=${value.text}`, value, append: values.length > maxValues }));
    this.inLoop(name, known, node.body.commands, place);
  }

  inLoop(name: string, values: readonly ShellAssignment[], body: ParsedScript['commands'], place: Place): void {
    const outer = place.loops;
    if (name !== '') this.looped.push(name);
    if (outer?.some((one) => one.name === name) === true) this.doubt('a loop in a loop sets the same variable');
    if (values.length > 0) place.loops = [...(outer ?? []), ...values];
    const before = place.moves.length;
    this.list(body, place);
    this.doubtMoves(before, place);
    place.loops = outer;
  }

  /** The next round starts where the last one ended, in a folder that nobody has looked at. */
  doubtMoves(before: number, place: Place): void {
    if (place.moves.length > before) this.doubt('it changes the folder in a loop');
  }

  command(node: Extract<SyntaxNode, { type: 'Command' }>, place: Place): void {
    const assignments: ShellAssignment[] = [];
    for (const part of node.prefix) {
      if (part.type !== 'Assignment') continue;
      if (part.index !== undefined || part.value.type !== 'Word') {
        this.unusual(part, place);
        // What stands in it then is not looked at.
        assignments.push({
          name: part.name,
          text: part.text,
          value: { text: part.text, value: part.text, kind: 'dynamic', tilde: false },
          append: true,
        });
        continue;
      }
      assignments.push({
        name: part.name,
        text: part.text,
        value: this.word(part.value, place),
        append: part.append === true,
      });
    }
    const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].map((word) =>
      word.type === 'Word' ? this.word(word, place) : this.declaration(word, place),
    );
    const redirections = this.redirections(node.redirects, place);
    this.push(assignments, words, redirections, place, this.unconditional.has(node));
    if (movesFolder(words)) {
      if (place.moves.length >= maxMoves) this.doubt('it changes the folder too often', true);
      else place.moves = [...place.moves, { words, certain: true }];
    }
  }

  /** `export A=1`: an assignment where others have a word. */
  declaration(node: SyntaxNode & { text?: string }, place: Place): ShellWord {
    this.parts(node, place);
    return { text: node.text ?? '', value: node.text ?? '', kind: 'dynamic', tilde: false };
  }

  bareRedirections(nodes: readonly SyntaxNode[], place: Place): void {
    const redirections = this.redirections(nodes, place);
    if (redirections.length > 0) this.push([], [], redirections, place);
  }

  redirections(nodes: readonly SyntaxNode[], place: Place): ShellRedirection[] {
    return nodes.flatMap((node): ShellRedirection[] => {
      if (node.type === 'HereString') {
        const word = node.target === undefined ? undefined : this.word(node.target, place);
        if (word === undefined) this.doubt('its syntax is too complex', true);
        if (node.target !== undefined) this.checkTarget(node.target);
        return [{ kind: 'text', text: word?.value ?? '' }];
      }
      if (node.type === 'HereDoc') {
        if (node.closing === undefined || node.delimiter === undefined) this.doubt('its heredoc has no end', true);
        if (node.delimiter?.quoted !== true) this.parts(node.body, place);
        return [{ kind: 'text', text: node.body.text }];
      }
      if (node.type !== 'Redirect') {
        this.unusual(node, place);
        return [];
      }
      if (node.descriptor?.type === 'FileDescriptorVariable') this.doubt('it redirects through a variable');
      if (node.target === undefined) {
        this.doubt('its syntax is too complex', true);
        return [];
      }
      const word = this.word(node.target, place);
      this.checkTarget(node.target);
      const duplicates = (node.operator === '>&' || node.operator === '<&') && /^(\d+-?|-)$/.test(word.text);
      if (duplicates) return [];
      return [{ kind: node.operator === '<' ? 'read' : 'write', target: word }];
    });
  }

  /** In `< 2>x` the digit belongs to the next redirection. */
  checkTarget(target: SyntaxNode): void {
    const text = this.source.slice(target.pos, target.end);
    if (/^\d+$/.test(text) && /[<>]/.test(this.source[target.end] ?? '')) this.doubt('its syntax is too complex', true);
  }

  word(node: Extract<SyntaxNode, { type: 'Word' }>, place: Place): ShellWord {
    const word = shellWord(node);
    if (word === undefined) {
      this.doubt('it contains a parenthesis inside a word, or old arithmetic', true);
      this.parts(node, place);
      return { text: node.text, value: node.value, kind: 'dynamic', tilde: false };
    }
    if (node.parts !== undefined) this.parts(node, place);
    return word;
  }

  /** Looks for commands in expansions and refuses those that can run code by themselves. */
  parts(node: SyntaxNode, place: Place): void {
    for (const child of childrenOf(node)) {
      if (
        child.type === 'CommandExpansion' ||
        child.type === 'ProcessSubstitution' ||
        child.type === 'ArithmeticCommandExpansion'
      ) {
        // `${ x; }` is newer than most shells.
        if (child.script === undefined || child.text.startsWith('${')) this.doubt('its syntax is too complex', true);
        if (child.script !== undefined) this.script(child.script, inner(place));
        continue;
      }
      const text = 'text' in child ? child.text : child.type;
      if (!isPlainExpansion(child)) this.doubt(`it contains \`${text}\``, /[<>]\(/.test(text));
      if (text.includes('$[')) this.doubt('it contains old arithmetic', true);
      if (place.depth > maxDepth) return this.doubt('it is nested too deeply', true);
      this.parts(child, { ...place, depth: place.depth + 1 });
    }
  }

  /** Syntax that Deft does not judge; what it runs is still listed. */
  unusual(node: SyntaxNode, place: Place): void {
    this.doubt(nodeNames.get(node.type) ?? 'its syntax is too complex', !nodeNames.has(node.type));
    this.search(node, inner(place));
  }

  search(node: SyntaxNode, place: Place): void {
    if (place.depth > maxDepth) return this.doubt('it is nested too deeply', true);
    for (const child of childrenOf(node)) {
      if (child.type === 'Statement') this.node(child.command, place);
      else if (walked.has(child.type)) this.node(child, place);
      else if (child.type === 'Word') this.word(child, place);
      else if (child.type === 'Redirect' || child.type === 'HereString' || child.type === 'HereDoc')
        this.bareRedirections([child], place);
      else this.search(child, { ...place, depth: place.depth + 1 });
    }
  }

  push(
    assignments: ShellAssignment[],
    words: ShellWord[],
    redirections: ShellRedirection[],
    place: Place,
    always = false,
  ): void {
    const text = [...assignments, ...words].map((part) => part.text).join(' ');
    if (this.commands.length >= maxCommands) return this.doubt('it contains too many commands', true);
    this.commands.push({
      text,
      assignments,
      words,
      redirections,
      moves: place.moves,
      ...defined({ loops: place.loops }),
      ...(always ? { always } : {}),
    });
  }
}

function inner(place: Place): Place {
  return { ...place, depth: place.depth + 1 };
}
