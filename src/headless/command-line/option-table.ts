// Every option of the command line, as parseArgs wants them.

interface Option {
  /** What follows it: a value, or nothing. */
  type: 'string' | 'boolean';
  short?: string;
  /** Each further one adds to those before it; otherwise the last one counts. */
  multiple?: true;
  /** Further values may follow the first without the option's name. */
  list?: true;
  /** The values are permission rules: they may contain blanks inside parentheses. */
  rules?: true;
  /** `--tools=` is a value: none. */
  mayBeEmpty?: true;
  /** A switch that also takes a value behind `=`. */
  mayHaveValue?: true;
  /** A switch whose value may also be the next word, if that has no blank in it. */
  mayTakeWord?: true;
  /** Accepted without effect. Why, for standard error; empty where nobody misses anything. */
  unused?: string;
}

const list = { type: 'string', multiple: true, list: true } as const;
const rules = { ...list, rules: true } as const;
const silent = { type: 'boolean', unused: '' } as const;

export const optionTable = {
  print: { type: 'boolean', short: 'p' },
  'output-format': { type: 'string' },
  'input-format': { type: 'string' },
  'include-partial-messages': { type: 'boolean' },
  'replay-user-messages': { type: 'boolean' },
  'json-schema': { type: 'string' },
  'permission-mode': { type: 'string' },
  'dangerously-skip-permissions': { type: 'boolean' },
  'allow-dangerously-skip-permissions': { type: 'boolean' },
  'permission-prompt-tool': { type: 'string' },
  model: { type: 'string' },
  'fallback-model': { type: 'string', multiple: true },
  effort: { type: 'string' },
  fast: { type: 'boolean' },
  thinking: { type: 'string' },
  'max-thinking-tokens': { type: 'string' },
  betas: list,
  'max-turns': { type: 'string' },
  'max-repeats': { type: 'string' },
  'max-budget-usd': { type: 'string' },
  allowedTools: rules,
  'allowed-tools': rules,
  disallowedTools: rules,
  'disallowed-tools': rules,
  tools: { ...list, mayBeEmpty: true },
  settings: { type: 'string' },
  'setting-sources': { type: 'string', mayBeEmpty: true },
  'managed-settings': { type: 'string' },
  'mcp-config': list,
  'strict-mcp-config': { type: 'boolean' },
  'add-dir': list,
  'plugin-dir': { type: 'string', multiple: true },
  'plugin-dir-no-mcp': { type: 'string', multiple: true },
  agent: { type: 'string' },
  agents: { type: 'string' },
  'system-prompt': { type: 'string', mayBeEmpty: true },
  'system-prompt-file': { type: 'string' },
  'append-system-prompt': { type: 'string', mayBeEmpty: true },
  'append-system-prompt-file': { type: 'string' },
  'disable-slash-commands': { type: 'boolean' },
  bare: { type: 'boolean' },
  resume: { type: 'string', short: 'r' },
  continue: { type: 'boolean', short: 'c' },
  'fork-session': { type: 'boolean' },
  'resume-session-at': { type: 'string' },
  'session-id': { type: 'string' },
  'no-session-persistence': { type: 'boolean' },
  name: { type: 'string', short: 'n' },
  worktree: { type: 'boolean', short: 'w', mayHaveValue: true, mayTakeWord: true },
  init: { type: 'boolean' },
  'init-only': { type: 'boolean' },
  maintenance: { type: 'boolean' },
  'trust-project': { type: 'boolean' },
  demo: { type: 'boolean' },
  // What the public tool has to switch on is always on here.
  verbose: silent,
  'include-hook-events': silent,
  'forward-subagent-text': silent,
  'await-initialize': silent,
  debug: { type: 'boolean', short: 'd', mayHaveValue: true, unused: 'Deft writes no debug output.' },
  'debug-file': { type: 'string', unused: 'Deft writes no debug output.' },
  ide: { type: 'boolean', unused: 'A headless run connects to no editor.' },
  chrome: { type: 'boolean', unused: 'Deft does not drive a browser.' },
  'no-chrome': silent,
  'task-budget': { type: 'string', unused: 'The model is not told a token budget; --max-budget-usd limits a run.' },
  'exclude-dynamic-system-prompt-sections': silent,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof optionTable;

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

export function isShortOption(letter: string): boolean {
  return Object.values<Option>(optionTable).some(({ short }) => short === letter);
}

export function optionOf(name: OptionName): Option {
  return optionTable[name];
}
