// Long conversations are drawn from their end; earlier turns follow while the browser has time.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Turn } from '../state/chat-store';
import { whenIdle } from '../markdown/when-idle';

const FIRST_TURNS = 12;
const NEXT_TURNS = 16;

/** `from` is the index of the first turn to draw; all are drawn in the end, so that find-in-page sees them. */
export function useMountedTurns(turns: readonly Turn[], beforeMounting: () => void): { from: number; mountMore: () => void } {
  const [firstKey, setFirstKey] = useState<number>();
  const found = turns.findIndex((turn) => turn.key === firstKey);
  const from = found >= 0 ? found : Math.max(0, turns.length - FIRST_TURNS);
  const current = turns[from]?.key;
  if (current !== firstKey) setFirstKey(current);

  const next = turns[Math.max(0, from - NEXT_TURNS)]?.key;
  const mountMore = useCallback(() => {
    beforeMounting();
    setFirstKey(next);
  }, [next]);

  useEffect(() => (from > 0 ? whenIdle(mountMore) : undefined), [from, mountMore]);
  return { from, mountMore };
}
