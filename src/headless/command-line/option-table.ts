// Every option of the command line, as parseArgs wants them.

interface Option {
  /** What follows it: a value, or nothing. */
  type: 'string' | 'boolean';
  short?: string;
  /** Each further one adds to those before it; otherwise the last one counts. */
  multiple?: true;
  /** Further rules may follow the value without the option's name. */
  takesRules?: true;
}

const rules = { type: 'string', multiple: true, takesRules: true } as const;

export const optionTable = {
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
  allowedTools: rules,
  'allowed-tools': rules,
  disallowedTools: rules,
  'disallowed-tools': rules,
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
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof optionTable;

export function isOption(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

export function isShortOption(letter: string): boolean {
  return Object.values<Option>(optionTable).some(({ short }) => short === letter);
}

export function takesRules(name: OptionName): boolean {
  const option: Option = optionTable[name];
  return option.takesRules === true;
}
