// The commands that the commands of a line run in turn: behind wrappers and runners, in options, in text that a shell is given.
import { runByOptions } from './program-options';
import { codeOf, interpreterName, isFd, pipeShell, readsCode, runners } from './runners';
import { parseShell } from './shell-command';
import { resolveVariables } from './shell-variables';
import { unwrap } from './shell-wrappers';
import { commandName, type ShellWord, type SimpleCommand } from './simple-command';

export interface AllCommands {
  commands: SimpleCommand[];
  /** False where there are more, or deeper ones, than are worth looking at. */
  complete: boolean;
  /** Those that stand once more with all that their variables may be. */
  replaced: ReadonlySet<SimpleCommand>;
  /** What those are. */
  alternatives: ReadonlyMap<SimpleCommand, readonly SimpleCommand[]>;
}

/**
 * The commands of a line and every command that they may run in turn: behind wrappers and runners, in
 * `find -exec`, in the text that a shell is given. For deny and ask rules, never for allow rules: it guesses generously.
 */
export function withHiddenCommands(written: readonly SimpleCommand[]): AllCommands {
  const found = findHidden(written);
  const { commands, replaced, alternatives } = resolveVariables(found.commands);
  const resolved = commands.length === 0 ? undefined : findHidden(commands);
  return {
    commands: [...found.commands, ...(resolved?.commands ?? [])],
    complete: found.complete && resolved?.complete !== false,
    replaced,
    alternatives,
  };
}

function findHidden(written: readonly SimpleCommand[]): Pick<AllCommands, 'commands' | 'complete'> {
  const line = [...written, ...pipedCommands(written)];
  const commands: SimpleCommand[] = [];
  let left = maxHidden;
  let wordsLeft = maxHiddenWords;
  let complete = true;
  for (const command of line) {
    commands.push(command);
    const seen = new Set<string>();
    let level = [command];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) {
        complete &&= level.every((one) => codeOf(commandName(one.words) ?? '', one).length === 0);
        break;
      }
      const next: SimpleCommand[] = [];
      for (const outer of level) {
        for (const one of runBy(outer, seen)) {
          if (one === 'more') {
            complete = false;
            continue;
          }
          wordsLeft -= one.words.length;
          if (left-- <= 0 || wordsLeft < 0) return { commands, complete: false };
          next.push(one);
          commands.push(one);
        }
      }
      level = next;
    }
  }
  return { commands, complete };
}

/** What a shell of the line reads from those that print: `echo rm x | sh`. Which pipe leads where is not asked. */
function pipedCommands(line: readonly SimpleCommand[]): SimpleCommand[] {
  const reads = line.some(({ words }) => {
    const starts = runners.has(commandName(words) ?? '')
      ? words.slice(0, maxStarts).map((_, index) => words.slice(index))
      : [words];
    return starts.some((inner) => pipeShell.test(interpreterName(commandName(inner) ?? '')) && readsCode(inner, false));
  });
  if (!reads) return [];
  return line.flatMap(({ words, redirections }) => {
    const name = commandName(unwrap(words).words) ?? '';
    const texts = redirections.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
    if (name === 'echo' || name === 'printf')
      texts.push(
        unwrap(words)
          .words.slice(1)
          .map(({ value }) => value)
          .filter((value) => !/^-[neE]+$/.test(value))
          .join(' ')
          .replaceAll('\\n', '\n'),
      );
    return texts.flatMap((text) => parseShell(text).commands.map((command) => ({ ...command, moves: [] })));
  });
}

const maxStarts = 12;

/** What one command runs, without what that runs in turn; words that were `seen` are left out. `more`: not all of it. */
function* runBy(command: SimpleCommand, seen: Set<string>): Generator<SimpleCommand | 'more'> {
  const { words } = command;
  const name = commandName(words) ?? '';
  for (const start of startsOf(name, words)) {
    const part = words.slice(start);
    const text = textOf(part);
    if (part.length === 0 || seen.has(text)) continue;
    seen.add(text);
    yield { ...command, words: part, assignments: [], text };
  }
  const { code: given, complete } = optionCode(name, words);
  for (const code of [...codeOf(name, command), ...given]) yield* parseShell(code).commands;
  if (!complete) yield 'more';
}

/** Commands in the values of options. */
function optionCode(name: string, words: readonly ShellWord[]): { code: string[]; complete: boolean } {
  const code = runByOptions(words).map((one) => one.code);
  const attached = name === 'env' ? splitString : isFd(name) ? fdAction : undefined;
  if (attached === undefined) return { code, complete: true };
  for (const [index, { value }] of words.entries()) {
    const text = attached.exec(value)?.[1] ?? '';
    if (text === '') continue;
    if (code.length >= maxCodes) return { code, complete: false };
    code.push([text, ...words.slice(index + 1).map((word) => word.value)].join(' '));
  }
  return { code, complete: true };
}

/** What follows the first of them belongs to what it runs; one in front may be the value of another option. Each is read with all that follows it. */
const maxCodes = 4;

const splitString = /^(?:-[A-Za-z]*S|--split-string=)\s*([\s\S]*)$/;

const fdAction = /^(?:-[A-Za-z\d]*?[xX]|--exec(?:-batch)?=)(.*)$/;

/** Where in the words another command may begin. */
function startsOf(name: string, words: readonly ShellWord[]): number[] {
  const starts: number[] = [];
  const finds = name === 'find' || isFd(name);
  words.forEach(({ value }, index) => {
    if (runners.has(name) && index > 0 && !value.startsWith('-')) starts.push(index);
    if (finds && /^-(exec|execdir|ok|okdir|-exec|-exec-batch)$/.test(value)) starts.push(index + 1);
    if (isFd(name) && /^-[A-Za-z\d]*[xX]$/.test(value)) starts.push(index + 1);
  });
  return starts;
}

const maxDepth = 4;

/** For a whole line. */
const maxHidden = 200;

/** For all hidden commands together: `sudo a b c …` may run each tail of a long line. */
const maxHiddenWords = 20_000;

function textOf(words: readonly ShellWord[]): string {
  return words.map((word) => word.text).join(' ');
}
