// An agent as a file, the command line or Deft itself defines it: what it is for, what it may use, what it is sent.
import { defined } from '../../shared/defined';
import {
  booleanField,
  type Frontmatter,
  listField,
  numberField,
  readFrontmatter,
  textField,
} from '../text/frontmatter';
import { type AgentColor, agentColors } from '../../shared/agent-color';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { type Effort, efforts } from '../wire/wire';
import { isObject } from '../../shared/plain-object';

/** Where a definition stands: the first of these wins where names are the same. */
export type AgentSource = 'managed' | 'commandLine' | 'project' | 'user' | 'plugin' | 'builtIn';

export interface AgentDefinition {
  name: string;
  /** When to use it: the model reads it. */
  description: string;
  /** Its system prompt. */
  prompt: string;
  source: AgentSource;
  /** Undefined for those that come with Deft. */
  file?: string;
  /** Undefined: all. */
  tools?: string[];
  disallowedTools?: string[];
  /** An alias, an id, or "inherit". */
  model?: string;
  permissionMode?: PermissionMode;
  maxTurns?: number;
  skills?: string[];
  /** As written. */
  mcpServers?: unknown;
  hooks?: unknown;
  memory?: 'user' | 'project' | 'local';
  background?: boolean;
  effort?: Effort;
  isolation?: 'worktree';
  color?: AgentColor;
  initialPrompt?: string;
  /** Only agents that come with Deft have these. */
  builtIn?: BuiltInTraits;
}

export interface BuiltInTraits {
  /** It gets no memory files: it only looks something up. */
  bare?: boolean;
  /** It runs on the small model if the user has named one. */
  small?: boolean;
}

export interface AgentReading {
  agent?: AgentDefinition;
  /** Sentences: why it is not an agent, or what of it does not count. */
  problems: string[];
}

export function readAgentFile(text: string, source: AgentSource, file: string): AgentReading {
  const { fields, body, problem } = readFrontmatter(text);
  if (problem !== undefined) return { problems: [problem] };
  return readAgent(fields, body.trim(), source, file);
}

/** `{"name": {"description": …, "prompt": …}}`, as `--agents` has it. */
export function readAgentsJson(text: string): { agents: AgentDefinition[]; problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      agents: [],
      problems: [`--agents is not valid JSON: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
  if (!isObject(value)) return { agents: [], problems: ['--agents must be an object of agents by their names.'] };
  const readings = Object.entries(value).map(([name, fields]) => {
    if (!isObject(fields)) return { problems: [`The agent ${JSON.stringify(name)} of --agents must be an object.`] };
    const { agent, problems } = readAgent(
      { ...fields, name },
      typeof fields['prompt'] === 'string' ? fields['prompt'].trim() : '',
      'commandLine',
    );
    return { agent, problems: problems.map((problem) => `The agent ${JSON.stringify(name)} of --agents: ${problem}`) };
  });
  return {
    agents: readings.flatMap(({ agent }) => agent ?? []),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

function readAgent(fields: Frontmatter['fields'], prompt: string, source: AgentSource, file?: string): AgentReading {
  const name = textField(fields, 'name');
  const description = textField(fields, 'description');
  if (name === undefined) return { problems: ['It has no `name`.'] };
  if (/[\s,()]/.test(name))
    return { problems: [`\`name\` contains spaces, commas or brackets: ${JSON.stringify(name)}.`] };
  if (description === undefined)
    return { problems: ['It has no `description`: the model could not tell when to use it.'] };
  if (prompt === '') return { problems: ['It has no text, which is its system prompt.'] };
  const problems: string[] = [];
  const wrong = (field: string, expected: string): undefined =>
    void problems.push(`\`${field}\` is not ${expected}; it is ignored.`);
  const oneOf = <Value extends string>(field: string, values: readonly Value[]): Value | undefined => {
    const text = textField(fields, field);
    if (text === undefined) return undefined;
    return values.find((value) => value === text) ?? wrong(field, `one of ${values.join(', ')}`);
  };
  const permissionMode =
    textField(fields, 'permissionMode') === 'manual' ? 'default' : oneOf('permissionMode', permissionModes);
  const turns = numberField(fields, 'maxTurns');
  const maxTurns =
    turns === undefined || (Number.isInteger(turns) && turns > 0) ? turns : wrong('maxTurns', 'a whole number above 0');
  const background = booleanField(fields, 'background');
  if (background === undefined && textField(fields, 'background') !== undefined) wrong('background', 'true or false');
  const found = {
    tools: toolList(fields, 'tools'),
    disallowedTools: listField(fields, 'disallowedTools'),
    model: textField(fields, 'model'),
    permissionMode,
    maxTurns,
    skills: listField(fields, 'skills'),
    mcpServers: fields['mcpServers'] ?? undefined,
    hooks: fields['hooks'] ?? undefined,
    memory: oneOf('memory', ['user', 'project', 'local']),
    background,
    effort: oneOf('effort', efforts),
    isolation: oneOf('isolation', ['worktree']),
    color: oneOf('color', agentColors),
    initialPrompt: textField(fields, 'initialPrompt'),
  };
  const set = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return { agent: { name, description, prompt, source, ...defined({ file }), ...set }, problems };
}

/** "*" means all, as if the field were not there. */
function toolList(fields: Frontmatter['fields'], name: string): string[] | undefined {
  const list = listField(fields, name);
  return list === undefined || list.length === 0 || list.includes('*') ? undefined : list;
}
