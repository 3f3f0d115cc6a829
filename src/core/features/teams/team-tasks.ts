// The list of tasks that a team shares: the first to claim a task has it, the lead may give it to another.
import { defined } from '../../../shared/defined';
import { type SessionAccess } from '../../feature/session-feature';
import { tasksFromRecords } from '../../sessions/tasks-from-records';
import { type TaskPatch } from '../../tasks/change-tasks';
import { type SessionTasks } from '../../tasks/session-tasks';
import { type TaskList } from '../../tasks/task';
import { type Problem } from '../../tool/session-team';
import { leadName, type TeamMembers } from './team-members';
import { type Teammate } from './teammate';

/** Those of a teammate, undefined for the lead: the team's while there is one, else its `own`. */
export function teamTasks(
  { settings, writer }: Pick<SessionAccess, 'settings' | 'writer'>,
  team: TeamMembers,
  mate: Teammate | undefined,
  own: SessionTasks,
): SessionTasks {
  const self = mate?.name ?? leadName;
  return {
    list: () => (team.teamName === undefined ? own.list() : tasksFromRecords(settings.records)),
    refuses: (event, task, signal) =>
      own.refuses(event, task, signal, defined({ teammate_name: mate?.name, team_name: team.teamName })),
    judge: (list, id, patch) => (team.teamName === undefined ? { patch } : judged(list, id, patch, self)),
    share: (list, { task, before }) => {
      if (team.teamName === undefined) return list;
      const shared = { ...list, revision: (list.revision ?? 0) + 1 };
      writer.write({ type: 'system', subtype: 'task_list', ...shared });
      const isNew = task.owner !== undefined && task.owner !== before?.owner && task.owner !== self;
      const owner = isNew ? team.mates.get(task.owner ?? '') : undefined;
      const text = `Task #${task.id} is yours now: ${task.subject}\n\n${task.description}`.trim();
      const summary = `Task #${task.id} is yours`;
      owner?.agent.run?.steer(team.prompt(mate, { to: owner.name, text, summary, kind: 'message' }));
      return shared;
    },
  };
}

/** Starting or completing a task that has no owner claims it; what has another owner only the lead changes. */
function judged({ tasks }: TaskList, id: string, patch: TaskPatch, self: string): { patch: TaskPatch } | Problem {
  const owner = tasks.find((task) => task.id === id)?.owner;
  const moves = patch.owner !== undefined || patch.status !== undefined;
  if (moves && owner !== undefined && owner !== self && self !== leadName)
    return {
      problem: `#${id} already belongs to ${owner}. Nothing was changed. Take another task, or message ${owner}.`,
    };
  const works = patch.status === 'in_progress' || patch.status === 'completed';
  return { patch: works && owner === undefined && patch.owner === undefined ? { ...patch, owner: self } : patch };
}
