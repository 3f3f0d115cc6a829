// What is wrong with arguments that are all known: values that an option does not take, and options that do not go together.
import { permissionModes } from '../../shared/permission';
import { type GivenArguments } from './given-arguments';
import { type OptionName } from './option-table';
import { formatsOf, inputFormats, modeOf, outputFormats } from './run-options';

/** A sentence where it applies. */
type Objection = (given: GivenArguments) => string | false;

/** The first that applies is the one to print. Those about formats may rely on the formats being known: that is checked before. */
const objections: readonly Objection[] = [
  ({ words, wordBehindFolder }) =>
    words.length > 1 &&
    `There is more than one prompt: ${words.map((word) => JSON.stringify(word)).join(', ')}. Put it in quotes.${wordBehindFolder ? ' --add-dir takes one folder: give it once for each (--add-dir a --add-dir b).' : ''}`,

  (given) => wrongChoice(given, 'output-format', outputFormats),
  (given) => wrongChoice(given, 'input-format', inputFormats),
  (given) =>
    streamsInput(given) && !streamsOutput(given) && '--input-format stream-json needs --output-format stream-json.',
  (given) =>
    streamsInput(given) &&
    given.words.length > 0 &&
    'With --input-format stream-json the prompt comes from standard input: leave it out of the arguments.',
  (given) =>
    given.has('include-partial-messages') &&
    !streamsOutput(given) &&
    '--include-partial-messages needs --output-format stream-json.',

  (given) =>
    modeOf(given.last('permission-mode')) === undefined && wrongChoice(given, 'permission-mode', permissionModes),
  (given) =>
    isWrong(given.last('permission-prompt-tool'), (asked) => asked === 'stdio') &&
    `--permission-prompt-tool takes stdio, which asks by control requests, not ${quoted(given, 'permission-prompt-tool')}.`,
  (given) =>
    given.has('permission-prompt-tool') &&
    !streamsInput(given) &&
    '--permission-prompt-tool stdio needs --input-format stream-json: that is where the answers come from.',

  (given) =>
    isWrong(given.last('max-turns'), (turns) => /^[1-9]\d{0,8}$/.test(turns)) &&
    `--max-turns takes a whole number from 1, not ${quoted(given, 'max-turns')}.`,
  (given) =>
    isWrong(given.last('max-budget-usd'), (budget) => /^\d{1,9}(?:\.\d+)?$/.test(budget) && Number(budget) > 0) &&
    `--max-budget-usd takes an amount above 0 in dollars, not ${quoted(given, 'max-budget-usd')}.`,

  (given) =>
    given.has('resume') &&
    given.has('continue') &&
    '--resume and --continue exclude each other: name the session, or take the latest.',
  (given) =>
    given.has('fork-session') &&
    !given.has('resume') &&
    !given.has('continue') &&
    '--fork-session needs a session to start from: add --resume ID or --continue.',

  (given) =>
    (['init', 'init-only', 'maintenance'] as const).filter((name) => given.has(name)).length > 1 &&
    '--init, --init-only and --maintenance exclude each other.',
  (given) =>
    given.has('init-only') &&
    (given.words.length > 0 || streamsInput(given)) &&
    '--init-only takes no prompt: it runs the Setup and SessionStart hooks and ends.',
];

export function firstObjection(given: GivenArguments): string | undefined {
  for (const objection of objections) {
    const sentence = objection(given);
    if (sentence !== false) return sentence;
  }
  return undefined;
}

function streamsInput(given: GivenArguments): boolean {
  return formatsOf(given).input === 'stream-json';
}

function streamsOutput(given: GivenArguments): boolean {
  return formatsOf(given).output === 'stream-json';
}

function wrongChoice(given: GivenArguments, name: OptionName, choices: readonly string[]): string | false {
  return (
    isWrong(given.last(name), (value) => choices.includes(value)) &&
    `--${name} takes ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not ${quoted(given, name)}.`
  );
}

/** An option that is not given is never wrong. */
function isWrong(value: string | undefined, fits: (value: string) => boolean): boolean {
  return value !== undefined && !fits(value);
}

function quoted(given: GivenArguments, name: OptionName): string {
  return JSON.stringify(given.last(name));
}
