// What a turn shows, row by row: runs of finished looks (reads, searches) fold into one.
import { counted } from '../../src/shared/counted';
import { type ChatItem } from '../../src/shared/chat';

/** `key` is of its own among all rows, and stays while the row does. */
export type Row =
  | { readonly type: 'item'; readonly key: string; readonly id: string }
  | { readonly type: 'looks'; readonly key: string; readonly ids: readonly string[] }
  | FoldRow;

/** A finished turn as one line, or the line above its rows that folds them again. */
export interface FoldRow {
  readonly type: 'fold';
  readonly key: string;
  readonly open: boolean;
  /** Of the items that it stands for: all of them, or, where it is open, the first. */
  readonly ids: readonly string[];
  readonly all: readonly string[];
}

/** Of a finished turn, where such turns fold. */
export type Fold = 'folded' | 'unfolded';

/** Shorter runs stay single cards. */
const MIN_RUN = 3;
/** Longer ones become several rows: one that is opened draws no more than so many cards. */
export const MAX_RUN = 50;

/**
 * `open` says that the turn still grows at its end: its last look then stays a card of its own, so that the rows keep
 * their height while cards come and fold.
 */
export function turnRows(ids: readonly string[], look: (id: string) => boolean, open: boolean): Row[] {
  const rows: Row[] = [];
  let run: string[] = [];
  const endRun = (atEnd: boolean) => {
    const keepLast = atEnd && open;
    if (run.length < MIN_RUN) {
      rows.push(...run.map(itemRow));
    } else {
      rows.push(looksRow(keepLast ? run.slice(0, -1) : run));
      const last = run.at(-1);
      if (keepLast && last !== undefined) rows.push(itemRow(last));
    }
    run = [];
  };
  for (const id of ids) {
    if (look(id)) {
      if (run.length === MAX_RUN) endRun(false);
      run.push(id);
    } else {
      endRun(false);
      rows.push(itemRow(id));
    }
  }
  endRun(true);
  return rows;
}

/** The rows of a turn that folds. */
export function foldedRows(ids: readonly string[], look: (id: string) => boolean, fold: Fold): Row[] {
  const [first = ''] = ids;
  const open = fold === 'unfolded';
  const line: FoldRow = { type: 'fold', key: `fold-${first}`, open, ids: open ? [first] : [...ids], all: [...ids] };
  return open ? [line, ...turnRows(ids, look, false)] : [line];
}

function itemRow(id: string): Row {
  return { type: 'item', key: id, id };
}

function looksRow(ids: readonly string[]): Row {
  return { type: 'looks', key: `looks-${ids[0]}`, ids };
}

export function idsOf(row: Row): readonly string[] {
  return row.type === 'item' ? [row.id] : row.ids;
}

/** Looks that run or are done; a failed or waiting one must be seen. */
export function foldable(item: ChatItem): boolean {
  return item.kind === 'tool' && item.readOnly && (item.state === 'done' || item.state === 'running');
}

export function sameRow(a: Row, b: Row | undefined): boolean {
  if (a.type === 'item') return b?.type === 'item' && a.id === b.id;
  if (a.type === 'fold') return b?.type === 'fold' && a.open === b.open && sameIds(a.all, b.all);
  return b?.type === 'looks' && sameIds(a.ids, b.ids);
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** "Looked at 6 files, searched 2 times". */
export function looksSummary(items: readonly ChatItem[]): string {
  const files = new Set<string>();
  let searches = 0;
  let others = 0;
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    const view = item.view;
    if (view?.kind === 'image') files.add(view.path);
    else if (view?.kind === 'files' && view.total === 1 && view.items[0]) files.add(view.items[0].path);
    else if (view?.kind === 'files' || view?.kind === 'matches') searches++;
    else others++;
  }
  const parts = [
    files.size > 0 ? `looked at ${counted(files.size, 'file')}` : '',
    searches > 0 ? `searched ${searches === 1 ? 'once' : `${searches} times`}` : '',
    others > 0 ? `looked at ${counted(others, files.size > 0 ? 'other thing' : 'thing')}` : '',
  ].filter((part) => part !== '');
  const sentence = parts.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
