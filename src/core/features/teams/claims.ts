// Who may do what with the tasks of a team: the first to claim one has it, the lead may give it to another.
import { type TaskPatch } from '../../tasks/change-tasks';
import { type TaskList } from '../../tasks/task';

/** Undefined where `self` may make the change. */
export function claimProblem({ tasks }: TaskList, id: string, patch: TaskPatch, self: string): string | undefined {
  const owner = tasks.find((task) => task.id === id)?.owner;
  if (owner === undefined || owner === self) return undefined;
  if (patch.owner === undefined && patch.status === undefined) return undefined;
  return `#${id} already belongs to ${owner}. Nothing was changed. Take another task, or message ${owner}.`;
}

/** Who begins with a task that is nobody's, or has done it, has claimed it. */
export function withClaim({ tasks }: TaskList, id: string, patch: TaskPatch, self: string): TaskPatch {
  const task = tasks.find((one) => one.id === id);
  const works = patch.status === 'in_progress' || patch.status === 'completed';
  return works && patch.owner === undefined && task?.owner === undefined ? { ...patch, owner: self } : patch;
}
