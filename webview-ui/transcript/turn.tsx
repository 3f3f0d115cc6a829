// One turn: the user's message and all that the agent did about it.
import { useComputed, type ReadonlySignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type ChatItem } from '../../src/shared/chat';
import { headOf } from '../../src/shared/cut-text';
import { type Turn } from '../state/chat-store';
import { chat } from '../state/chat';
import { foldable, sameRows, turnRows, type Row } from '../state/turn-rows';
import { ItemView } from './item';
import { LooksCard } from './looks-card';

export function TurnArticle({ turn }: { turn: Turn }) {
  const rows = useRows(turn);
  const headingId = `turn-${turn.key}`;
  return (
    <article class={turn.last.value ? 'turn turn-last' : 'turn'} aria-labelledby={headingId}>
      <h2 class="visually-hidden" id={headingId}>
        {headingOf(chat.item(turn.ids.value[0] ?? '')?.peek())}
      </h2>
      {rows.value.map((row) =>
        row.type === 'item' ? (
          <ItemView key={row.id} id={row.id} />
        ) : (
          <LooksCard key={`looks-${row.ids[0]}`} ids={row.ids} />
        ),
      )}
    </article>
  );
}

/** Deltas of texts do not touch it: only tools decide about folding. */
function useRows(turn: Turn): ReadonlySignal<readonly Row[]> {
  const previous = useRef<readonly Row[]>([]);
  return useComputed(() => {
    const rows = turnRows(turn.ids.value, looks, turn.last.value);
    if (!sameRows(rows, previous.current)) previous.current = rows;
    return previous.current;
  });
}

function looks(id: string): boolean {
  const item = chat.item(id);
  return item?.peek().kind === 'tool' && foldable(item.value);
}

function headingOf(first: ChatItem | undefined): string {
  if (first?.kind !== 'user') return 'Earlier in the conversation';
  const text = first.text.replace(/\s+/g, ' ').trim();
  return `You: ${text.length > 100 ? `${headOf(text, 100)} …` : text || 'a message without text'}`;
}
