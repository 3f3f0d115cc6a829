// What an item of the chat shows, as the plain text in which words are found; it follows what the cards draw.
import { type ChatItem, type ToolItem } from '../../../shared/chat';
import { ledgerLine, ledgerRows } from '../../../shared/ledger-words';
import { plainMarkdown } from '../../../shared/plain-markdown';
import { viewKind } from '../../../shared/view-kinds';

export function findText(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
      return [item.text, ...item.attachments].join('\n');
    case 'text':
    case 'thinking':
      return plainMarkdown(item.text);
    case 'tool':
      return toolText(item);
    case 'notice':
      return `${item.title}\n${item.detail}`;
    case 'ledger':
      return [ledgerLine(item.ledger), ...ledgerRows(item.ledger)].join('\n');
    case 'compaction':
      return item.state === 'failed' ? (item.message ?? '') : '';
  }
}

function toolText(tool: ToolItem): string {
  const sentence = sentenceOf(tool);
  return [
    sentence,
    tool.detail,
    tool.message ?? '',
    tool.view === undefined ? '' : viewKind(tool.view).text(tool.view, sentence),
  ].join('\n');
}

/** As the card says it: what never happened is not described as done. */
function sentenceOf({ state, sentence, view }: ToolItem): string {
  const ran =
    state === 'failed' && view?.kind === 'terminal' && view.state !== 'not-started' && view.state !== 'running';
  return state === 'done' || ran ? sentence.past : sentence.now;
}
