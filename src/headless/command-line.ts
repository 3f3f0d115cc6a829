// The command line as data: every option checked, and one clear sentence for what does not fit.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type SetupTrigger } from '../core/feature/session-parts';
import { permissionModes, type PermissionMode } from '../shared/permission';

const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];
const inputFormats = ['text', 'stream-json'] as const;
export type InputFormat = (typeof inputFormats)[number];

export interface RunOptions {
  /** From the arguments; standard input comes on top. */
  prompt: string | undefined;
  outputFormat: OutputFormat;
  inputFormat: InputFormat;
  includePartialMessages: boolean;
  permissionMode: PermissionMode | undefined;
  model: string | undefined;
  /** Asked in this order where the model does not answer; undefined leaves it to the settings. */
  fallbackModels?: string[];
  maxTurns: number | undefined;
  /** Dollars. */
  maxBudget?: number;
  allowedTools: string[];
  disallowedTools: string[];
  /** A file's path, or JSON. */
  settings: string | undefined;
  /** Files that name MCP servers, or JSON. */
  mcpConfig: string[];
  addDirectories: string[];
  /** Folders of plugins, read where they are. */
  pluginDirectories: string[];
  /** Agents as JSON, by name. */
  agents?: string | undefined;
  appendSystemPrompt: string | undefined;
  /** Setup hooks run before the first turn; `alone`: and then the run ends. */
  setup?: { trigger: SetupTrigger; alone: boolean } | undefined;
  /** The program on the other end of the pipes is asked what a user would be. */
  askProgram?: boolean;
  /** What the project's files grant counts, as it is in a folder whose owner was asked. */
  trustProject?: boolean;
  session: { kind: 'new' } | { kind: 'resume'; id: string; fork: boolean } | { kind: 'continue'; fork: boolean };
  demo: boolean;
}

export type CommandLine =
  { kind: 'run'; options: RunOptions } | { kind: 'help' } | { kind: 'version' } | { kind: 'refused'; message: string };

const parserOptions = {
  print: { type: 'boolean', short: 'p' },
  'output-format': { type: 'string' },
  'input-format': { type: 'string' },
  'include-partial-messages': { type: 'boolean' },
  'permission-mode': { type: 'string' },
  'permission-prompt-tool': { type: 'string' },
  model: { type: 'string' },
  'fallback-model': { type: 'string', multiple: true },
  'max-turns': { type: 'string' },
  'max-budget-usd': { type: 'string' },
  allowedTools: { type: 'string', multiple: true },
  'allowed-tools': { type: 'string', multiple: true },
  disallowedTools: { type: 'string', multiple: true },
  'disallowed-tools': { type: 'string', multiple: true },
  settings: { type: 'string' },
  'mcp-config': { type: 'string', multiple: true },
  'add-dir': { type: 'string', multiple: true },
  'plugin-dir': { type: 'string', multiple: true },
  agents: { type: 'string' },
  'append-system-prompt': { type: 'string' },
  resume: { type: 'string', short: 'r' },
  continue: { type: 'boolean', short: 'c' },
  'fork-session': { type: 'boolean' },
  init: { type: 'boolean' },
  'init-only': { type: 'boolean' },
  maintenance: { type: 'boolean' },
  'trust-project': { type: 'boolean' },
  demo: { type: 'boolean' },
  // Other runners need it for stream-json; here there is nothing to switch on.
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options'];

type OptionName = keyof typeof parserOptions;

/** Options whose values may follow each other without the option's name. */
const listOptions: readonly string[] = [
  'allowedTools',
  'allowed-tools',
  'disallowedTools',
  'disallowed-tools',
] satisfies OptionName[];

/** `argv` without the program and the script. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { args, prompts } = withoutDashedPrompts(argv);
  const { tokens } = parseArgs({
    args,
    options: parserOptions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<OptionName, string[]>();
  const words = [...prompts];
  let list: string[] | undefined;
  /** A word stands right behind the value of --add-dir: it may be meant as one more folder. */
  let behindFolder = false;
  let maybeFolder = false;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (list !== undefined && looksLikeRule(token.value)) list.push(token.value);
      else {
        maybeFolder ||= behindFolder;
        words.push(token.value);
      }
      continue;
    }
    list = undefined;
    behindFolder = token.kind === 'option' && token.name === 'add-dir';
    if (token.kind !== 'option') continue;
    if (!isOption(token.name)) return refused(unknownOption(token.rawName, /\s/.test(args[token.index] ?? '')));
    const needsValue = parserOptions[token.name].type === 'string';
    const swallowed =
      token.inlineValue === false && isOption(token.value.replace(/^--?/, '')) && token.value.startsWith('-');
    if (needsValue && (token.value === undefined || token.value === '' || swallowed))
      return refused(`${token.rawName} needs a value. --help lists the options.`);
    if (!needsValue && token.value !== undefined) return refused(`${token.rawName} takes no value.`);
    const entries = values.get(token.name) ?? [];
    values.set(token.name, entries);
    entries.push(token.value ?? '');
    if (listOptions.includes(token.name)) list = entries;
  }
  if (values.has('help')) return { kind: 'help' };
  if (values.has('version')) return { kind: 'version' };
  return runOptions(values, words, maybeFolder);
}

