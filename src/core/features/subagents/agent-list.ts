// Which list of tasks an agent keeps: that of its session, or TodoWrite where its own file asks for it.
import { namesTool } from '../../subagents/tool-filter';
import { namesTodos, taskToolNames } from '../../tasks/task-lists';
import { type AnyTool } from '../../tool/tool';
import { todoWriteTool } from '../../tools/tasks/todo-write';

/** Never both, and no list where the session has none. */
export function withOwnList(
  tools: readonly AnyTool[],
  wanted: readonly string[] | undefined,
  isDenied: (name: string) => boolean,
): AnyTool[] {
  const isTask = ({ name }: AnyTool): boolean => taskToolNames.some((one) => one === name);
  const asks = wanted !== undefined && namesTodos((name) => namesTool(wanted, name));
  if (!asks || !tools.some(isTask)) return [...tools];
  const others = tools.filter((tool) => !isTask(tool));
  return isDenied(todoWriteTool.name) ? others : [...others, todoWriteTool];
}
