// What teams change about tools that are there without them.
import { type AnyTool } from '../../tool/tool';
import { agentTool } from '../agents/agent';
import { sendMessageTool } from '../agents/send-message';
import { taskCreateTool } from '../tasks/task-create';
import { taskGetTool } from '../tasks/task-get';
import { taskListTool } from '../tasks/task-list';
import { taskUpdateTool } from '../tasks/task-update';
import { teamAgentTool } from './team-agent';
import { teamMessageTool } from './team-message';

/** Members look at the list that they share again and again: its tools are whole. */
const listTools: readonly AnyTool[] = [taskCreateTool, taskUpdateTool, taskGetTool, taskListTool];
const plain: readonly AnyTool[] = [agentTool, sendMessageTool, ...listTools];
const inTeams: readonly AnyTool[] = [
  teamAgentTool,
  teamMessageTool,
  ...listTools.map(({ seldom: _seldom, ...tool }): AnyTool => tool),
];

/** The same tools, those that speak of teammates only where teams are on. */
export function withTeams(tools: readonly AnyTool[], on: boolean): AnyTool[] {
  const wanted = on ? inTeams : plain;
  return tools.map((tool) => wanted.find(({ name }) => name === tool.name) ?? tool);
}
