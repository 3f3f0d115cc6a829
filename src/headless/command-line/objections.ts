// What is wrong with arguments that are all known: values that an option does not take, and options that do not go together.
import { efforts } from '../../core/wire/wire';
import { permissionModes } from '../../shared/permission';
import { type GivenArguments } from './given-arguments';
import { type OptionName } from './option-table';
import {
  formatsOf,
  inputFormats,
  modeOf,
  outputFormats,
  settingSources,
  splitNames,
  thinkingWords,
} from './run-options';

/** A sentence where it applies. */
type Objection = (given: GivenArguments) => string | false;

/** The first that applies is the one to print. Those about formats may rely on the formats being known: that is checked before. */
const objections: readonly Objection[] = [
  ({ words }) =>
    words.length > 1 &&
    `There is more than one prompt: ${words.map((word) => JSON.stringify(word)).join(', ')}. Put it in quotes.`,

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
    given.has('dangerously-skip-permissions') &&
    given.has('permission-mode') &&
    modeOf(given.last('permission-mode')) !== 'bypassPermissions' &&
    '--dangerously-skip-permissions and --permission-mode exclude each other.',
  (given) =>
    isWrong(given.last('permission-prompt-tool'), (asked) => asked === 'stdio' || /^mcp__.+__.+/.test(asked)) &&
    `--permission-prompt-tool takes stdio, which asks by control requests, or a tool of an MCP server (mcp__server__tool), not ${quoted(given, 'permission-prompt-tool')}.`,
  (given) =>
    given.last('permission-prompt-tool') === 'stdio' &&
    !streamsInput(given) &&
    '--permission-prompt-tool stdio needs --input-format stream-json: that is where the answers come from.',

  (given) =>
    isWrong(
      given.last('worktree') || undefined,
      (name) => /^[a-z0-9][\w.-]{0,63}$/i.test(name) && !/^agent-|\.\.|\.(?:lock)?$/i.test(name),
    ) &&
    `--worktree takes a name of letters, digits, dots, underscores and hyphens, at most 64, that does not begin with agent-, and not ${quoted(given, 'worktree')}.`,

  (given) => wrongChoice(given, 'effort', efforts),
  (given) => wrongChoice(given, 'thinking', thinkingWords),
  (given) =>
    isWrong(given.last('max-thinking-tokens'), (tokens) => /^\d{1,7}$/.test(tokens)) &&
    `--max-thinking-tokens takes a whole number from 0, not ${quoted(given, 'max-thinking-tokens')}.`,
  (given) =>
    isWrong(given.last('setting-sources'), (named) =>
      splitNames(named).every((name) => settingSources.some((source) => source === name)),
    ) && `--setting-sources takes ${settingSources.join(', ')}, not ${quoted(given, 'setting-sources')}.`,
  (given) =>
    (['system-prompt', 'append-system-prompt'] as const)
      .filter((name) => given.has(name) && given.has(`${name}-file`))
      .map((name) => `--${name} and --${name}-file exclude each other.`)[0] ?? false,

  (given) =>
    isWrong(given.last('max-turns'), (turns) => /^[1-9]\d{0,8}$/.test(turns)) &&
    `--max-turns takes a whole number from 1, not ${quoted(given, 'max-turns')}.`,
  (given) =>
    isWrong(given.last('max-repeats'), (repeats) => /^[1-9]\d{0,8}$/.test(repeats)) &&
    `--max-repeats takes a whole number from 1, not ${quoted(given, 'max-repeats')}.`,
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
    isWrong(given.last('session-id'), (id) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id),
    ) && `--session-id takes a UUID, not ${quoted(given, 'session-id')}.`,
  (given) =>
    given.has('session-id') &&
    (given.has('resume') || given.has('continue')) &&
    !given.has('fork-session') &&
    '--session-id names a new session: with --resume or --continue it also needs --fork-session.',
  (given) =>
    given.has('no-session-persistence') &&
    (given.has('resume') || given.has('continue')) &&
    !given.has('fork-session') &&
    '--no-session-persistence continues a session in a copy only: add --fork-session.',
  (given) =>
    given.has('resume-session-at') &&
    !given.has('fork-session') &&
    '--resume-session-at needs --resume or --continue, and --fork-session: what comes after the message stays in the original.',
  (given) =>
    given.has('replay-user-messages') &&
    !streamsInput(given) &&
    '--replay-user-messages needs --input-format stream-json.',

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
