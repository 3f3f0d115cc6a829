// Every beta of the Messages API that Deft knows: who takes it, for which models, and which field of a request needs it.
// Sources, read 2026-11-22: the beta names of the vendor's SDK 1.12.0 (resources/beta/beta.d.ts) and its pages of each feature.
import { type ModelCapabilities, type ProviderId } from '../wire/model-capabilities';
import { hasLongWindow, modelFacts } from './models';
import { type Message, type ModelRequest } from '../wire/wire';

export interface Beta {
  name: string;
  /** `auto`: is sent along when a field needs it; `off`: only when a user or a caller names it; `ended`: what it opened is open to all. */
  state: 'auto' | 'off' | 'ended';
  what: string;
  /** For `auto` ones. */
  needs?: (request: ModelRequest) => boolean;
  /** Where the vendor's pages offer it; absent: wherever betas are taken. */
  providers?: readonly ProviderId[];
}

export const editingBeta = 'context-management-2025-06-27';
export const compactionBeta = 'compact-2026-01-12';
export const fastModeBeta = 'fast-mode-2026-02-01';
export const interleavedThinkingBeta = 'interleaved-thinking-2025-05-14';
export const thinkingBindingBeta = 'thinking-binding-controls-2026-08-01';

/** Its blocks need the header too, wherever they stand and whether or not another one is asked for. */
export function holdsCompaction(messages: readonly Message[]): boolean {
  return messages.some(
    ({ role, content }) => role === 'assistant' && content.some(({ type }) => type === 'compaction'),
  );
}

const edits = (request: ModelRequest, type: RegExp): boolean =>
  request.context_management?.edits.some((edit) => type.test(edit.type)) === true;
const off = (name: string, what: string): Beta => ({ name, state: 'off', what });
const ended = (name: string, what: string): Beta => ({ name, state: 'ended', what });

export const betas: readonly Beta[] = [
  {
    name: editingBeta,
    state: 'auto',
    what: 'clears old tool results and thinking',
    needs: (request) => edits(request, /^clear_/),
  },
  {
    name: compactionBeta,
    state: 'auto',
    what: 'server-side compaction',
    needs: (request) => edits(request, /^compact_/) || holdsCompaction(request.messages),
  },
  {
    name: fastModeBeta,
    state: 'auto',
    what: 'fast mode, for models that still need a header',
    needs: ({ speed, model }) => speed !== undefined && modelFacts(model).fast !== 'released',
    providers: ['anthropic', 'gateway'],
  },
  {
    name: 'context-1m-2025-08-07',
    state: 'auto',
    what: 'the long context window of Sonnet 4 and 4.5, for models named with [1m]; newer models have it anyway',
    needs: ({ model }) => hasLongWindow(model) && modelFacts(model).longWindow !== undefined,
  },
  {
    name: interleavedThinkingBeta,
    state: 'auto',
    what: 'interleaved thinking with a token budget; adaptive thinking includes it',
    needs: ({ thinking, model }) => thinking?.type === 'enabled' && modelFacts(model).interleavedThinking === true,
  },
  {
    name: thinkingBindingBeta,
    state: 'auto',
    what: 'controls what happens to thinking after the conversation changed',
    needs: ({ thinking }) => thinking?.type === 'adaptive' && thinking.block_binding !== undefined,
    providers: ['anthropic', 'gateway'],
  },

  off('server-side-fallback-2026-07-01', 'server-side fallback to another model after a refusal'),
  off('server-side-fallback-2026-06-01', 'server-side fallback, first version'),
  off('fallback-credit-2026-07-01', 'credit for a refused reply'),
  off('fallback-credit-2026-06-01', 'credit for a refused reply, first version'),
  off('mid-conversation-tool-changes-2026-07-01', 'changes tools between turns'),
  off('mid-conversation-output-config-2026-07-01', 'changes the effort for one message'),
  off('mid-conversation-system-clear-at-2026-08-21', 'system messages for one turn'),
  off('thinking-display-updates-2026-08-18', 'short progress notes within thinking'),
  off('thinking-token-count-2026-05-13', 'counts thinking tokens while they stream'),
  off('cache-diagnosis-2026-04-07', 'explains cache misses'),
  off('task-budgets-2026-03-13', 'a token budget that the model sees'),
  off('compact-2026-09-04', 'second version of server-side compaction'),
  off('inline-tools-2026-09-15', 'tools defined in messages'),
  off('advisor-tool-2026-03-01', 'a second model that gives advice'),
  off('agent-memory-2026-07-22', 'server-side memory'),
  off('mcp-client-2025-11-20', 'server-side MCP client; Deft connects to servers itself'),
  off('mcp-client-2025-04-04', 'server-side MCP client, first version'),
  off('mcp-client-2026-09-15', 'server-side MCP client, third version'),
  off('files-api-2025-04-14', 'server-side files'),
  off('skills-2025-10-02', 'server-side skills'),
  off('code-execution-2025-05-22', 'server-side code execution'),
  off('output-300k-2026-03-24', 'longer batch output'),
  off('computer-use-2025-11-24', 'computer use'),
  off('computer-use-2025-01-24', 'computer use, second version'),
  off('computer-use-2024-10-22', 'computer use, first version'),
  off('dev-full-thinking-2025-05-14', 'unabridged thinking, by agreement with the vendor'),
  off('message-threads-2026-08-12', 'server-side conversations'),
  ...[
    'user-profiles-2026-03-24',
    'user-profiles-2026-08-18',
    'user-profiles-2026-09-04',
    'user-profiles-billing-2026-10-01',
    'managed-agents-2026-04-01',
    'dreaming-2026-04-21',
    'mcp-tunnels-2026-06-22',
    'ce-plugins-2026-09-01',
    'spend-limit-reads-2026-09-26',
    'telemetry-destinations-2026-08-11',
    'webhooks-2026-10-07',
    'admin-user-sign-out-2026-10-08',
    'analytics-usage-cost-2026-08-24',
    'experimental-claude-tag-2026-10-21',
    'ce-user-management-2026-07-13',
    'ce-claude-code-managed-settings-2026-10-06',
  ].map((name) => off(name, 'not part of the Messages API')),

  ended('model-context-window-exceeded-2025-08-26', 'a stop reason for a full context window'),
  ended('token-efficient-tools-2025-02-19', 'shorter tool calls'),
  ended('output-128k-2025-02-19', 'longer output'),
  ended('extended-cache-ttl-2025-04-11', 'one-hour prompt cache'),
  ended('structured-outputs-2025-11-13', 'structured output and strict tools'),
  ended('prompt-caching-2024-07-31', 'prompt cache'),
  ended('pdfs-2024-09-25', 'PDF'),
  ended('token-counting-2024-11-01', 'token counting'),
  ended('message-batches-2024-09-24', 'batches'),
];

const byName = new Map(betas.map((beta) => [beta.name, beta]));

/** What a fitted request needs, then what it names beyond the table's own choice. Empty where none are taken. */
export function betasFor(request: ModelRequest, can: Pick<ModelCapabilities, 'betas'>): string[] {
  if (!can.betas) return [];
  const needed = betas.filter(({ needs }) => needs?.(request) === true).map(({ name }) => name);
  const named = (request.betas ?? []).filter((name) => byName.get(name)?.state !== 'auto');
  return [...new Set([...needed, ...named])];
}
