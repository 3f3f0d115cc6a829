// A copy of a selection that reaches over rows that are not mounted holds their text too.
import { type RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { type ChatItem } from '../../src/shared/chat';
import { ledgerLine, ledgerRows } from '../../src/shared/ledger-words';
import { plainMarkdown } from '../../src/shared/plain-markdown';
import { viewKind } from '../../src/shared/view-kinds';
import { chat } from '../state/chat';
import { idsOf, looksSummary, type Row } from '../state/turn-rows';
import { promptOf, turnSummary } from '../state/turn-summary';
import { toolSentence } from '../tools/tool-words';

export function useCompleteCopies(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent): void => {
      const text = scroller.current && selectedText(scroller.current);
      if (text === null || text === undefined || !event.clipboardData) return;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, []);
}

/** Undefined where the selection has no gap in it: the browser's own copy is better then. */
function selectedText(scroller: Element): string | undefined {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  if (!range || !range.intersectsNode(scroller)) return undefined;
  if (![...scroller.querySelectorAll('.gap')].some((gap) => range.intersectsNode(gap))) return undefined;
  const first = [...scroller.querySelectorAll('[data-key], .gap')].find((element) => range.intersectsNode(element));
  const last = [...scroller.querySelectorAll('[data-key], .gap')].findLast((element) => range.intersectsNode(element));
  const from = first?.classList.contains('gap') === true ? 0 : rowIndex(first);
  const to = last?.classList.contains('gap') === true ? chat.rows.length - 1 : rowIndex(last);
  if (from < 0 || to < 0) return undefined;
  return chat.rows
    .slice(from, to + 1)
    .map(({ row }, index, all) =>
      index === 0 || index === all.length - 1 ? (partOf(row, range) ?? textOf(row)) : textOf(row),
    )
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function rowIndex(element: Element | undefined): number {
  const key = element?.getAttribute('data-key');
  return chat.rows.findIndex(({ row }) => row.key === key);
}

/** Of a row at an end of the selection, what is selected; undefined where that is all of it. */
function partOf(row: Row, range: Range): string | undefined {
  const element = document.getElementById(`row-${row.key}`);
  if (!element) return undefined;
  const whole = document.createRange();
  whole.selectNodeContents(element);
  const part = whole.cloneRange();
  if (range.compareBoundaryPoints(Range.START_TO_START, whole) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, whole) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part.toString() === whole.toString() ? undefined : part.toString();
}

function textOf(row: Row): string {
  const items = idsOf(row).flatMap((id) => chat.item(id)?.peek() ?? []);
  if (row.type === 'looks') return looksSummary(items);
  // What an open one stands for follows below it.
  if (row.type === 'fold') return row.open ? '' : `${promptOf(items[0])}\n${turnSummary(items)}`;
  return items.map(itemText).join('\n');
}

function itemText(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
      return item.text;
    case 'text':
      return plainMarkdown(item.text);
    case 'thinking':
    case 'compaction':
      return '';
    case 'ledger':
      return [ledgerLine(item.ledger), ...ledgerRows(item.ledger)].join('\n');
    case 'notice':
      return `${item.title}\n${item.detail}`;
    case 'tool': {
      const sentence = toolSentence(item);
      const shown =
        item.view?.kind === 'diff' || item.view?.kind === 'changes'
          ? viewKind(item.view).text(item.view, sentence)
          : '';
      return [`${sentence} ${item.detail}`.trim(), item.message ?? '', shown].filter((text) => text !== '').join('\n');
    }
  }
}
