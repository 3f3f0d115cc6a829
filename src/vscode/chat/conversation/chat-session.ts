// The session that a chat has open: one at a time, opened one after the other, and closed with the chat whatever is under way.
import { type AgentSession } from '../../../core/feature/agent-session';
import { DeftError, messageOf } from '../../../core/text/errors';
import { type SessionCopy } from './chat-needs';

export type StartSource = 'startup' | 'clear';

export interface ChatSession {
  /** The one that is open or is being opened. */
  readonly opened: Promise<AgentSession> | undefined;
  /** The chat is gone: nothing is opened any more. */
  readonly isClosed: boolean;
  /** What an opening that comes now says of itself. */
  readonly startSource: StartSource;
  /** One after the other; a message that is sent meanwhile waits for the session it was meant for. What fails keeps nothing behind it from being opened. */
  inTurn(step: () => Promise<void>): Promise<void>;
  /** The open one once nothing is being opened, a new one where there is none. */
  current(): Promise<AgentSession>;
  /** The open one, else that with this id, else a new one. */
  ensure(id: string | undefined, copy?: SessionCopy, takesOver?: boolean): Promise<AgentSession>;
  /** Closes what is open, for another one or, with 'other', for one that replaces it. Returns why its end could not be saved, if so. */
  leave(reason: 'clear' | 'resume' | 'other'): Promise<string | undefined>;
  /** Nothing is opened from now on. */
  end(): void;
  /** Behind `end`: closes what is open, and what is being opened too, since its lock would keep it from being opened again. */
  close(): Promise<void>;
}

/** `open` opens one and shows it; what it gives after the end is closed here. */
export function createChatSession(
  open: (id: string | undefined, copy: SessionCopy | undefined, takesOver: boolean) => Promise<AgentSession>,
): ChatSession {
  let opened: Promise<AgentSession> | undefined;
  let opening: Promise<void> = Promise.resolve();
  let startSource: StartSource = 'startup';
  let isClosed = false;
  const ensure: ChatSession['ensure'] = (id, copy, takesOver = false) => {
    if (isClosed) return Promise.reject(closedError());
    opened ??= open(id, copy, takesOver).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    get opened() {
      return opened;
    },
    get isClosed() {
      return isClosed;
    },
    get startSource() {
      return startSource;
    },
    async inTurn(step) {
      const done = opening.then(step);
      opening = done.catch(() => undefined);
      await done;
    },
    async current() {
      await opening;
      return ensure(undefined);
    },
    ensure,
    async leave(reason) {
      const before = opened;
      opened = undefined;
      if (before === undefined) return undefined;
      if (reason !== 'other') startSource = 'clear';
      return (await before.catch(() => undefined))?.close(reason).then(() => undefined, messageOf);
    },
    end: () => void (isClosed = true),
    async close() {
      await opening;
      const session = opened;
      opened = undefined;
      await (await session?.catch(() => undefined))?.close();
    },
  };
}

export function closedError(): DeftError {
  return new DeftError('chat-closed', 'This chat is closed.', { audience: 'user' });
}
