// The options of the session that an agent is, made from those of the session that starts it.
import { agentMode } from '../../subagents/agent-choices';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { agentHooks } from '../../subagents/agent-hooks';
import notes from '../../subagents/agent-notes.md';
import { isInside } from '../../permissions/rules/workspace-path';
import { type Approver, type Ports, type SessionLog } from '../../ports';
import { type SessionCheckpoints } from '../../ports/checkpoints';
import { type SessionRecord } from '../../ports/record';
import { createToolRegistry } from '../../tools/registry';
import { type AnyTool } from '../../tool/tool';
import { type PermissionMode, type PermissionRule, type PermissionUpdate } from '../../../shared/permission';
import { type AgentLink } from '../../agent/agent-link';
import { type AutoMode } from '../../calls/auto-mode';
import { type PermissionState, withTurnRules } from '../../calls/permission-state';
import { type Emit } from '../../events/session-event';
import { type SessionOptions } from '../../agent/session-options';
import { type SubagentFleet } from './running-agents';
import { type AgentEquipment } from './subagent-equipment';
import { type AgentWorktree } from './subagent-worktree';
import {
  worktreeFiles,
  worktreeFolders,
  worktreeNotebooks,
  type WorktreePlace,
  worktreeRules,
} from '../../subagents/worktree-view';

export interface AgentSessionParts {
  /** Of the session that starts it. */
  parent: SessionOptions;
  permission: PermissionState;
  applyUpdates: (updates: PermissionUpdate[]) => Promise<void>;
  auto: AutoMode;
  fleet: SubagentFleet;
  hooksExport: () => boolean;
  cwd: string;
  equipment: AgentEquipment;
  definition: AgentDefinition;
  id: string;
  depth: number;
  model: string;
  tools: readonly AnyTool[];
  /** They deny, beside those of its session. */
  bound: readonly PermissionRule[];
  log: SessionLog;
  records: SessionRecord[];
  emit: Emit;
}

export function agentSessionOptions(parts: AgentSessionParts): SessionOptions {
  const { parent, definition, id, model, cwd, equipment } = parts;
  const { place, memory, servers } = equipment;
  const { maxTurns: _turns, startSource: _source, contextSources = [], hooks, effort, ...rest } = parent;
  const { gitBranch: parentBranch, ...environment } = {
    ...parent.environment,
    cwd,
    ...(place === undefined ? {} : { folders: worktreeFolders(parent.environment.folders, place.worktree) }),
  };
  const gitBranch = place === undefined ? parentBranch : place.worktree.branch;
  const label = { id, name: definition.name };
  const own = agentHooks(definition);
  const chosen = definition.effort ?? effort;
  return {
    ...rest,
    ports: {
      ...parent.ports,
      ...apart(parent.ports, place),
      ...(servers === undefined ? {} : { mcp: servers }),
      approver: namingApprover(parent.ports.approver, label),
    },
    registry: createToolRegistry(parts.tools),
    log: parts.log,
    records: parts.records,
    emit: parts.emit,
    model,
    mode: agentMode(definition, parts.permission.mode),
    ...(chosen === undefined ? {} : { effort: chosen }),
    ...(definition.maxTurns === undefined ? {} : { maxTurns: definition.maxTurns }),
    systemPrompt: `${[definition.prompt, notes.trim(), ...(memory === undefined ? [] : [memory.note]), ...(place === undefined ? [] : [place.note])].join('\n\n')}`,
    contextSources:
      definition.bare === true
        ? []
        : [...contextSources.map((source) => source.narrowed?.(parts.tools) ?? source), ...equipment.sources],
    environment: definition.bare === true || gitBranch === undefined ? environment : { ...environment, gitBranch },
    ...(hooks === undefined ? {} : { hooks: own === undefined ? hooks : own(hooks) }),
    // What it is told is no command, whatever it begins with.
    ...(parent.skills === undefined
      ? {}
      : { skills: { ...parent.skills, plainPrompts: true, preloaded: definition.skills ?? [] } }),
    checkpoints: parent.checkpoints === undefined ? undefined : underParent(parent.checkpoints, place?.worktree),
    agent: linkOf(parts),
  };
}

function linkOf({
  parent,
  definition,
  id,
  depth,
  bound,
  fleet,
  auto,
  permission,
  applyUpdates,
  hooksExport,
  equipment,
}: AgentSessionParts): AgentLink {
  /** What was chosen inside the agent stands in place of what its file says; it never asks less than its starter for that. */
  let own: Pick<AgentDefinition, 'permissionMode' | 'source'> = definition;
  const setMode = (mode: PermissionMode): void => void (own = { permissionMode: mode, source: 'user' });
  const mode = (): PermissionMode => agentMode(own, permission.mode);
  return {
    id,
    type: definition.name,
    bare: definition.bare === true,
    depth,
    sessionId: parent.agent?.sessionId ?? parent.log.id,
    transcript: parent.agent?.transcript ?? parent.log.path,
    fleet,
    hooksExport,
    bound,
    auto,
    permission: {
      get mode() {
        return mode();
      },
      async apply(updates) {
        const shared = updates.filter((update) => update.type !== 'setMode');
        for (const update of updates) if (update.type === 'setMode') setMode(update.mode);
        if (shared.length > 0) await applyUpdates(shared);
      },
      setMode,
      context: (cwd) => {
        const { place, memory } = equipment;
        const { agentMemory: _others, ...shared } = withTurnRules(permission.context(cwd), bound);
        const context = { ...shared, mode: mode(), ...(memory === undefined ? {} : { agentMemory: memory }) };
        if (place === undefined) return context;
        const { worktree } = place;
        return {
          ...context,
          worktree: worktree.path,
          folders: worktreeFolders(context.folders, worktree),
          rules: worktreeRules(context.rules, worktree, context.home),
        };
      },
    },
  };
}

/** The person sees who asks; to reject a call without a reason ends the call, not the agent. */
function namingApprover(approver: Approver, agent: { id: string; name: string }): Approver {
  return {
    async ask(request, signal, stillNeeded) {
      const decision = await approver.ask({ ...request, agent: request.agent ?? agent }, signal, stillNeeded);
      if (decision.behavior === 'allow' || !decision.interrupt) return decision;
      const message =
        decision.message ??
        'nothing. Do not try it another way; finish what does not need it, and say in your report what was not done.';
      return { ...decision, interrupt: false, message };
    },
  };
}

/** In a worktree it writes what nobody reviews in the editor. */
function apart({ files, notebooks }: Ports, place: AgentWorktree | undefined): Partial<Ports> {
  if (place === undefined) return {};
  return {
    files: worktreeFiles(files, place.worktree),
    ...(notebooks === undefined ? {} : { notebooks: worktreeNotebooks(notebooks, place.worktree) }),
  };
}

/** What an agent changes lies under the prompt of the conversation: a rewind to it covers both, but for files in a worktree of the agent's own. */
function underParent(checkpoints: SessionCheckpoints, worktree?: WorktreePlace): SessionCheckpoints {
  return {
    prompt: () => undefined,
    before: (call) =>
      checkpoints.before(
        worktree === undefined
          ? call
          : { ...call, files: call.files.filter((file) => !isInside(file, worktree.path, worktree.ignoreCase)) },
      ),
    points: () => checkpoints.points(),
    preview: (to) => checkpoints.preview(to),
    rewind: (to, steps) => checkpoints.rewind(to, steps),
    changedBy: (id) => checkpoints.changedBy(id),
    bytes: (state) => checkpoints.bytes(state),
    follow: () => undefined,
    copyTo: (session) => checkpoints.copyTo(session),
    close: async () => undefined,
  };
}
