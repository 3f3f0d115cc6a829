// TeamCreate: begins a team, which the conversation leads.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import prompt from './team-create.md';
import { said, words } from '../../text/words';

const inputSchema = z.strictObject({
  team_name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'Up to 64 letters, digits, "-", "_" and "."')
    .describe('A short name'),
  description: z.string().optional().describe('What the team is for'),
});
/** The log knows the team by this. */
const outputSchema = z.object({ team_name: z.string(), description: z.string(), team_state: z.literal('created') });

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const teamCreateTool = buildTool<Input, Output>({
  name: 'TeamCreate',
  aliases: ['TeamCreateTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  // What teammates do is judged call by call.
  access: 'ReadOnly',
  isEnabled: ({ teams }) => teams?.() ?? false,
  isReadOnly: () => true,
  standsAlone: true,
  describe: ({ team_name }) => ({ now: `Starting the team ${team_name}`, past: `Started the team ${team_name}` }),
  async call({ team_name, description = '' }, { session: { team } }) {
    if (team === undefined) return noTeams;
    const refused = team.create(team_name);
    return refused === undefined
      ? { data: { team_name, description, team_state: 'created' } }
      : { failure: { code: 'no-team', message: refused.problem } };
  },
  content: ({ team_name }, offers) =>
    said(words`You lead the team ${team_name}.{{Agent:  Start teammates with Agent and a \`name\`.}}`, offers),
  view: ({ description }) => ({ kind: 'json', text: description }),
});

export const noTeams = { failure: { code: 'no-teams', message: 'There are no teams here. Do the task yourself.' } };
