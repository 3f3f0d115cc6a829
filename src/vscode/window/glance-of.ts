// A session's state in one line, made of what its chat shows.
import { type ChatState } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { defined } from '../../shared/defined';
import { plainMarkdown } from '../../shared/plain-markdown';
import { type SessionGlance, type SessionState } from '../../shared/session-glance';
import { visibleText } from '../../shared/visible-text';

const maxLine = 160;

export function glanceOf(
  chat: ChatState,
  state: SessionState,
  since: number,
  branch: string | undefined,
): SessionGlance {
  const line = state === 'waiting' ? awaited(chat) : lastSentence(chat);
  return {
    state,
    since,
    title: chat.title,
    ...defined({ line: line === '' ? undefined : shortened(visibleText(line), maxLine), branch }),
    changes: {
      files: chat.changes.length,
      added: chat.changes.reduce((sum, { added }) => sum + added, 0),
      removed: chat.changes.reduce((sum, { removed }) => sum + removed, 0),
    },
    cost: { usd: chat.usage.costUsd, known: chat.usage.costKnown },
  };
}

/** Differs in more than its time. */
export function isOther(before: SessionGlance | undefined, now: SessionGlance): boolean {
  return before === undefined || JSON.stringify({ ...before, since: 0 }) !== JSON.stringify({ ...now, since: 0 });
}

function awaited({ approvals, questions, mcpRequests }: ChatState): string {
  const [approval] = approvals;
  if (approval !== undefined) return `Approve: ${approval.title}`;
  const [question] = questions;
  if (question !== undefined) return question.questions[0]?.question ?? '';
  const [request] = mcpRequests;
  return request === undefined ? '' : `${request.server}: ${request.message}`;
}

function lastSentence({ items }: ChatState): string {
  const said = items.findLast((item) => item.kind === 'text' && item.text.trim() !== '');
  if (said?.kind !== 'text') return '';
  const line = plainMarkdown(said.text)
    .split('\n')
    .map((one) => one.trim())
    .findLast((one) => one !== '');
  return line?.split(/(?<=[.!?])\s+(?=\S)/).at(-1) ?? '';
}
