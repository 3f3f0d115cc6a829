// A background command's end as the chat shows it: on the card of the call that started it, and as a notice.
import { defined } from '../../shared/defined';
import { type ChatEvent } from '../../shared/chat';
import { type CommandEnd } from '../ports/command-end';
import { type SessionRecord } from '../ports/record';
import { slimView } from '../../shared/view-kinds';

type EndRecord = Extract<SessionRecord, { subtype: 'background_end' }>;

export function backgroundEndEvents(record: EndRecord, inputOf: (toolUseId: string) => unknown): ChatEvent[] {
  const { end, toolUseId, uuid: id, message } = record;
  const input = toolUseId === undefined ? undefined : inputOf(toolUseId);
  const command =
    record.title ??
    (typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : undefined);
  const notice: ChatEvent = { type: 'item', item: { kind: 'notice', id, level: 'info', ...words(command, message) } };
  if (end === undefined && toolUseId !== undefined && isAgentCall(input)) return [agentCard(record, toolUseId), notice];
  if (end === undefined || toolUseId === undefined || command === undefined) return [notice];
  const card: ChatEvent = {
    type: 'tool',
    id: toolUseId,
    change: {
      detail: detail(end),
      view: slimView({
        kind: 'terminal',
        command,
        state: end.state,
        ...('code' in end && end.code !== undefined ? { exitCode: end.code } : {}),
        tail: record.tail ?? '',
        bytes: record.totalBytes ?? 0,
        ...defined({ outputPath: record.outputPath }),
      }),
    },
  };
  // The card of TaskStop says it already.
  return end.state === 'killed' && end.by === 'agent' ? [card] : [card, notice];
}

function words(command: string | undefined, message: string): { title: string; detail: string } {
  return command === undefined
    ? { title: message, detail: '' }
    : { title: `In the background: ${command}`, detail: message };
}

function detail(end: CommandEnd): string {
  if (end.state === 'lost') return 'ended in the background, outcome unknown';
  if (end.state !== 'exited') return `${end.state.replace('-', ' ')} in the background`;
  return `ended in the background${end.code === 0 ? '' : `, exit ${end.code}`}`;
}

/** What starts an agent, or continues one. */
function isAgentCall(input: unknown): boolean {
  return typeof input === 'object' && input !== null && ('prompt' in input || 'message' in input);
}

function agentCard({ message, tail = '' }: EndRecord, toolUseId: string): ChatEvent {
  const [, how = 'ended'] = /\) (?:is|was) (\w+)[.:]/.exec(message) ?? [];
  return {
    type: 'tool',
    id: toolUseId,
    change: {
      detail: `${how} in the background`,
      ...(tail === '' ? {} : { view: slimView({ kind: 'markdown', text: tail }) }),
    },
  };
}
