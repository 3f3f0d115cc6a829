// What a chat does as its user leaves it, and what becomes of it: in words for whoever asks or tells.
import { counted } from '../../../shared/counted';
import { isBackgroundCall } from '../../../core/calls/background-call-id';
import { type BackgroundItem, type ChatState } from '../../../shared/chat';
import { shortened } from '../../../shared/cut-text';
import { loopId } from './prompt-loop';

/** Where the chat goes: to the session with this id, to a new one, or, without the key, to something else. */
export interface LeftFor {
  id?: string | undefined;
}

/** Of one session, at the moment it is left. */
export interface LeftWork {
  sessionId: string;
  title: string;
  /** A turn runs, or waits for the user. */
  turn: 'none' | 'works' | 'waits';
  /** Approvals and questions of its own turn that wait: they are asked again. */
  requests: number;
  /** Of the approvals, how many would change files. */
  edits: number;
  /** Requests that end with it: those of its agents, and of servers in the middle of a call. */
  cancelled: number;
  queued: number;
  /** These continue without the chat. */
  commands: readonly BackgroundItem[];
  /** These end with the session: agents, and calls of servers that take long. */
  ends: readonly BackgroundItem[];
  /** A prompt repeats; that ends too. */
  loops: boolean;
}

export function leftWork(state: ChatState, running: boolean): LeftWork {
  const approvals = state.approvals.filter(({ agent }) => agent === undefined);
  const requests = approvals.length + state.questions.length;
  const cancelled = state.approvals.length - approvals.length + state.mcpRequests.length;
  return {
    sessionId: state.sessionId,
    title: state.title || 'New session',
    turn: !running ? 'none' : requests + cancelled > 0 ? 'waits' : 'works',
    requests,
    edits: approvals.filter(({ hasDiff, plan }) => hasDiff && plan === undefined).length,
    cancelled,
    queued: state.queue.length,
    commands: state.background.filter(isCommand),
    ends: state.background.filter((item) => !isCommand(item) && item.idle !== true),
    loops: state.lines.some(({ id }) => id === loopId),
  };
}

/** It would end or be interrupted: nobody leaves it by mistake. */
export function isAtWork({ turn, ends, requests, cancelled, loops }: LeftWork): boolean {
  return turn !== 'none' || requests + cancelled > 0 || ends.length > 0 || loops;
}

/** One sentence for each thing that the session leaves behind, in the order of their weight. */
export function becomesOf(work: LeftWork): string[] {
  const { turn, requests, edits, cancelled, queued, commands, ends, loops } = work;
  const sentences: string[] = [];
  if (turn === 'works') sentences.push('Its turn stops. Open the session again to continue it.');
  if (requests > 0) {
    const what =
      edits === requests
        ? counted(edits, 'proposed edit')
        : counted(requests, 'request') + ofThem(edits, 'proposed edit');
    sentences.push(`You will be asked about ${what} again when the session is opened.`);
  }
  if (cancelled > 0)
    sentences.push(
      `${counted(cancelled, 'request')} of agents or MCP servers ${cancelled === 1 ? 'is' : 'are'} cancelled.`,
    );
  if (queued > 0)
    sentences.push(`${counted(queued, 'queued message')} ${queued === 1 ? 'stays' : 'stay'} in the session.`);
  if (ends.length > 0)
    sentences.push(
      `${counted(ends.length, 'background task')} ${ends.length === 1 ? 'ends' : 'end'} with it: ${named(ends)}`,
    );
  if (loops) sentences.push('Its loop ends.');
  if (commands.length > 0) sentences.push(commandsContinue(work));
  return sentences;
}

export function commandsContinue({ commands }: Pick<LeftWork, 'commands'>): string {
  return `${counted(commands.length, 'command')} in the background ${commands.length === 1 ? 'continues' : 'continue'}: ${named(commands)}`;
}

function isCommand({ id, kind }: BackgroundItem): boolean {
  return kind === 'command' && !isBackgroundCall(id);
}

function ofThem(many: number, what: string): string {
  return many === 0 ? '' : ` (${counted(many, what)})`;
}

const namedItems = 3;
const namedCharacters = 60;

/** The end of a sentence. */
function named(items: readonly BackgroundItem[]): string {
  const names = items
    .slice(0, namedItems)
    .map(({ title }) => shortened(title.trim().split('\n')[0] ?? '', namedCharacters));
  const all = names.join(', ') + (items.length > namedItems ? ` and ${items.length - namedItems} more` : '');
  return all.endsWith('…') ? all : `${all}.`;
}
