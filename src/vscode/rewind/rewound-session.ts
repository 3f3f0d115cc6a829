// The session that a rewind was made in: its undo comes later, when the chat may show another one that it does not concern.
import { type Chat } from '../chat/conversation/chat';

export interface RewoundSession {
  /** A turn that runs in the chat is one of this session. */
  runs(): boolean;
  /** Informs its model, where the chat still has it open. */
  remind(text: string): void;
  /** It says what stands in these files now. */
  rewound(paths: readonly string[]): void;
  /** The chat continues in a copy, whose code the rewind has changed just as well. */
  forked(): Promise<void>;
}

export function rewoundSession(
  chat: Pick<Chat, 'running' | 'session' | 'remind' | 'acted' | 'poster'>,
  id: string,
): RewoundSession {
  let session = id;
  return {
    runs: () => chat.running && chat.poster.state.sessionId === session,
    remind: (text) => chat.remind(text, session),
    rewound: (paths) => chat.acted('rewound', paths, session),
    async forked() {
      session = (await chat.session()).id;
    },
  };
}
