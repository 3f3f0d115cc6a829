// Plays one message of the user: as a turn, or as the command that its first word names.
import { defined } from '../shared/defined';
import { type Prompt } from '../core/events/steering-queue';
import { type AgentSession } from '../core/feature/agent-session';
import { featureCommands } from '../core/features/shown-features';
import { subagents } from '../core/features/subagents/subagents-key';
import { composePrompt, type PromptInput } from '../core/prompt/compose-prompt';
import { type Skill } from '../core/skills/skill';
import { namedFolders } from '../core/text/short-paths';
import { slashLine } from '../core/text/slash-line';
import { type OpenRun } from './open-run';
import { namedMentions } from './prompts/named-mentions';
import { type OfferedCommand, runCommand, runCommandsOf } from './run-commands';

/** Those that users may call: none where the run takes no commands. */
export function skillsForUser({ basis }: OpenRun, skills: readonly Skill[]): Skill[] {
  return basis.options.withoutCommands ? [] : skills.filter(({ forUser }) => forUser);
}

/** What "/name" may begin a message with; `skills` are those that users may call. */
export function commandsOf(run: OpenRun, skills: readonly Skill[]): OfferedCommand[] {
  return [
    { name: 'compact', description: 'Replaces the conversation so far with a summary.', argumentHint: '[focus]' },
    ...runCommandsOf(run),
    ...[...featureCommands, ...skills].map(({ name, description, argumentHint = '' }) => ({
      name,
      description,
      argumentHint,
    })),
  ];
}

/** True for a success. As a turn, or as a command, which may answer with a prompt for one. */
export async function playMessage(input: PromptInput, run: OpenRun): Promise<boolean> {
  const { session, basis, log, connections, contents } = run;
  const { turns } = connections;
  if (input.uuid !== undefined && session.records.some((record) => 'uuid' in record && record.uuid === input.uuid)) {
    const sentence = `The session has a message ${input.uuid} already: it was not sent again.`;
    basis.host.warn(sentence);
    // Whoever sends it again waits for an end.
    return turns.answered(session, log.opened.log, sentence);
  }
  const done = await commandOf(input, run);
  if (done !== undefined && 'answer' in done) return turns.answered(session, log.opened.log, done.answer);
  const sent = done === undefined ? input : { ...done.prompt, ...defined({ uuid: input.uuid }) };
  const begun = session.records.some(({ type }) => type === 'assistant');
  const opening = begun ? undefined : contents.agent?.initialPrompt;
  const opened = opening === undefined ? sent : { ...sent, text: `${opening}\n\n${sent.text}` };
  return turns.run(session, log.opened.log, await compose(opened, session, basis.host.warn), !basis.streaming);
}

/** Undefined where the message is no command, or one that the session itself knows. */
async function commandOf(input: PromptInput, run: OpenRun): ReturnType<typeof runCommand> {
  const { session, basis } = run;
  const line = input.images.length === 0 && input.files === undefined ? slashLine(input.text) : undefined;
  if (line === undefined || basis.options.withoutCommands) return undefined;
  const answer = await session.controls.run(line.name, line.rest);
  if (answer === undefined) return runCommand(run, { ...line, text: input.text });
  const said = answer.notice === undefined ? '' : `${answer.notice.title}\n${answer.notice.detail}`;
  if (answer.prompt === undefined) return { answer: said };
  if (said !== '') basis.host.warn(said);
  return { prompt: { ...answer.prompt, images: [] } };
}

function compose(input: PromptInput, session: AgentSession, warn: (sentence: string) => void): Promise<Prompt> {
  const { cwd, folders, isHidden, readState } = session.surroundings;
  return composePrompt(input, {
    agents: async () => (await session.feature(subagents)?.names()) ?? [],
    files: session.ports.files,
    cwd,
    folders: namedFolders(folders),
    isHidden,
    readState,
    secrets: session.settings.secrets?.() ?? [],
    ...namedMentions(session, warn),
  });
}
