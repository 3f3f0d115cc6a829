// What the arguments say about a run, as data.
import { type SetupTrigger } from '../../core/feature/session-parts';
import { type Effort, efforts } from '../../core/wire/wire';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { type GivenArguments } from './given-arguments';
import { splitRules } from './split-rules';

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];
export const inputFormats = ['text', 'stream-json'] as const;
export type InputFormat = (typeof inputFormats)[number];
export const thinkingWords = ['adaptive', 'enabled', 'disabled'] as const;
/** Whose settings and other files of `.claude/` a run reads, as the format names them. */
export const settingSources = ['user', 'project', 'local'] as const;
export type SettingSource = (typeof settingSources)[number];

/** Given as it is, or in a file. */
export interface GivenText {
  text: string | undefined;
  file: string | undefined;
}

/** Which model answers, and how. */
interface ModelOptions {
  model: string | undefined;
  effort: Effort | undefined;
  /** The higher speed, where the model has one. */
  fast: true | undefined;
  thinking: { on: boolean | undefined; maxTokens: number | undefined };
  /** Beta features of the API, asked for with every request. */
  betas: string[];
  /** Asked in this order where the model does not answer; undefined leaves it to the settings. */
  fallbackModels: string[] | undefined;
}

/** Whose files, servers and plugins a run has. */
interface SourceOptions {
  /** A file's path, or JSON. */
  settings: string | undefined;
  /** Undefined: all of them. */
  settingSources: readonly SettingSource[] | undefined;
  /** Settings as JSON that count like an organization's. */
  managedSettings: string | undefined;
  /** Built-in tools that the model may have; undefined: all. */
  tools: readonly string[] | undefined;
  /** What the project's files grant counts, as it is in a folder whose owner was asked. */
  trustProject: boolean;
  /** Files that name MCP servers, or JSON. */
  mcpConfig: string[];
  /** Only those servers. */
  strictMcpConfig: boolean;
  addDirectories: string[];
  /** Folders of plugins, read where they are. */
  pluginDirectories: string[];
  /** Those of them whose MCP servers are left out. */
  pluginsWithoutServers: string[];
}

/** What the model is sent besides the conversation, and what it is to answer. */
interface ConversationOptions {
  /** Agents as JSON, by name. */
  agents: string | undefined;
  /** The agent whose prompt, tools and model the conversation has. */
  agent: string | undefined;
  systemPrompt: GivenText;
  appendSystemPrompt: GivenText;
  /** "/name" begins a message like any other, and no skill is offered. */
  withoutCommands: boolean;
  /** Only these skills are offered; undefined: all. */
  skills: readonly string[] | undefined;
  /** The answer is one JSON object of this schema. */
  jsonSchema: string | undefined;
  /** MCP servers inside the program that runs Deft. */
  programServers: readonly string[];
}

export interface RunOptions extends ModelOptions, SourceOptions, ConversationOptions {
  /** From the arguments; standard input comes on top. */
  prompt: string | undefined;
  formats: { input: InputFormat; output: OutputFormat; partialMessages: boolean; replayMessages: boolean };
  permissions: {
    mode: PermissionMode | undefined;
    allowed: string[];
    disallowed: string[];
    /** Who is asked what a user would be: `stdio` for the program on the other end of the pipes, or a tool of an MCP server. */
    asks: string | undefined;
    /** The program may switch to bypassPermissions later. */
    mayBypass: boolean;
  };
  limits: {
    turns: number | undefined;
    /** Equal calls in a row with equal results. */
    repeats: number | undefined;
    /** Dollars. */
    budget: number | undefined;
  };
  /** Setup hooks run before the first turn; `alone`: and then the run ends. */
  setup: { trigger: SetupTrigger; alone: boolean } | undefined;
  session:
    | { kind: 'new'; id: string | undefined }
    /** `until`: the message with which the copy ends. */
    | { kind: 'resume'; id: string; fork: boolean; until: string | undefined; newId: string | undefined }
    | { kind: 'continue'; fork: boolean; until: string | undefined; newId: string | undefined };
  /** The run works in a git worktree of its own; without a name, Deft chooses one. */
  worktree: { name: string | undefined } | undefined;
  /** The session's title. */
  title: string | undefined;
  /** Nothing of the session stays on disk. */
  unsaved: boolean;
  /** The program began with `initialize`. */
  initialized: boolean;
  demo: boolean;
  /** Sentences about options that have no effect. */
  unused: string[];
}

