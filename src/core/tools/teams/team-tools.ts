// What teams change about tools that are there without them.
import { type AnyTool } from '../../tool/tool';
import { agentTool } from '../agents/agent';
import { sendMessageTool } from '../agents/send-message';
import { teamAgentTool } from './team-agent';
import { teamMessageTool } from './team-message';

const plain: readonly AnyTool[] = [agentTool, sendMessageTool];
const inTeams: readonly AnyTool[] = [teamAgentTool, teamMessageTool];

/** The same tools, those that speak of teammates only where teams are on. */
export function withTeams(tools: readonly AnyTool[], on: boolean): AnyTool[] {
  const wanted = on ? inTeams : plain;
  return tools.map((tool) => wanted.find(({ name }) => name === tool.name) ?? tool);
}