/** Behind -p stands a prompt: where it begins with a hyphen, has blanks in it and names no option, it is one all the same ("- first, …"). */
function withoutDashedPrompts(argv: readonly string[]): { args: string[]; prompts: string[] } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isPrompt = (word: string, index: number): boolean => {
    if (index >= end || !['-p', '--print'].includes(argv[index - 1] ?? '') || !/^-.*\s/s.test(word)) return false;
    const [first = ''] = word.replace(/^--?/, '').split(/[\s=]/);
    return (
      !isOption(first) && !Object.values(parserOptions).some((option) => 'short' in option && option.short === first)
    );
  };
  return { args: argv.filter((word, index) => !isPrompt(word, index)), prompts: argv.filter(isPrompt) };
}

function runOptions(values: ReadonlyMap<OptionName, string[]>, words: string[], maybeFolder: boolean): CommandLine {
  const last = (name: OptionName): string | undefined => values.get(name)?.at(-1);
  const all = (...names: OptionName[]): string[] => names.flatMap((name) => values.get(name) ?? []);

  if (words.length > 1)
    return refused(
      `There is more than one prompt: ${words.map((word) => JSON.stringify(word)).join(', ')}. Put it in quotes.${maybeFolder ? ' --add-dir takes one folder: give it once for each (--add-dir a --add-dir b).' : ''}`,
    );
  const outputFormat = oneOf(last('output-format') ?? 'text', outputFormats);
  if (outputFormat === undefined) return refused(wrongChoice('--output-format', last('output-format'), outputFormats));
  const inputFormat = oneOf(last('input-format') ?? 'text', inputFormats);
  if (inputFormat === undefined) return refused(wrongChoice('--input-format', last('input-format'), inputFormats));
  if (inputFormat === 'stream-json' && outputFormat !== 'stream-json')
    return refused('--input-format stream-json needs --output-format stream-json.');
  if (inputFormat === 'stream-json' && words.length > 0)
    return refused(
      'With --input-format stream-json the prompt comes from standard input: leave it out of the arguments.',
    );
  if (values.has('include-partial-messages') && outputFormat !== 'stream-json')
    return refused('--include-partial-messages needs --output-format stream-json.');

  const modeName = last('permission-mode');
  const permissionMode =
    modeName === undefined ? undefined : oneOf(modeName === 'manual' ? 'default' : modeName, permissionModes);
  if (modeName !== undefined && permissionMode === undefined)
    return refused(wrongChoice('--permission-mode', modeName, permissionModes));

  const asks = last('permission-prompt-tool');
  if (asks !== undefined && asks !== 'stdio')
    return refused(
      `--permission-prompt-tool takes stdio, which asks by control requests, not ${JSON.stringify(asks)}.`,
    );
  if (asks !== undefined && inputFormat !== 'stream-json')
    return refused(
      '--permission-prompt-tool stdio needs --input-format stream-json: that is where the answers come from.',
    );

  const turns = last('max-turns');
  if (turns !== undefined && !/^[1-9]\d{0,8}$/.test(turns))
    return refused(`--max-turns takes a whole number from 1, not ${JSON.stringify(turns)}.`);

  const budget = last('max-budget-usd');
  if (budget !== undefined && !(/^\d{1,9}(?:\.\d+)?$/.test(budget) && Number(budget) > 0))
    return refused(`--max-budget-usd takes an amount above 0 in dollars, not ${JSON.stringify(budget)}.`);

  const resume = last('resume');
  const fork = values.has('fork-session');
  if (resume !== undefined && values.has('continue'))
    return refused('--resume and --continue exclude each other: name the session, or take the latest.');
  if (fork && resume === undefined && !values.has('continue'))
    return refused('--fork-session needs a session to start from: add --resume ID or --continue.');

  const setups = (['init', 'init-only', 'maintenance'] as const).filter((name) => values.has(name));
  const [setup] = setups;
  if (setups.length > 1) return refused('--init, --init-only and --maintenance exclude each other.');
  if (setup === 'init-only' && (words.length > 0 || inputFormat === 'stream-json'))
    return refused('--init-only takes no prompt: it runs the Setup and SessionStart hooks and ends.');

  return {
    kind: 'run',
    options: {
      prompt: words[0],
      outputFormat,
      inputFormat,
      includePartialMessages: values.has('include-partial-messages'),
      permissionMode,
      model: last('model'),
      ...(values.has('fallback-model')
        ? {
            fallbackModels: all('fallback-model').flatMap((names) =>
              names
                .split(',')
                .map((name) => name.trim())
                .filter((name) => name !== ''),
            ),
          }
        : {}),
      maxTurns: turns === undefined ? undefined : Number(turns),
      ...(budget === undefined ? {} : { maxBudget: Number(budget) }),
      allowedTools: all('allowedTools', 'allowed-tools').flatMap(splitRules),
      disallowedTools: all('disallowedTools', 'disallowed-tools').flatMap(splitRules),
      settings: last('settings'),
      mcpConfig: all('mcp-config'),
      addDirectories: all('add-dir'),
      pluginDirectories: all('plugin-dir'),
      agents: last('agents'),
      appendSystemPrompt: last('append-system-prompt'),
      session:
        resume !== undefined
          ? { kind: 'resume', id: resume, fork }
          : values.has('continue')
            ? { kind: 'continue', fork }
            : { kind: 'new' },
      ...(setup === undefined
        ? {}
        : {
            setup: {
              trigger: setup === 'maintenance' ? ('maintenance' as const) : ('init' as const),
              alone: setup === 'init-only',
            },
          }),
      ...(asks === undefined ? {} : { askProgram: true }),
      ...(values.has('trust-project') ? { trustProject: true } : {}),
      demo: values.has('demo'),
    },
  };
}