/** Of arguments that nothing speaks against. */
export function runOptions(given: GivenArguments): RunOptions {
  return {
    prompt: given.words[0],
    formats: formatsOf(given),
    permissions: {
      mode: given.has('dangerously-skip-permissions') ? 'bypassPermissions' : modeOf(given.last('permission-mode')),
      allowed: given.all('allowedTools', 'allowed-tools').flatMap(splitRules),
      disallowed: given.all('disallowedTools', 'disallowed-tools').flatMap(splitRules),
      asks: given.last('permission-prompt-tool'),
      mayBypass: given.has('allow-dangerously-skip-permissions'),
    },
    limits: {
      turns: numberOf(given.last('max-turns')),
      repeats: numberOf(given.last('max-repeats')),
      budget: numberOf(given.last('max-budget-usd')),
    },
    model: given.last('model'),
    effort: oneOf(given.last('effort'), efforts),
    fast: given.has('fast') ? true : undefined,
    thinking: {
      on: given.has('thinking') ? given.last('thinking') !== 'disabled' : undefined,
      maxTokens: numberOf(given.last('max-thinking-tokens')),
    },
    betas: given.all('betas').flatMap(splitNames),
    fallbackModels: given.has('fallback-model') ? given.all('fallback-model').flatMap(splitNames) : undefined,
    settings: given.last('settings'),
    settingSources: sourcesOf(given),
    managedSettings: given.last('managed-settings'),
    tools: toolsOf(given),
    trustProject: given.has('trust-project'),
    mcpConfig: given.all('mcp-config'),
    strictMcpConfig: given.has('strict-mcp-config') || given.has('bare'),
    addDirectories: given.all('add-dir'),
    pluginDirectories: given.all('plugin-dir', 'plugin-dir-no-mcp'),
    pluginsWithoutServers: given.all('plugin-dir-no-mcp'),
    agents: given.last('agents'),
    agent: given.last('agent'),
    systemPrompt: { text: given.last('system-prompt'), file: given.last('system-prompt-file') },
    appendSystemPrompt: { text: given.last('append-system-prompt'), file: given.last('append-system-prompt-file') },
    withoutCommands: given.has('disable-slash-commands'),
    skills: undefined,
    jsonSchema: given.last('json-schema'),
    programServers: [],
    setup: setupOf(given),
    session: sessionOf(given),
    worktree: given.has('worktree') ? { name: given.last('worktree') || undefined } : undefined,
    title: given.last('name'),
    unsaved: given.has('no-session-persistence'),
    initialized: false,
    demo: given.has('demo'),
    unused: given.unused,
  };
}

export function formatsOf(given: GivenArguments): RunOptions['formats'] {
  return {
    input: oneOf(given.last('input-format'), inputFormats) ?? 'text',
    output: oneOf(given.last('output-format'), outputFormats) ?? 'text',
    partialMessages: given.has('include-partial-messages'),
    replayMessages: given.has('replay-user-messages'),
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
  const newId = given.last('session-id');
  const copied = { fork: given.has('fork-session'), until: given.last('resume-session-at'), newId };
  if (id !== undefined) return { kind: 'resume', id, ...copied };
  return given.has('continue') ? { kind: 'continue', ...copied } : { kind: 'new', id: newId };
}

/** --bare reads nobody's. */
function sourcesOf(given: GivenArguments): RunOptions['settingSources'] {
  const named = given.last('setting-sources');
  if (named === undefined) return given.has('bare') ? [] : undefined;
  const names = splitNames(named);
  return settingSources.filter((source) => names.includes(source));
}

/** `default` is all of them. */
function toolsOf(given: GivenArguments): RunOptions['tools'] {
  if (!given.has('tools')) return undefined;
  const names = given.all('tools').flatMap(splitRules);
  return names.includes('default') ? undefined : names;
}

export function splitNames(text: string): string[] {
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
