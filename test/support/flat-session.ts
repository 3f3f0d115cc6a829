// The settings and features of a session from one flat list, as most tests give what they are about.
import { type ContextSource } from '../../src/core/context/context-source';
import {
  type InitialChoices,
  type PermissionSettings,
  type RequestSettings,
  type SessionPlace,
  type SessionSettings,
  type ToolSettings,
  type TurnSettings,
} from '../../src/core/feature/session-settings';
import { type FeatureFactory } from '../../src/core/feature/session-feature';
import { type BudgetOptions } from '../../src/core/features/budget/budget-feature';
import { type FeatureFacts, standardFeatures } from '../../src/core/features/standard-features';
import { type Ports } from '../../src/core/ports/ports';

export interface FlatSession
  extends
    Pick<SessionSettings, 'log' | 'records' | 'emit' | 'version' | 'registry' | 'checkpoints' | 'secrets'>,
    SessionPlace,
    InitialChoices,
    Omit<PermissionSettings, 'current'>,
    RequestSettings,
    TurnSettings,
    ToolSettings,
    Omit<FeatureFacts, 'sources' | 'budget'> {
  ports: Ports;
  permission: PermissionSettings['current'];
  contextSources?: readonly ContextSource[];
  maxDollars?: BudgetOptions;
}

export interface SessionParts {
  ports: Ports;
  settings: SessionSettings;
  features: FeatureFactory[];
}

const groups = {
  choices: ['model', 'smallModel', 'effort', 'fast', 'thinking'],
  place: ['environment', 'home', 'resultsDirectory'],
  permission: ['mode', 'autoRules'],
  requests: [
    ...['systemPrompt', 'appendSystemPrompt', 'maxOutputTokens', 'maxThinkingTokens', 'thinkingSummaries'],
    ...['cacheLifetime', 'toolSearch', 'contextManagement', 'autoCompact'],
  ],
  turns: ['maxTurns', 'retry', 'silenceMs', 'maxConcurrentTools'],
  tools: [...['writesUnread', 'questionTimeoutMs', 'plansDirectory', 'sandbox', 'mcpOutputTokens', 'mcpBackgroundMs']],
  features: ['hooks', 'startSource', 'setup', 'skills', 'fallback', 'agents', 'findings'],
} as const;

export function sessionParts(flat: FlatSession): SessionParts {
  const { ports, contextSources, maxDollars, permission, ...rest } = flat;
  const taken = new Set<string>(Object.values(groups).flat());
  const group = (names: readonly string[]): object =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !taken.has(name)));
  const settings = {
    ...own,
    place: group(groups.place),
    choices: group(groups.choices),
    permission: { ...group(groups.permission), current: permission },
    requests: group(groups.requests),
    turns: group(groups.turns),
    tools: group(groups.tools),
  } as SessionSettings;
  const facts = { ...group(groups.features), sources: contextSources, budget: maxDollars } as FeatureFacts;
  return { ports, settings, features: standardFeatures(facts) };
}
