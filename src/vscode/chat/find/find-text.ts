// What an item of the chat shows, as the plain text in which words are found; it follows what the cards draw.
import { type ChatItem, type ToolItem } from '../../../shared/chat';
import { lastLines, terminalText } from '../../../shared/terminal-text';
import { type ToolView } from '../../../shared/tool-view';

/** As many lines as a command's card shows of its output. */
const tailLines = 8;

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
    case 'compaction':
      return item.state === 'failed' ? (item.message ?? '') : '';
  }
}

/** Without the marks that are drawn and not written: fences, emphasis, addresses of links. Code in blocks stays as it is. */
export function plainMarkdown(text: string): string {
  let fence = '';
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === '' ? mark !== undefined : mark?.startsWith(fence) === true) {
      fence = fence === '' ? (mark ?? '') : '';
    } else {
      lines.push(fence === '' ? plainLine(line) : line);
    }
  }
  return lines.join('\n');
}

function plainLine(line: string): string {
  if (!/[[*_`|#>~+\\-]|^\s*\d/.test(line)) return line;
  if (/^[\s|:-]+$/.test(line)) return '';
  const inner = line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/, '')
    .replace(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1');
  const cells = line.trimStart().startsWith('|') ? inner.replace(/\s*(?<!\\)\|\s*/g, '\n') : inner;
  // What stands between backticks is code: its stars and underlines are no marks.
  return cells
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : unemphasized(part)))
    .join('');
}

function unemphasized(text: string): string {
  const strong = text.replace(/(?:\*\*|~~)(?=\S|$)|(?<=\S|^)(?:\*\*|~~)/g, '');
  return strong
    .replace(/(?<![\w*])\*(?=\S)([^*]*?\S)\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)(__?)(?=\S)([^_]*?\S)\1(?!\w)/g, '$2');
}

function toolText(tool: ToolItem): string {
  const sentence = told(tool);
  return [sentence, tool.detail, tool.message ?? '', tool.view === undefined ? '' : viewText(tool.view, sentence)].join(
    '\n',
  );
}

/** As the card says it: what never happened is not told as done. */
function told({ state, sentence, view }: ToolItem): string {
  const ran =
    state === 'failed' && view?.kind === 'terminal' && view.state !== 'not-started' && view.state !== 'running';
  return state === 'done' || ran ? sentence.past : sentence.now;
}

function viewText(view: ToolView, sentence: string): string {
  switch (view.kind) {
    case 'diff':
      return view.hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))).join('\n');
    case 'terminal':
      return [
        sentence.endsWith(view.command) ? '' : view.command,
        lastLines(terminalText(view.tail), tailLines),
        view.note ?? '',
      ].join('\n');
    case 'matches':
      return view.items
        .map(({ path, line, text }) => `${line === undefined ? path : `${path}:${line}`}\n${text ?? ''}`)
        .join('\n');
    case 'files':
      return view.total <= 1 ? '' : view.items.map(({ path }) => path).join('\n');
    case 'image':
      return view.path;
    case 'todo':
      return view.items
        .map(({ status, activeForm, content }) => (status === 'in_progress' ? activeForm : content))
        .join('\n');
    case 'markdown':
      return plainMarkdown(view.text);
    case 'json':
      return view.text;
  }
}
