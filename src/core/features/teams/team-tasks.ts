// The list of tasks that a team shares: the first to claim a task has it, the lead may give it to another.
import { type SessionAccess } from '../../feature/session-feature';
import { letterText } from '../../sessions/mail-text';
import { tasksFromRecords } from '../../sessions/tasks-from-records';
import { type TaskPatch } from '../../tasks/change-tasks';
import { type SessionTasks } from '../../tasks/session-tasks';
import { type TaskList } from '../../tasks/task';
import { leadName } from '../../teams/team';
import { taskPrompt } from '../subagents/subagent-texts';
import { type TeamPost } from './team-post';
import { type TeamRoster } from './team-roster';
import { type Teammate } from './teammate';

/** Those of a teammate, undefined for the lead: the team's while there is one, else its `own`. */
export function teamTasks(
  { settings, writer }: Pick<SessionAccess, 'settings' | 'writer'>,
  { roster, post }: { roster: TeamRoster; post: TeamPost },
  mate: Teammate | undefined,
  own: SessionTasks,
): SessionTasks {
  const self = mate?.name ?? leadName;
  const hookFields = (): Record<string, unknown> => {
    if (mate !== undefined) return { teammate_name: mate.name, team_name: mate.team };
    return roster.teamName === undefined ? {} : { team_name: roster.teamName };
  };
  return {
    list: () => (roster.teamName === undefined ? own.list() : tasksFromRecords(settings.records)),
    refuses: (event, task, signal) => own.refuses(event, task, signal, hookFields()),
    judge: (list, id, patch) => {
      if (roster.teamName === undefined) return { patch };
      const problem = mate === undefined ? undefined : claimProblem(list, id, patch, self);
      return problem === undefined ? { patch: withClaim(list, id, patch, self) } : { problem };
    },
    share: (list, { task, before }) => {
      if (roster.teamName === undefined) return list;
      const shared = { ...list, revision: (list.revision ?? 0) + 1 };
      writer.write({ type: 'system', subtype: 'task_list', ...shared });
      const isNew = task.owner !== undefined && task.owner !== before?.owner && task.owner !== self;
      const owner = isNew ? roster.named(task.owner ?? '') : undefined;
      const text = `Task #${task.id} is yours now: ${task.subject}\n\n${task.description}`.trim();
      if (owner !== undefined && !roster.isOver(owner))
        owner.take(taskPrompt(letterText(post.letter(mate, text, `Task #${task.id} is yours`))));
      return shared;
    },
  };
}

/** Undefined where `self` may make the change. */
function claimProblem({ tasks }: TaskList, id: string, patch: TaskPatch, self: string): string | undefined {
  const owner = tasks.find((task) => task.id === id)?.owner;
  if (owner === undefined || owner === self) return undefined;
  if (patch.owner === undefined && patch.status === undefined) return undefined;
  return `#${id} already belongs to ${owner}. Nothing was changed. Take another task, or message ${owner}.`;
}

/** Starting or completing a task that has no owner claims it. */
function withClaim({ tasks }: TaskList, id: string, patch: TaskPatch, self: string): TaskPatch {
  const task = tasks.find((one) => one.id === id);
  const works = patch.status === 'in_progress' || patch.status === 'completed';
  return works && patch.owner === undefined && task?.owner === undefined ? { ...patch, owner: self } : patch;
}
