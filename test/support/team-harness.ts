// A session whose team tools are on, played by scripts: the lead is given turns as the headless host gives them.
import { tracksBy } from '../../src/core/tasks/task-lists';
import { type TurnEnd } from '../../src/core/loop/after-reply';
import { type SessionRecord } from '../../src/core/ports/record';
import { decodeRecord } from '../../src/core/sessions/session-codec';
import { taskOutputTool } from '../../src/core/tools/background/task-output';
import { taskStopTool } from '../../src/core/tools/background/task-stop';
import { getTools } from '../../src/core/tools/registry';
import { withTeams } from '../../src/core/tools/teams/team-tools';
import { type AnyTool } from '../../src/core/tool/tool';
import { type AgentHarness, type AgentHarnessOptions, createAgentHarness } from './agent-harness';
import { askingTool, safeTool } from './fake-tools';
import { reply, type ScriptedReply, toolUse } from './messages-api/script';
import { type ModelRequest } from '../../src/core/wire/wire';
import { featureOf } from './feature-of';
import { subagents } from '../../src/core/features/subagents/subagents-key';

export const teamVariables = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' };

const availability = {
  has: () => false,
  interactive: true,
  platform: 'linux',
  names: () => false,
  tracks: tracksBy(
    () => teamVariables,
    () => false,
  ),
  teams: () => true,
};
const offered = new Set([
  'Agent',
  'SendMessage',
  'TeamCreate',
  'TeamDelete',
  'TaskCreate',
  'TaskUpdate',
  'TaskGet',
  'TaskList',
]);

export const teamTools: readonly AnyTool[] = [
  ...withTeams(getTools({ isDenied: () => false, simple: false, availability }), true).filter(({ name }) =>
    offered.has(name),
  ),
  ...[taskStopTool, taskOutputTool, safeTool('Read'), askingTool('Bash')],
];

export interface TeamHarness extends AgentHarness {
  /** A turn of the lead with this prompt, and all that the team asks of it until nobody is at work. */
  play(text: string): Promise<TurnEnd>;
  /** The teammate's records, by its name. */
  mate(name: string): SessionRecord[];
}

export interface TeamHarnessOptions extends Omit<AgentHarnessOptions, 'main'> {
  /** The lead's replies by the user's last prompt, in order; then it only takes note: how often the team calls it is no matter of the script. */
  lead: Readonly<Record<string, readonly ScriptedReply[]>>;
}

export function createTeamHarness({ lead, ...options }: TeamHarnessOptions): TeamHarness {
  const at = new Map<string, number>();
  const main = ({ messages }: ModelRequest): ScriptedReply => {
    const texts = messages.flatMap(({ role, content }) =>
      role !== 'user'
        ? []
        : typeof content === 'string'
          ? [content]
          : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    );
    const prompt = texts.findLast((text) => lead[text] !== undefined) ?? '';
    const index = at.get(prompt) ?? 0;
    at.set(prompt, index + 1);
    return lead[prompt]?.[index] ?? reply('Noted.');
  };
  const harness = createAgentHarness({ tools: teamTools, ...options, main });
  const signal = new AbortController().signal;
  return Object.assign(harness, {
    async play(text: string): Promise<TurnEnd> {
      let end = await harness.run(text);
      while (end.reason === 'completed' && (await featureOf(harness.session, subagents).allEnded(signal)))
        end = await harness.run();
      return end;
    },
    mate(name: string): SessionRecord[] {
      const found = harness.session.surroundings.team?.current()?.members.find((member) => member.name === name);
      return (harness.transcripts.get(found?.agentId ?? '') ?? []).flatMap((line) => decodeRecord(line) ?? []);
    },
  });
}

export const makeTeam = (id = 'team1') =>
  toolUse('TeamCreate', { team_name: 'crew', description: 'Finds and writes' }, id);
export const teammate = (name: string, prompt: string, id: string, more: object = {}) =>
  toolUse('Agent', { description: `${name}'s part`, prompt, name, ...more }, id);
export const mail = (to: string, message: string | object, id: string, more: object = {}) =>
  toolUse('SendMessage', { to, message, ...more }, id);

/** What others of the team sent to the model in these records, in order: who wrote what. */
export function lettersIn(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => {
    if (record.type !== 'user') return [];
    const { content } = record.message;
    const texts =
      typeof content === 'string' ? [content] : content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return texts.flatMap((text) =>
      [...text.matchAll(/<teammate-message id="[^"]+" from="([^"]+)"[^>]*>\n([\s\S]*?)\n<\/teammate-message>/g)].map(
        ([, from, said]) => `${from}: ${said}`,
      ),
    );
  });
}
