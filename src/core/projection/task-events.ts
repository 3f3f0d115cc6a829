// The strip's list of tasks from what tools and a team wrote: of a list that is shared, an older one never takes the place of a newer.
import { type ChatEvent } from '../../shared/chat';
import { type TodoItem } from '../../shared/tool-view';
import { type TaskList, todoItems } from '../tasks/task';

export interface TaskEvents {
  result(output: unknown, items: TodoItem[]): ChatEvent[];
  shared(list: TaskList): ChatEvent[];
}

export function createTaskEvents(): TaskEvents {
  let newest = 0;
  const todosEvent = (revision: number | undefined, todos: TodoItem[]): ChatEvent[] => {
    if (revision !== undefined && revision < newest) return [];
    newest = revision ?? 0;
    return [{ type: 'todos', todos }];
  };
  return {
    result: (output, items) => todosEvent(revisionOf(output), items),
    shared: (list) => todosEvent(list.revision, todoItems(list)),
  };
}

function revisionOf(output: unknown): number | undefined {
  return typeof output === 'object' && output !== null && 'revision' in output && typeof output.revision === 'number'
    ? output.revision
    : undefined;
}