/** Rules separated by commas or spaces, except inside parentheses: `Edit,Bash(npm run test *)` is two. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let rule = '';
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== '') rules.push(rule);
      rule = '';
    } else rule += character;
  }
  return rule === '' ? rules : [...rules, rule];
}

/** Tool names start with a capital letter, those of MCP tools with `mcp__`. */
function looksLikeRule(text: string): boolean {
  return splitRules(text).every((rule) => /^(?:[A-Z*][\w*]*|mcp__[\w*-]+)(?:\(.*\))?$/s.test(rule));
}

function isOption(name: string): name is OptionName {
  return Object.hasOwn(parserOptions, name);
}

function unknownOption(rawName: string, hasBlanks: boolean): string {
  const near = Object.keys(parserOptions).find(
    (name) => name.toLowerCase() === rawName.replace(/^-+/, '').toLowerCase(),
  );
  if (hasBlanks && near === undefined)
    return `There is no option ${rawName}. A prompt that begins with a hyphen goes right behind -p, or behind --.`;
  return `There is no option ${rawName}. ${near === undefined ? '--help lists those that there are.' : `Did you mean --${near}?`}`;
}

function oneOf<Choice extends string>(value: string, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}

function wrongChoice(option: string, value: string | undefined, choices: readonly string[]): string {
  return `${option} takes ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not ${JSON.stringify(value)}.`;
}

function refused(message: string): CommandLine {
  return { kind: 'refused', message };
}
