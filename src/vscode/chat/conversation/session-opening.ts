// Opens a session for a chat, a new one or that of an id, and shows its content.
import { setImmediate as nextTask } from 'node:timers/promises';
import { defined } from '../../../shared/defined';
import { type AgentSession } from '../../../core/feature/agent-session';
import { type SessionEvent } from '../../../core/events/session-event';
import { type Worktree } from '../../../core/ports/worktrees';
import { DeftError, messageOf } from '../../../core/text/errors';
import { createChatProjection } from '../../../core/projection/chat-projection';
import { replayInSlices } from '../../../core/projection/replay-slices';
import { waitingCalls } from '../../../core/loop/waiting-calls';
import { goOn } from '../../../core/sessions/turn-end-notice';
import { type ChatEvent, emptyChat } from '../../../shared/chat';
import { type ChatNotices } from './chat-notices';
import { type ChatServices, type OpenedSession, type SessionCopy } from './chat-needs';
import { type ChatSession, closedError } from './chat-session';
import { type EventPoster } from './event-poster';
import { createLateServers } from './late-servers';
import { modelReplaced } from './model-replaced';
import { endsInTurn, shownEnd } from './shown-end';
import { type WaitingForUser } from './waiting-for-user';

const askAgainDetail = 'Continue to be asked here, too, or send a message: then it is not run in this copy.';

interface OpeningParts {
  services: ChatServices;
  current: ChatSession;
  poster: EventPoster;
  notices: ChatNotices;
  waiting: WaitingForUser;
  /** Something else is shown: the session stays underneath. */
  readOnly: () => boolean;
  onEvent: (event: SessionEvent) => void;
}

export interface SessionOpening {
  /** What an event of the session is in the chat. */
  project(event: SessionEvent): ChatEvent[];
  /** Another session comes: nothing of the one before is known. */
  renew(): void;
  /** The last page of a long session is shown at once, and the rest is read afterwards. */
  showEnd(id: string): Promise<void>;
  /** Opens and shows it. A new one where none has this id. */
  open(id: string | undefined, copy?: SessionCopy, takesOver?: boolean): Promise<AgentSession>;
}

export function createSessionOpening({
  services,
  current,
  poster,
  notices,
  waiting,
  readOnly,
  onEvent,
}: OpeningParts): SessionOpening {
  let projection = createChatProjection(services.projection());
  const servers = createLateServers((id, text) => {
    if (!readOnly() && !current.isClosed) notices.line(id, text);
  });

  const begin = async (
    { session, resumed, replacedModel, restoredTree }: OpenedSession,
    copy: SessionCopy | undefined,
  ): Promise<void> => {
    if (current.isClosed) return;
    // Shown once: the log says from now on which model it continues with.
    if (replacedModel !== undefined) session.choices.setModel(session.choices.model);
    // Before anything can be sent in it: its first prompt makes a checkpoint, and those of the original are not taken where it has some.
    const lost = await copy?.checkpoints?.(session).then(() => undefined, messageOf);
    servers.begin(session.ports.mcp);
    if (readOnly()) return;
    const empty = {
      ...emptyChat(session.id, session.permission.mode, session.choices.model),
      changes: services.changes(session.id),
    };
    const replayed = await replayInSlices(projection, empty, session.records, {
      pause: nextTask,
      now: () => performance.now(),
    });
    if (current.isClosed) return;
    poster.reset(resumed ? { ...replayed, mode: session.permission.mode, model: session.choices.model } : empty);
    if (resumed) void session.catchUp();
    const asks = waitingCalls(session.records).length > 0;
    // Where the session itself continues, its calls are asked again at once.
    if (asks && copy !== undefined)
      notices.add('info', 'A call waits for you in the original.', askAgainDetail, goOn.action);
    else if (!asks && endsInTurn(session.records))
      notices.add('info', 'The last turn was interrupted.', goOn.detail, goOn.action);
    if (replacedModel !== undefined && resumed)
      notices.add('info', ...modelReplaced(replacedModel, session.choices.model, services.provider()));
    if (restoredTree !== undefined) notices.add('warning', ...treeRestored(restoredTree));
    if (lost !== undefined) notices.add('warning', 'The code cannot be rewound to before this copy.', lost);
    notices.settingsChanged();
    services.sessionChanged(session.id);
    services.titleChanged(poster.state.title);
  };

  return {
    project(event) {
      // Behind the prompt itself.
      if (isPrompt(event)) queueMicrotask(() => servers.promptSent());
      return projection.project(event);
    },
    renew() {
      projection = createChatProjection(services.projection());
      servers.begin(undefined);
    },
    async showEnd(id) {
      const end = await services.sessionEnd(id).catch(() => undefined);
      if (end === undefined) return;
      const initial = { mode: services.initialMode(), model: services.initialModel() };
      const shown = shownEnd(id, end, createChatProjection({ ...services.projection(), isPart: true }), initial);
      poster.reset({ ...shown, changes: services.changes(id) });
      services.titleChanged(shown.title);
    },
    async open(id, copy, takesOver) {
      const { approvals, questions, mcpRequests } = waiting;
      const connection = {
        ...defined({ copy: copy?.records, takesOver }),
        emit: onEvent,
        approver: approvals,
        questioner: questions,
        mcpPeople: mcpRequests.people,
        startSource: current.startSource,
      };
      const opened =
        (await services.openSession(id, connection)) ?? (await services.openSession(undefined, connection));
      if (opened === undefined)
        throw new DeftError('session-open', 'No session could be created.', { audience: 'user' });
      try {
        await begin(opened, copy);
        if (current.isClosed) throw closedError();
      } catch (error) {
        // Nobody has it: nobody else would close it.
        await opened.session.close().catch(() => undefined);
        throw error;
      }
      return opened.session;
    },
  };
}

function treeRestored({ path, branch }: Worktree): [string, string] {
  return [
    'The worktree of this session was gone.',
    `The branch ${branch} was checked out again in ${path}. What was not committed there is lost.`,
  ];
}

function isPrompt(event: SessionEvent): boolean {
  return event.type === 'record' && event.record.type === 'user' && event.record.display !== undefined;
}
