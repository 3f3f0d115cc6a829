// Puts files back to what they were before a message, as a program asks for it.
import { type AgentSession } from '../../core/feature/agent-session';
import { type ControlRequest } from './control-messages';

/** What somebody else changed too is left as it is, and named. */
export async function rewindFiles(
  { fields }: ControlRequest,
  session: AgentSession,
): Promise<Readonly<Record<string, unknown>> | string> {
  const id = fields['user_message_id'];
  if (typeof id !== 'string' || id === '') return 'rewind_files takes a `user_message_id`.';
  const { checkpoints } = session.settings;
  const refused = (error: string): Readonly<Record<string, unknown>> => ({ canRewind: false, error });
  if (checkpoints === undefined) return refused('The settings switch checkpoints off (fileCheckpointingEnabled).');
  if (session.turns.running) return refused('A turn is running: interrupt it first.');
  const preview = await checkpoints.preview(id);
  if (preview === undefined) return refused(`There is no checkpoint for the message ${id}.`);
  const { plan } = preview;
  const steps = plan.steps.filter(({ others }) => others === undefined);
  const left = [
    ...plan.steps.filter(({ others }) => others !== undefined).map(({ path }) => `${path} was changed by others too`),
    ...plan.lost.map(({ path, why }) => `${path}: ${why}`),
  ];
  const note = left.length === 0 ? {} : { error: `Left as they are: ${left.join('; ')}.` };
  // A folder that was empty is put back too, and is none.
  const files = new Set(
    steps.flatMap(({ path, from, to }) =>
      [from, to].some(({ kind }) => kind === 'file' || kind === 'link') ? [path] : [],
    ),
  );
  if (fields['dry_run'] === true) return { canRewind: true, filesChanged: [...files], ...note };
  const { done, failed } = await checkpoints.rewind(id, steps);
  const problems = [...left, ...failed.map(({ path, message }) => `${path}: ${message}`)];
  return {
    canRewind: true,
    filesChanged: done.filter((path) => files.has(path)),
    ...(problems.length === 0 ? {} : { error: `Left as they are: ${problems.join('; ')}.` }),
  };
}
