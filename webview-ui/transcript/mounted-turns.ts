// Long conversations are drawn from their end; earlier turns follow while the browser has time.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { wantedItem } from '../find/wanted-item';
import { keptState } from '../host/vscode-api';
import { whenIdle } from '../markdown/when-idle';
import { chat } from '../state/chat';
import { type Turn } from '../state/chat-store';
import { FIRST_SLICE, NEXT_SLICE, slice } from './turn-slice';

/** Nearer to the end than this, the reader's place is kept over a reload. */
const NEAR_TURNS = 12;

/** `from` is the index of the first turn to draw; all are drawn in the end, so that all can be scrolled to. */
export function useMountedTurns(
  turns: readonly Turn[],
  beforeMounting: () => void,
): { from: number; mountMore: () => void } {
  const [firstKey, setFirstKey] = useState<number>();
  const found = turns.findIndex((turn) => turn.key === firstKey);
  const from = found >= 0 ? found : firstTurn(turns);
  const current = turns[from]?.key;
  if (current !== firstKey) setFirstKey(current);

  const next = turns[slice(turns, from, NEXT_SLICE, itemOf)]?.key;
  const mountMore = useCallback(() => {
    beforeMounting();
    setFirstKey(next);
  }, [next]);

  const wanted = wantedItem.value;
  const hurries = wanted !== undefined && turns.slice(0, from).some((turn) => turn.ids.peek().includes(wanted));
  useEffect(() => {
    if (from === 0) return undefined;
    if (!hurries) return whenIdle(mountMore);
    const frame = requestAnimationFrame(mountMore);
    return () => cancelAnimationFrame(frame);
  }, [from, mountMore, hurries]);
  return { from, mountMore };
}

/** Where the reader was before a reload is drawn at once if it is near. */
function firstTurn(turns: readonly Turn[]): number {
  const from = slice(turns, turns.length, FIRST_SLICE, itemOf);
  const kept = keptState();
  if (!kept?.anchor || kept.sessionId !== chat.facts.peek().sessionId) return from;
  const rowId = kept.anchor.id;
  const near = Math.max(0, turns.length - NEAR_TURNS);
  const anchored = turns.findIndex(
    (turn, index) => index >= near && turn.ids.peek().some((id) => rowId === `row-${id}`),
  );
  return anchored < 0 ? from : Math.min(from, anchored);
}

function itemOf(id: string) {
  return chat.item(id)?.peek();
}
