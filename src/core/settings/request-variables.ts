// The environment variables that steer requests and tool calls, checked: the same in every host.
import { defined } from '../../shared/defined';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { type Effort, efforts } from '../wire/wire';
import { isVendorAddress } from '../model/provider-choice';
import { type ContextManagement, contextManagements } from '../wire/context-edits';
import { isOff, isOn } from '../text/switch-words';
import { defaultRetryPolicy, type RetryPolicy } from '../model/retry-policy';
import { isObject } from '../../shared/plain-object';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface RequestVariables {
  maxOutputTokens?: number;
  /** 0 switches thinking off where the model lets one. */
  maxThinkingTokens?: number;
  maxConcurrentTools?: number;
  retry: RetryPolicy;
  /** Milliseconds until an answer begins. */
  timeoutMs?: number;
  /** Goes into the body of every request. */
  extraBody?: Record<string, unknown>;
  /** What the API may do against a long conversation; who sets it says that the API takes it. */
  contextManagement?: ContextManagement;
  /** No header asks for experimental features. */
  withoutBetas: boolean;
  /** Built-in tools are held to their schemas where the API does that. */
  strictTools: boolean;
  /** Nothing is marked for the API to keep. */
  withoutCaching: boolean;
  /** Only Bash, Read and Edit. */
  simple: boolean;
  toolSearch: ToolSearchMode;
  /** Wins over settings and flags. */
  effort?: Effort;
  /** The same, in tokens. */
  autoCompactWindow?: number;
  /** For one result of an MCP tool. */
  mcpOutputTokens?: number;
  /** How long a call of an MCP tool is waited for before it continues in the background; 0: for ever. */
  mcpBackgroundMs?: number;
  /** Commands, agents and calls are waited for; teammates are not. */
  withoutBackground: boolean;
}

export interface ToolSearchMode {
  /** Tools of MCP servers are loaded by a search: always, never, or where there are many. */
  deferral: 'on' | 'off' | 'auto';
  /** The API may be sent deferred tools: a proxy in between may refuse that. */
  references: boolean;
  /** The user says that it may. */
  certain: boolean;
}

/** Values that are not what they have to be are left out and named in `problems`, as a sentence each. */
export function requestVariables(environment: Variables): { variables: RequestVariables; problems: string[] } {
  const problems: string[] = [];
  const whole = <Name extends string>(name: Name, variable: string, least: number): Partial<Record<Name, number>> => {
    const text = environment[variable]?.trim() ?? '';
    if (text === '') return {};
    if (/^\d{1,9}$/.test(text) && Number(text) >= least)
      return { [name]: Number(text) } as Partial<Record<Name, number>>;
    problems.push(`${variable} takes a whole number from ${least}, not ${JSON.stringify(text)}.`);
    return {};
  };
  const { retries } = whole('retries', 'CLAUDE_CODE_MAX_RETRIES', 0);
  const extraBody = extraBodyOf(environment, problems);
  const variables: RequestVariables = {
    ...whole('maxOutputTokens', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 1),
    ...whole('maxThinkingTokens', 'MAX_THINKING_TOKENS', 0),
    ...whole('maxConcurrentTools', 'CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY', 1),
    ...whole('timeoutMs', 'API_TIMEOUT_MS', 1),
    ...defined({ extraBody }),
    retry: retries === undefined ? defaultRetryPolicy : { ...defaultRetryPolicy, maxAttempts: retries + 1 },
    ...contextManagementOf(environment, problems),
    withoutBetas: isOn(environment['CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS']),
    strictTools: isOn(environment['DEFT_STRICT_TOOLS']),
    withoutCaching: isOn(environment['DISABLE_PROMPT_CACHING']),
    toolSearch: toolSearchMode(environment),
    ...effortOf(environment, problems),
    ...whole('autoCompactWindow', 'CLAUDE_CODE_AUTO_COMPACT_WINDOW', 1),
    ...whole('mcpOutputTokens', 'MAX_MCP_OUTPUT_TOKENS', 1),
    ...whole('mcpBackgroundMs', 'MCP_TOOL_BACKGROUND_MS', 0),
    simple: isOn(environment['CLAUDE_CODE_SIMPLE']),
    withoutBackground: isOn(environment['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS']),
  };
  return { variables, problems };
}

/** Those of them that the client of the model takes. */
export function clientVariables({
  timeoutMs,
  extraBody,
  withoutBetas,
  toolSearch,
  contextManagement,
}: ClientVariables): Omit<ClientVariables, 'toolSearch' | 'contextManagement'> & {
  forced?: Partial<ModelCapabilities>;
} {
  const forced: Partial<ModelCapabilities> = {
    ...(toolSearch.certain ? { toolReferences: true, toolSearch: true } : {}),
    ...(contextManagement === undefined || contextManagement === 'default' || withoutBetas
      ? {}
      : { betas: true, contextEditing: true, thinkingClearing: true, apiCompaction: true }),
  };
  return {
    ...defined({ timeoutMs, extraBody }),
    withoutBetas,
    ...(Object.keys(forced).length > 0 ? { forced } : {}),
  };
}

type ClientVariables = Pick<
  RequestVariables,
  'timeoutMs' | 'extraBody' | 'withoutBetas' | 'toolSearch' | 'contextManagement'
>;

/** By default only the vendor's own address is sent deferred tools; whoever sets ENABLE_TOOL_SEARCH to true knows better. */
function toolSearchMode(environment: Variables): ToolSearchMode {
  const wanted = environment['ENABLE_TOOL_SEARCH']?.trim().toLowerCase() ?? '';
  const ownAddress = isVendorAddress(environment['ANTHROPIC_BASE_URL']);
  return {
    deferral: isOff(wanted) ? 'off' : wanted.startsWith('auto') ? 'auto' : 'on',
    certain: isOn(wanted),
    references: isOn(wanted) || (ownAddress && !isOn(environment['CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS'])),
  };
}

function effortOf(environment: Variables, problems: string[]): Pick<RequestVariables, 'effort'> {
  const text = environment['CLAUDE_CODE_EFFORT_LEVEL']?.trim().toLowerCase() ?? '';
  const effort = efforts.find((one) => one === text);
  if (effort !== undefined) return { effort };
  if (text !== '') problems.push(`CLAUDE_CODE_EFFORT_LEVEL takes ${efforts.join(', ')}, not ${JSON.stringify(text)}.`);
  return {};
}

function contextManagementOf(environment: Variables, problems: string[]): Pick<RequestVariables, 'contextManagement'> {
  const text = environment['DEFT_CONTEXT_MANAGEMENT']?.trim() ?? '';
  const contextManagement = contextManagements.find((one) => one === text);
  if (contextManagement !== undefined) return { contextManagement };
  if (text !== '')
    problems.push(`DEFT_CONTEXT_MANAGEMENT takes ${contextManagements.join(', ')}, not ${JSON.stringify(text)}.`);
  return {};
}

/** Without a model: what a request is made for, and may be made for, is decided before. */
function extraBodyOf(environment: Variables, problems: string[]): Record<string, unknown> | undefined {
  const { model, ...body } = objectOf('CLAUDE_CODE_EXTRA_BODY', environment, problems) ?? {};
  if (model !== undefined) problems.push('CLAUDE_CODE_EXTRA_BODY cannot choose the model: use ANTHROPIC_MODEL.');
  return Object.keys(body).length === 0 ? undefined : body;
}

function objectOf(variable: string, environment: Variables, problems: string[]): Record<string, unknown> | undefined {
  const text = environment[variable]?.trim() ?? '';
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  problems.push(`${variable} takes a JSON object.`);
  return undefined;
}
