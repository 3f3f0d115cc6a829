// What is mounted of the conversation, as elements: turns, their rows, and gaps in place of the others.
import { type VNode } from 'preact';
import { type ChatItem } from '../../src/shared/chat';
import { headOf } from '../../src/shared/cut-text';
import { chat } from '../state/chat';
import { type PlacedRow, type Turn } from '../state/row-list';
import { type Row } from '../state/turn-rows';
import { Gap } from './gap';
import { ItemView, type RowPlace } from './item';
import { LooksCard } from './looks-card';
import { type MountedRows } from './mounted-rows';
import { TurnLine } from './turn-line';

/** Turns with their mounted rows, from top to bottom. */
export function drawnTurns(mounted: MountedRows): VNode[] {
  const { rows } = chat;
  const nodes: VNode[] = [];
  let turn: Turn | undefined;
  let own: VNode[] = [];
  let gaps = 0;
  const endTurn = (): void => {
    if (turn) nodes.push(<TurnArticle key={turn.key} turn={turn} rows={own} />);
    turn = undefined;
    own = [];
  };
  const gap = (from: number, to: number): void => {
    if (to <= from) return;
    const within = turn !== undefined && rows[to]?.turn === turn;
    if (!within) endTurn();
    const height = mounted.heights.before(to) - mounted.heights.before(from);
    (within ? own : nodes).push(<Gap key={`gap${gaps++}`} from={from} to={to} height={height} />);
  };
  let next = 0;
  for (const { from, to } of mounted.spans) {
    gap(next, from);
    for (let index = from; index < to; index++) {
      const placed = rows[index];
      if (placed === undefined) continue;
      if (placed.turn !== turn) endTurn();
      turn = placed.turn;
      own.push(rowNode(placed, mounted));
    }
    next = to;
  }
  gap(next, rows.length);
  endTurn();
  return nodes;
}

function TurnArticle({ turn, rows }: { turn: Turn; rows: VNode[] }) {
  const headingId = `turn-${turn.key}`;
  // How many turns there are is known once the first is loaded.
  const known = chat.facts.value.olderItems === 0;
  return (
    <article
      class="turn"
      aria-labelledby={headingId}
      aria-posinset={known ? turn.index + 1 : undefined}
      aria-setsize={known ? chat.turns.value.length : undefined}
    >
      <h2 class="visually-hidden" id={headingId}>
        {headingOf(chat.item(turn.ids[0] ?? '')?.peek())}
      </h2>
      {rows}
    </article>
  );
}

const nodes = new WeakMap<object, { after: PlacedRow['after']; node: VNode }>();

/** A row redraws itself: the same node again saves looking at it. */
function rowNode({ row, after }: PlacedRow, mounted: MountedRows): VNode {
  const kept = mounted.isNew(row.key) ? undefined : nodes.get(row);
  if (kept && kept.after === after) return kept.node;
  const place: RowPlace = {
    key: row.key,
    classes: after === undefined ? 'row-first' : `row-after-${after}`,
    knownHeight: mounted.knownHeight(row.key),
  };
  const node = nodeOf(row, place);
  nodes.set(row, { after, node });
  return node;
}

function nodeOf(row: Row, place: RowPlace): VNode {
  switch (row.type) {
    case 'item':
      return <ItemView key={row.key} id={row.id} place={place} />;
    case 'looks':
      return <LooksCard key={row.key} ids={row.ids} place={place} />;
    case 'fold':
      return <TurnLine key={row.key} row={row} place={place} />;
  }
}

function headingOf(first: ChatItem | undefined): string {
  if (first?.kind !== 'user') return 'Earlier in the conversation';
  const text = first.text.replace(/\s+/g, ' ').trim();
  return `You: ${text.length > 100 ? `${headOf(text, 100)} …` : text || 'a message without text'}`;
}
