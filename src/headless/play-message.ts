// Plays one message of the user: as a turn, or as the command that its first word names.
import { type Prompt } from '../core/events/steering-queue';
import { type AgentSession } from '../core/feature/agent-session';
import { featureCommands } from '../core/features/shown-features';
import { subagents } from '../core/features/subagents/subagents-key';
import { composePrompt, type PromptInput } from '../core/prompt/compose-prompt';
import { type Skill } from '../core/skills/skill';
import { namedFolders } from '../core/text/short-paths';
import { slashLine } from '../core/text/slash-line';
import { type OpenRun } from './open-run';

export interface OfferedCommand {
  name: string;
  description: string;
  argumentHint: string;
}

/** What "/name" may begin a message with; `skills` are those that users may call. */
export function commandsOf(_run: OpenRun, skills: readonly Skill[]): OfferedCommand[] {
  return [
    { name: 'compact', description: 'Replaces the conversation so far with a summary.', argumentHint: '[focus]' },
    ...[...featureCommands, ...skills].map(({ name, description, argumentHint = '' }) => ({
      name,
      description,
      argumentHint,
    })),
  ];
}

/** True for a success. As a turn, or as the command of a feature, which may answer with a prompt for one. */
export async function playMessage(
  input: PromptInput,
  { session, basis, log, connections, contents }: OpenRun,
): Promise<boolean> {
  const { turns } = connections;
  const line = input.images.length === 0 && input.files === undefined ? slashLine(input.text) : undefined;
  const answer = line && (await session.controls.run(line.name, line.rest));
  const said = answer?.notice === undefined ? '' : `${answer.notice.title}\n${answer.notice.detail}`;
  if (answer !== undefined && answer.prompt === undefined) return turns.answered(session, log.opened.log, said);
  if (said !== '') basis.host.warn(said);
  const begun = session.records.some(({ type }) => type === 'assistant');
  const opening = begun ? undefined : contents.agent?.initialPrompt;
  const sent: PromptInput = answer?.prompt === undefined ? input : { ...answer.prompt, images: [] };
  const opened = opening === undefined ? sent : { ...sent, text: `${opening}\n\n${sent.text}` };
  return turns.run(session, log.opened.log, await compose(opened, session), !basis.streaming);
}

function compose(input: PromptInput, session: AgentSession): Promise<Prompt> {
  const { cwd, folders, isHidden, readState } = session.surroundings;
  return composePrompt(input, {
    agents: async () => (await session.feature(subagents)?.names()) ?? [],
    files: session.ports.files,
    cwd,
    folders: namedFolders(folders),
    isHidden,
    readState,
    secrets: session.settings.secrets?.() ?? [],
  });
}
