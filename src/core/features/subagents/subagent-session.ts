// The session that an agent is, as it is opened: made of what the session that starts it has.
import { defined } from '../../../shared/defined';
import { agentMode } from '../../subagents/agent-choices';
import { type AgentDefinition } from '../../subagents/agent-definition';
import notes from './agent-notes.md';
import { isInside } from '../../permissions/rules/workspace-path';
import { type Approver } from '../../ports/approver';
import { type Ports } from '../../ports/ports';
import { type SessionLog } from '../../ports/session-store';
import { type SessionCheckpoints } from '../../ports/checkpoints';
import { type SessionRecord } from '../../ports/record';
import { createToolRegistry } from '../../tools/registry';
import { type AnyTool } from '../../tool/tool';
import { type PermissionMode, type PermissionRule } from '../../../shared/permission';
import { withTurnRules } from '../../calls/permission-state';
import { type Emit } from '../../events/session-event';
import { type SessionAccess } from '../../feature/session-feature';
import { type AgentLink, type SessionPlace } from '../../feature/session-settings';
import { type Environment } from '../../text/environment-reminder';
import { neutralText } from '../../text/system-reminder';
import { type AgentOpening } from './agent-team';
import { type AgentEquipment } from './subagent-equipment';
import { type AgentWorktree } from './subagent-worktree';
import {
  worktreeFiles,
  worktreeFolders,
  worktreeNotebooks,
  type WorktreePlace,
  worktreeRules,
} from '../../subagents/worktree-view';
import { offeredText, type Offers, type Words } from '../../text/words';

export interface AgentSessionParts {
  definition: AgentDefinition;
  id: string;
  /** For the user, where it asks something. */
  label: { id: string; name: string };
  depth: number;
  model: string;
  tools: readonly AnyTool[];
  equipment: AgentEquipment;
  /** They deny, in addition to those of its session. */
  bound: readonly PermissionRule[];
  log: SessionLog;
  records: SessionRecord[];
  emit: Emit;
}

/** `parent`: the session that starts it. */
export function agentOpening(parts: AgentSessionParts, parent: SessionAccess): AgentOpening {
  const { definition, equipment } = parts;
  const { settings } = parent;
  const { place, memory, servers } = equipment;
  const effort = definition.effort ?? settings.choices.effort;
  const { maxTurns: _turns, ...turns } = settings.turns ?? {};
  // What Deft says in the notes about its reminders holds for what the agent's file says too.
  const more = [notes.trim(), memory?.note, place?.note].filter((text) => text !== undefined);
  const systemPrompt: Words = (offers) => [ownPrompt(definition, offers), ...more].join('\n\n');
  return {
    ports: {
      ...parent.ports,
      ...apart(parent.ports, place),
      ...defined({ mcp: servers }),
      approver: namingApprover(parent.ports.approver, parts.label),
    },
    settings: {
      ...settings,
      registry: createToolRegistry(parts.tools),
      log: parts.log,
      records: parts.records,
      emit: parts.emit,
      place: placeOf(parts, parent),
      choices: {
        ...settings.choices,
        model: parts.model,
        thinking: parent.choices.thinking,
        ...defined({ effort }),
      },
      permission: { ...settings.permission, mode: agentMode(definition, parent.permission.mode) },
      requests: { ...settings.requests, systemPrompt },
      turns: { ...turns, ...defined({ maxTurns: definition.maxTurns }) },
      checkpoints: settings.checkpoints === undefined ? undefined : underParent(settings.checkpoints, place?.worktree),
      agent: linkOf(parts, parent),
    },
    features: parent.featuresOf({ definition, tools: parts.tools, sources: equipment.sources }),
  };
}

/** The prompts of Deft's own agents are templates. */
function ownPrompt({ source, prompt }: AgentDefinition, offers: Offers): string {
  return source === 'builtIn' ? offeredText(prompt, offers) : neutralText(prompt);
}

/** In a worktree of its own, the hooks are still those of the project. */
function placeOf(parts: AgentSessionParts, parent: SessionAccess): SessionPlace {
  const { place } = parent.settings;
  const environment = environmentOf(parts, parent);
  const project = place.project ?? place.environment.folders[0];
  return parts.equipment.place === undefined || project === undefined
    ? { ...place, environment }
    : { ...place, environment, project };
}

function environmentOf(
  { definition, equipment }: AgentSessionParts,
  { settings, session }: SessionAccess,
): Environment {
  const { place } = equipment;
  const { gitBranch: parentBranch, ...shared } = settings.place.environment;
  const environment = {
    ...shared,
    cwd: place?.cwd ?? session.cwd,
    ...defined({ folders: place && worktreeFolders(shared.folders, place.worktree) }),
  };
  const gitBranch = place === undefined ? parentBranch : place.worktree.branch;
  return definition.builtIn?.bare === true || gitBranch === undefined ? environment : { ...environment, gitBranch };
}

function linkOf(
  { definition, id, depth, bound, equipment }: AgentSessionParts,
  { settings, permission: shared }: SessionAccess,
): AgentLink {
  const { agent, log } = settings;
  /** What was chosen inside the agent stands in place of what its file says; it never asks less than its starter for that. */
  let own: Pick<AgentDefinition, 'permissionMode' | 'source'> = definition;
  const setMode = (mode: PermissionMode): void => void (own = { permissionMode: mode, source: 'user' });
  const mode = (): PermissionMode => agentMode(own, shared.mode);
  return {
    id,
    type: definition.name,
    bare: definition.builtIn?.bare === true,
    depth,
    sessionId: agent?.sessionId ?? log.id,
    transcript: agent?.transcript ?? log.path,
    bound,
    auto: shared.auto,
    permission: {
      get mode() {
        return mode();
      },
      async apply(updates) {
        const others = updates.filter((update) => update.type !== 'setMode');
        for (const update of updates) if (update.type === 'setMode') setMode(update.mode);
        if (others.length > 0) await shared.applyUpdates(others);
      },
      setMode,
      context: (cwd) => {
        const { place, memory } = equipment;
        const { agentMemory: _others, ...granted } = withTurnRules(shared.state.context(cwd), bound);
        const context = { ...granted, mode: mode(), isAgent: true, ...defined({ agentMemory: memory }) };
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

/** The user sees who asks; to reject a call without a reason ends the call, not the agent. */
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
    ...defined({ notebooks: notebooks && worktreeNotebooks(notebooks, place.worktree) }),
  };
}

/** What an agent changes belongs to the conversation's prompt: a rewind to it covers both, except for files in the agent's own worktree. */
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
    leftByCommands: (undone) => checkpoints.leftByCommands(undone),
    rewind: (to, steps) => checkpoints.rewind(to, steps),
    changedBy: (id) => checkpoints.changedBy(id),
    bytes: (state) => checkpoints.bytes(state),
    follow: () => undefined,
    copyTo: (session) => checkpoints.copyTo(session),
    close: async () => undefined,
  };
}
