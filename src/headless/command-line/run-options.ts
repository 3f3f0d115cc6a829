// What the arguments say about a run, as data.
import { type SetupTrigger } from '../../core/feature/session-parts';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { type GivenArguments } from './given-arguments';
import { splitRules } from './split-rules';

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];
export const inputFormats = ['text', 'stream-json'] as const;
export type InputFormat = (typeof inputFormats)[number];

export interface RunOptions {
  /** From the arguments; standard input comes on top. */
  prompt: string | undefined;
  formats: { input: InputFormat; output: OutputFormat; partialMessages: boolean };
  permissions: {
    mode: PermissionMode | undefined;
    allowed: string[];
    disallowed: string[];
    /** The program on the other end of the pipes is asked what a user would be. */
    askProgram: boolean;
  };
  limits: {
    turns: number | undefined;
    /** Dollars. */
    budget: number | undefined;
  };
  model: string | undefined;
  /** Asked in this order where the model does not answer; undefined leaves it to the settings. */
  fallbackModels: string[] | undefined;
  /** A file's path, or JSON. */
  settings: string | undefined;
  /** What the project's files grant counts, as it is in a folder whose owner was asked. */
  trustProject: boolean;
  /** Files that name MCP servers, or JSON. */
  mcpConfig: string[];
  addDirectories: string[];
  /** Folders of plugins, read where they are. */
  pluginDirectories: string[];
  /** Agents as JSON, by name. */
  agents: string | undefined;
  appendSystemPrompt: string | undefined;
  /** Setup hooks run before the first turn; `alone`: and then the run ends. */
  setup: { trigger: SetupTrigger; alone: boolean } | undefined;
  session: { kind: 'new' } | { kind: 'resume'; id: string; fork: boolean } | { kind: 'continue'; fork: boolean };
  demo: boolean;
}

/** Of arguments that nothing speaks against. */
export function runOptions(given: GivenArguments): RunOptions {
  return {
    prompt: given.words[0],
    formats: formatsOf(given),
    permissions: {
      mode: modeOf(given.last('permission-mode')),
      allowed: given.all('allowedTools', 'allowed-tools').flatMap(splitRules),
      disallowed: given.all('disallowedTools', 'disallowed-tools').flatMap(splitRules),
      askProgram: given.has('permission-prompt-tool'),
    },
    limits: { turns: numberOf(given.last('max-turns')), budget: numberOf(given.last('max-budget-usd')) },
    model: given.last('model'),
    fallbackModels: given.has('fallback-model') ? given.all('fallback-model').flatMap(splitNames) : undefined,
    settings: given.last('settings'),
    trustProject: given.has('trust-project'),
    mcpConfig: given.all('mcp-config'),
    addDirectories: given.all('add-dir'),
    pluginDirectories: given.all('plugin-dir'),
    agents: given.last('agents'),
    appendSystemPrompt: given.last('append-system-prompt'),
    setup: setupOf(given),
    session: sessionOf(given),
    demo: given.has('demo'),
  };
}

export function formatsOf(given: GivenArguments): RunOptions['formats'] {
  return {
    input: oneOf(given.last('input-format'), inputFormats) ?? 'text',
    output: oneOf(given.last('output-format'), outputFormats) ?? 'text',
    partialMessages: given.has('include-partial-messages'),
  };
}

export function modeOf(name: string | undefined): PermissionMode | undefined {
  return oneOf(name === 'manual' ? 'default' : name, permissionModes);
}

function setupOf(given: GivenArguments): RunOptions['setup'] {
  if (given.has('maintenance')) return { trigger: 'maintenance', alone: false };
  const alone = given.has('init-only');
  return alone || given.has('init') ? { trigger: 'init', alone } : undefined;
}

function sessionOf(given: GivenArguments): RunOptions['session'] {
  const id = given.last('resume');
  const fork = given.has('fork-session');
  if (id !== undefined) return { kind: 'resume', id, fork };
  return given.has('continue') ? { kind: 'continue', fork } : { kind: 'new' };
}

function splitNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function oneOf<Choice extends string>(value: string | undefined, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === value);
}
