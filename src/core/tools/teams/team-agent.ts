// Agent where teams are on: with a name it starts a teammate of the team that there is.
import { z } from 'zod/v3';
import { agentInputSchema, agentTool } from '../agents/agent';
import { agentOutputSchema } from '../agents/agent-output';
import { buildTool } from '../../tool/build-tool';
import { isFailure } from '../../tool/tool';
import { words } from '../../text/words';

const inputSchema = agentInputSchema.extend({
  name: z.string().optional().describe('A name for messages to it; in a team it makes a teammate'),
  team_name: z.string().optional().describe('Your team (the default)'),
});
const outputSchema = agentOutputSchema.extend({ team_name: z.string().optional(), name: z.string().optional() });

export const teamAgentTool = buildTool<z.infer<typeof inputSchema>, z.infer<typeof outputSchema>>({
  ...agentTool,
  inputSchema,
  outputSchema,
  async validateInput({ name, team_name }, { session: { team } }) {
    const current = team?.current()?.name;
    if (team_name === undefined) return { ok: true };
    if (team_name !== current)
      return {
        ok: false,
        code: 'no-team',
        message:
          current === undefined
            ? words`There is no team.{{TeamCreate:  Create one with TeamCreate.}}`
            : `There is no team ${JSON.stringify(team_name)}: yours is ${current}.`,
      };
    return name === undefined ? { ok: false, code: 'no-name', message: 'A teammate needs a `name`.' } : { ok: true };
  },
  async call(input, context) {
    const result = await agentTool.call(input, context);
    if (isFailure(result) || result.data.team === undefined || input.name === undefined) return result;
    const { team, ...data } = result.data;
    return { ...result, data: { ...data, team_name: team, name: input.name } };
  },
  mapToolResultToToolResultBlockParam: (output, toolUseId, offers) =>
    output.team_name === undefined
      ? agentTool.mapToolResultToToolResultBlockParam(output, toolUseId, offers)
      : {
          type: 'tool_result',
          tool_use_id: toolUseId,
          content: `${output.name} is now a teammate in ${output.team_name} and has its task. agentId: ${output.agentId}. It will message you; do not wait for it or do its work yourself. Its transcript: ${output.transcript ?? ''}`,
        },
  detail: (output) => (output.team_name === undefined ? agentTool.detail(output) : `teammate ${output.name}`),
});
