// Changes of the list of tasks: each gives a new list, or a sentence that says why not.
import { defined } from '../../shared/defined';
import { named, openBlockers, type Task, type TaskList } from './task';

export interface NewTask {
  subject: string;
  description: string;
  activeForm?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface TaskPatch {
  subject?: string | undefined;
  description?: string | undefined;
  activeForm?: string | undefined;
  /** Empty: nobody's again. */
  owner?: string | undefined;
  status?: Task['status'] | 'deleted' | undefined;
  /** Null takes a key away. */
  metadata?: Record<string, unknown> | undefined;
  addBlocks?: readonly string[] | undefined;
  addBlockedBy?: readonly string[] | undefined;
}

export type Changed = { list: TaskList; task: Task } | { problem: string };

export function addTask(
  list: TaskList,
  { subject, description, activeForm, metadata }: NewTask,
): { list: TaskList; task: Task } {
  const id = list.lastId + 1;
  const task: Task = {
    id: `${id}`,
    subject,
    description,
    status: 'pending',
    blocks: [],
    blockedBy: [],
    ...defined({ activeForm, metadata }),
  };
  return { list: { ...list, tasks: [...list.tasks, task], lastId: id }, task };
}

export function updateTask(list: TaskList, id: string, patch: TaskPatch): Changed {
  const before = list.tasks.find((task) => task.id === id);
  if (before === undefined) return { problem: unknownTask(id, list) };
  const { addBlocks = [], addBlockedBy = [] } = patch;
  const missing = [...addBlocks, ...addBlockedBy].find((other) => !list.tasks.some((task) => task.id === other));
  if (missing !== undefined) return { problem: unknownTask(missing, list) };
  const linked = withLinks(list.tasks, [
    ...addBlocks.map((other): Link => [id, other]),
    ...addBlockedBy.map((other): Link => [other, id]),
  ]);
  const circle = circleIn(linked);
  if (circle !== undefined)
    return {
      problem: `Then ${named(circle)} would wait for each other forever. Nothing was changed; leave out one of these links.`,
    };
  if (patch.status === 'deleted') return { list: { ...list, tasks: without(linked, id) }, task: before };
  const tasks = linked.map((task) => (task.id === id ? patched(task, patch) : task));
  const task = tasks.find((one) => one.id === id) ?? before;
  const open = openBlockers(task.blockedBy, tasks);
  if ((patch.status === 'in_progress' || patch.status === 'completed') && open.length > 0) {
    return {
      problem: `#${id} waits for ${named(open)}, which ${open.length === 1 ? 'is' : 'are'} not completed. Nothing was changed; do ${open.length === 1 ? 'that' : 'those'} first.`,
    };
  }
  return { list: { ...list, tasks }, task };
}

export function unknownTask(id: string, { tasks }: TaskList): string {
  return `There is no task #${id}. ${tasks.length === 0 ? 'The list is empty.' : `There are ${named(tasks.map((task) => task.id))}.`}`;
}

/** The first blocks the second. */
type Link = readonly [string, string];

function withLinks(tasks: readonly Task[], links: readonly Link[]): Task[] {
  const added = (ids: readonly string[], more: readonly string[]): string[] => [...new Set([...ids, ...more])];
  return tasks.map((task) => ({
    ...task,
    blocks: added(
      task.blocks,
      links.flatMap(([first, second]) => (first === task.id ? [second] : [])),
    ),
    blockedBy: added(
      task.blockedBy,
      links.flatMap(([first, second]) => (second === task.id ? [first] : [])),
    ),
  }));
}

/** Tasks that wait for each other, in order; undefined if there are none. */
function circleIn(tasks: readonly Task[]): string[] | undefined {
  const blocks = new Map(tasks.map((task) => [task.id, task.blocks]));
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(id)) return path.slice(path.indexOf(id));
    if (done.has(id)) return undefined;
    for (const next of blocks.get(id) ?? []) {
      const found = visit(next, [...path, id]);
      if (found !== undefined) return found;
    }
    done.add(id);
    return undefined;
  };
  for (const { id } of tasks) {
    const found = visit(id, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function without(tasks: readonly Task[], id: string): Task[] {
  const others = (ids: readonly string[]): string[] => ids.filter((one) => one !== id);
  return tasks
    .filter((task) => task.id !== id)
    .map((task) => ({ ...task, blocks: others(task.blocks), blockedBy: others(task.blockedBy) }));
}

function patched(task: Task, { subject, description, activeForm, owner, status, metadata }: TaskPatch): Task {
  const merged =
    metadata === undefined
      ? task.metadata
      : Object.fromEntries(Object.entries({ ...task.metadata, ...metadata }).filter(([, value]) => value !== null));
  const { metadata: _, owner: before, ...rest } = task;
  const now = owner ?? before ?? '';
  return {
    ...rest,
    ...defined({ subject, description, activeForm }),
    ...(now === '' ? {} : { owner: now }),
    ...(status === undefined || status === 'deleted' ? {} : { status }),
    ...defined({ metadata: merged }),
  };
}
