// The view of background work above the composer: shown on request, with the last line that each command printed.
import { type HostMessage } from '../../shared/host-messages';
import { type Chat } from '../chat/conversation/chat';
import { background } from '../../core/features/background/background-key';

/** "/tasks": of this session alone. */
export function showTasks(chat: Chat, post: (message: HostMessage) => void): void {
  if (chat.poster.state.background.length > 0) post({ type: 'showBackground' });
  else
    chat.notice(
      'info',
      'Nothing runs in the background.',
      'Commands and agents that run in the background are listed above the composer.',
    );
}

const tailBytes = 4_000;

/** The last line that each command has printed. */
export async function backgroundLines(chat: Chat): Promise<Record<string, string>> {
  const session = await chat.session();
  const lines = await Promise.all(
    chat.poster.state.background.map(async ({ id, kind }) =>
      kind === 'agent' || kind === 'teammate'
        ? []
        : [[id, lastLine(await (session.feature(background)?.tail(id, tailBytes) ?? ''))] as const],
    ),
  );
  return Object.fromEntries(lines.flat());
}

/** Without colours and what a progress bar has overwritten. */
function lastLine(tail: string): string {
  const plain = tail.replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007)/g, '');
  const lines = plain.split(/[\r\n]+/).map((line) => line.trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, 200);
}
