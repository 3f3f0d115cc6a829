// TeamDelete: ends the team and those of it that still run.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import { noTeams } from './team-create';
import prompt from './team-delete.md';

const inputSchema = z.strictObject({});
const outputSchema = z.object({
  team_name: z.string(),
  description: z.string(),
  team_state: z.literal('deleted'),
  ended: z.array(z.object({ name: z.string(), wasWorking: z.boolean(), unread: z.number() })),
  openTasks: z.array(z.string()),
});

type Output = z.infer<typeof outputSchema>;

export const teamDeleteTool = buildTool<z.infer<typeof inputSchema>, Output>({
  name: 'TeamDelete',
  aliases: ['TeamDeleteTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  // It ends only what the model has started itself.
  access: 'ReadOnly',
  isEnabled: ({ teams }) => teams?.() ?? false,
  isReadOnly: () => true,
  standsAlone: true,
  describe: () => ({ now: 'Ending the team', past: 'Ended the team' }),
  async call(_input, { session: { team } }) {
    if (team === undefined) return noTeams;
    const left = await team.dissolve();
    if ('problem' in left) return { failure: { code: 'no-team', message: left.problem } };
    const { name, ended, openTasks } = left;
    return { data: { team_name: name, description: '', team_state: 'deleted', ended, openTasks } };
  },
  content: resultText,
  view: (output) => ({ kind: 'json', text: resultText(output) }),
  detail: ({ team_name }) => team_name,
});

function resultText({ team_name, ended, openTasks }: Output): string {
  const stopped = ended.map(
    ({ name, wasWorking, unread }) =>
      `${name} (${wasWorking ? 'was working' : 'was idle'}${unread === 0 ? '' : `, ${unread} ${unread === 1 ? 'message' : 'messages'} unread`})`,
  );
  return [
    `The team ${team_name} has ended.`,
    stopped.length === 0 ? 'No teammates were still running.' : `Stopped: ${stopped.join(', ')}.`,
    ...(openTasks.length === 0 ? [] : [`Their tasks stay open:\n${openTasks.join('\n')}`]),
  ].join(' ');
}
