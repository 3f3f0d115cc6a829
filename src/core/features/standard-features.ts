// What a session of Deft can do: the features that both hosts list, in the order in which they are asked.
import { type ContextSource } from '../context/context-source';
import { type FeatureFactory } from '../feature/session-feature';
import { type FallbackOptions } from '../settings/fallback-models';
import { type FindingFacts } from '../tool/session-findings';
import { type SessionSkillOptions } from '../skills/skill-options';
import { backgroundFeature } from './background/background-feature';
import { budgetFeature, type BudgetOptions } from './budget/budget-feature';
import { commentsFeature } from './comments/comments-feature';
import { compactionFeature } from './compaction/compaction-feature';
import { sourceFeature } from './context/source-feature';
import { debuggingFeature } from './debugging/debugging-feature';
import { displayFeature } from './display/display-feature';
import { fallbackFeature } from './fallback/fallback-feature';
import { fileChangesFeature } from './file-changes/file-changes-feature';
import { goalFeature } from './goal/goal-feature';
import { hooksFeature } from './hooks/hooks-feature';
import { type SessionHookOptions } from './hooks/session-hooks';
import { lightLogFeature } from './light-log/light-log-feature';
import { mcpFeature } from './mcp/mcp-feature';
import { proofFeature } from './proof/proof-feature';
import { repeatsFeature } from './repeats/repeats-feature';
import { startFeature } from './start/start-feature';
import { sideQuestionsFeature } from './side-questions/side-questions-feature';
import { skillsFeature } from './skills/skills-feature';
import { type AgentHost } from './subagents/agent-host';
import { subagentsFeature } from './subagents/subagents-feature';
import { teamsFeature } from './teams/teams-feature';
import { toolSearchFeature } from './tool-search/tool-search-feature';

/** What a host supplies for them; what it leaves out is not a feature of its sessions. */
export interface FeatureFacts extends SessionHookOptions {
  /** What the model is sent in addition to the environment: memory, an output style. */
  sources?: readonly ContextSource[] | undefined;
  budget?: BudgetOptions | undefined;
  /** Without it a message that begins with a slash is a message. */
  skills?: SessionSkillOptions | undefined;
  /** Models that may answer where the chosen one does not; asked each time. */
  fallback?: (() => FallbackOptions) | undefined;
  /** Without it, no agents can be started. */
  agents?: AgentHost | undefined;
  /** How often in a row a model may make the same call with the same result before the user is asked. */
  maxRepeats?: number | undefined;
  /** Why no turn may start now; left out where the host has asked itself. */
  startRefusal?: (() => string | undefined) | undefined;
  /** Without it, what a review finds is words of the agent. */
  findings?: FindingFacts | undefined;
}

export function standardFeatures({
  sources = [],
  budget,
  skills,
  fallback,
  agents,
  maxRepeats,
  startRefusal,
  findings,
  ...hooks
}: FeatureFacts): FeatureFactory[] {
  return [
    ...(startRefusal === undefined ? [] : [startFeature(startRefusal)]),
    ...(budget === undefined ? [] : [budgetFeature(budget)]),
    ...sources.map((source, at) => sourceFeature(`source-${at}`, source)),
    toolSearchFeature,
    mcpFeature,
    ...(skills === undefined ? [] : [skillsFeature(skills, hooks.hooks)]),
    hooksFeature(hooks),
    fileChangesFeature,
    repeatsFeature(maxRepeats),
    displayFeature,
    fallbackFeature(fallback),
    compactionFeature,
    lightLogFeature,
    sideQuestionsFeature,
    goalFeature,
    proofFeature,
    debuggingFeature,
    commentsFeature(findings),
    backgroundFeature,
    ...(agents === undefined ? [] : [teamsFeature, subagentsFeature(agents)]),
  ];
}
