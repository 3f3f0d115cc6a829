// A finished turn as one line, or, where it is unfolded, the line that folds it again.
import { useOpener } from '../find/openers';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { type FoldRow } from '../state/turn-rows';
import { promptOf, turnSummary } from '../state/turn-summary';
import { type RowPlace } from './item';

export function TurnLine({ row, place }: { row: FoldRow; place: RowPlace }) {
  const { all, open } = row;
  const first = all[0] ?? '';
  const items = all.flatMap((id) => chat.item(id)?.value ?? []);
  const did = turnSummary(items);
  const prompt = promptOf(items[0]);
  useOpener(open ? [] : all, () => chat.unfoldTurn(first, true));
  return (
    <div class={`row row-tool ${place.classes}`} id={`row-${place.key}`} data-key={place.key} data-row>
      <button
        type="button"
        class="turn-line"
        aria-expanded={open}
        title={open ? 'Fold this turn (Enter)' : 'Unfold this turn (Enter)'}
        onClick={() => chat.unfoldTurn(first, !open)}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        {!open && <span class="turn-prompt">{prompt}</span>} <span class="turn-did quiet">{did}</span>
      </button>
    </div>
  );
}
