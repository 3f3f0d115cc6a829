// The background work of all sessions of this window: also of those that no chat shows any more.
import { type BackgroundCommand } from '../../core/ports/terminal';
import { type BackgroundItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { visibleText } from '../../shared/visible-text';

/** One command, agent or teammate, with the session that it belongs to. */
export interface SessionWork {
  /** Empty where nobody knows it any more. */
  session: string;
  title: string;
  item: BackgroundItem;
}

export interface WorkingChat {
  session: string;
  title: string;
  background: readonly BackgroundItem[];
}

/** `titleOf` is asked for sessions that no chat shows. */
export async function workOfAll(
  chats: readonly WorkingChat[],
  commands: readonly BackgroundCommand[],
  titleOf: (session: string) => Promise<string | undefined>,
): Promise<SessionWork[]> {
  // A chat is told a moment after the terminal.
  const ended = new Set(commands.flatMap(({ taskId, end }) => (end === undefined ? [] : [taskId])));
  const shown = chats.flatMap(({ session, title, background }) =>
    background.filter(({ id }) => !ended.has(id)).map((item) => ({ session, title: title || 'New session', item })),
  );
  const known = new Set(shown.map(({ item }) => item.id));
  const others = commands.filter(({ taskId, end }) => end === undefined && !known.has(taskId));
  const left = await Promise.all(
    others.map(async (command) => {
      const { session = '' } = command;
      const title = (session === '' ? undefined : await titleOf(session)) ?? 'A session that is gone';
      return { session, title, item: itemOf(command) };
    }),
  );
  return [...shown, ...left];
}

/** Names of sessions that no chat shows: they are listed only where one is asked for, and once. */
export function titlesOf(
  list: () => Promise<readonly { id: string; title: string }[]>,
  failed: (error: unknown) => void,
): (session: string) => Promise<string | undefined> {
  let listed: ReturnType<typeof list> | undefined;
  return async (session) => {
    listed ??= list().catch((error: unknown) => {
      failed(error);
      return [];
    });
    return (await listed).find(({ id }) => id === session)?.title;
  };
}

interface WorkOwner {
  sideWork: { end(id: string): boolean };
  session(): Promise<{ controls: { end(id: string): Promise<boolean> } }>;
}

/** What the chat itself has at work. False where it has no such thing, or not any more. */
export async function endWork(chat: WorkOwner | undefined, id: string): Promise<boolean> {
  if (chat === undefined) return false;
  return chat.sideWork.end(id) || (await chat.session()).controls.end(id);
}

const maxTitle = 200;

function itemOf({ taskId, title, command, outputPath, startedAt }: BackgroundCommand): BackgroundItem {
  return {
    id: taskId,
    kind: 'command',
    title: shortened(visibleText((title ?? command).replace(/\s+/g, ' ').trim()), maxTitle),
    startedAt,
    ...(outputPath === '' ? {} : { output: outputPath }),
  };
}
