// What a line means once names of the start-up files are replaced in it: an alias by its text, a function by its body with the call's words.
import { defined } from '../../../shared/defined';
import { parse, type SyntaxNode } from 'unbash';
import { type BashLine, readBash } from './bash-line';
import { childrenOf, type Edit, withArguments, withEdits } from './function-arguments';
import { meaningOf, type ShellDefinition, type UsedName } from './shell-names';
import { codeOf } from './runners';
import { shellWord } from './shell-word';
import { commandName } from './simple-command';

export interface Meanings {
  means: { name: string; text: string }[];
  /** Completes "Deft cannot be sure what this command does: …": then it asks in every mode. */
  unclear?: string;
}

type Word = Extract<SyntaxNode, { type: 'Word' }>;
type Definitions = ReadonlyMap<string, ShellDefinition>;

const mostRounds = 8;
const mostLines = 40;

/** Every line that the names make of it, one round of replacing after the other. `used` is all that the shell will be given. */
export function meaningsOf(command: BashLine, used: readonly UsedName[]): Meanings {
  const definitions: Definitions = new Map(used.map(({ name, definition }) => [name, definition]));
  const means: Meanings['means'] = [];
  const seen = new Set([command.text]);
  const replaced = new Set<string>();
  let unclear: string | undefined;
  const waiting = [{ line: command, round: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { line, round } = next;
    const found = replaceNames(line, definitions);
    unclear ??= found.unclear;
    for (const name of found.names) replaced.add(name);
    const lines = [...(found.names.length === 0 ? [] : [found.text]), ...found.hidden].filter((one) => !seen.has(one));
    if (lines.length > 0 && (round >= mostRounds || seen.size + lines.length > mostLines)) {
      unclear ??= "aliases in your shell's startup files refer to each other too often";
      continue;
    }
    for (const one of lines) {
      seen.add(one);
      if (one === found.text) means.push({ name: found.names.join('`, `'), text: one });
      waiting.push({ line: readBash(one), round: round + 1 });
    }
  }
  // The shell is given these too, though no command that was found calls them.
  const rest = used
    .filter(({ name }) => !replaced.has(name))
    .map(({ name, definition }) => ({ name, text: meaningOf(definition) }));
  return { means: [...means, ...rest], ...defined({ unclear }) };
}

interface Replaced {
  text: string;
  names: string[];
  /** Commands behind wrappers and in texts for a shell, as lines of their own. */
  hidden: string[];
  unclear?: string;
}

function replaceNames({ text: line, parsed, all }: BashLine, definitions: Definitions): Replaced {
  const calls = (words: Parameters<typeof commandName>[0]): boolean => definitions.has(commandName(words) ?? '');
  const { commands } = parsed;
  const everything = all.commands;
  const plain = new Set(commands);
  const hidden = everything.filter((one) => !plain.has(one) && calls(one.words)).map(({ text }) => text);
  const places = placesOf(line, definitions);
  const names = new Set<string>();
  let unclear: string | undefined;
  if (places.length < commands.filter(({ words }) => calls(words)).length)
    unclear = "it uses aliases or functions from your shell's startup files where Deft cannot expand them";
  if (
    hidden.length > 0 &&
    everything.some((one) => commandName(one.words) === 'trap' || codeOf(commandName(one.words) ?? '', one).length > 0)
  ) {
    unclear ??= "it uses aliases or functions from your shell's startup files in text that a shell reads";
  }
  const edits: Edit[] = [];
  for (const { name, definition, word, args, sets } of places) {
    // What stands in the words of a call is replaced in the next round.
    if (edits.some(({ from, to }) => word.pos >= from && word.end <= to)) continue;
    names.add(name);
    if (definition.kind === 'alias') {
      edits.push({ from: word.pos, to: word.end, text: definition.text });
      continue;
    }
    const body = withArguments(meaningOf(definition), args);
    if (!body.plain || sets)
      unclear ??= `Deft cannot tell what \`${name}\` from your shell's startup files does with its arguments`;
    const lines = body.text.includes('\n');
    // The text of a here-document would begin inside the body.
    if (lines && line.includes('<<'))
      unclear ??= `\`${name}\` from your shell's startup files is used with a here-document`;
    edits.push({ from: word.pos, to: word.end, text: lines ? `{ ${body.text}\n}` : `{ ${body.text}; }` });
    edits.push(...args.map(({ pos, end }) => ({ from: pos, to: end, text: '' })));
  }
  return { text: withEdits(line, edits), names: [...names], hidden, ...defined({ unclear }) };
}

interface CallPlace {
  name: string;
  definition: ShellDefinition;
  word: Word;
  args: Word[];
  /** Variables are set for the call: before a body they cannot stand. */
  sets: boolean;
}

/** Where the line plainly calls them; outer calls before those in their words. */
function placesOf(line: string, definitions: Definitions): CallPlace[] {
  const places: CallPlace[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command' && node.name?.type === 'Word') {
      const word = node.name;
      const plain = shellWord(word);
      const name = plain === undefined ? undefined : commandName([plain]);
      const definition = name === undefined ? undefined : definitions.get(name);
      const args = node.args.flatMap((arg) => (arg.type === 'Word' ? [arg] : []));
      const isThere = [word, ...args].every(({ pos, end, text }) => line.slice(pos, end) === text);
      if (name !== undefined && definition !== undefined && isThere && args.length === node.args.length)
        places.push({ name, definition, word, args, sets: node.prefix.length > 0 });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  try {
    for (const statement of parse(line).commands) visit(statement);
  } catch {
    return [];
  }
  return places;
}
