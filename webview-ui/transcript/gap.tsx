// Stands for rows that are not mounted: as high as they are, and a way to them for keyboards and screen readers.
import { chat } from '../state/chat';
import { idsOf } from '../state/turn-rows';
import { leadTo } from './lead-to';

export interface GapProps {
  /** Rows from `from` to before `to`. */
  from: number;
  to: number;
  height: number;
}

export function Gap({ from, to, height }: GapProps) {
  const count = to - from;
  /** With the Tab key, the focus comes to the rows next to where it was. */
  const enter = (event: FocusEvent & { currentTarget: HTMLElement }): void => {
    const before = event.relatedTarget;
    const backwards =
      before instanceof Node &&
      (event.currentTarget.compareDocumentPosition(before) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const row = chat.rows[backwards ? to - 1 : from]?.row;
    if (row) leadTo(idsOf(row)[0] ?? '', row.key, backwards);
  };
  return (
    <div class="gap" style={{ height: `${height}px` }}>
      <button type="button" class="visually-hidden" onFocus={enter}>
        {count === 1 ? 'Go to 1 entry that is out of view' : `Go to ${count} entries that are out of view`}
      </button>
    </div>
  );
}
