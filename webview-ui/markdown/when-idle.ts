// Runs work when the browser has time, one piece a frame, so that no frame is late.

/** A page that never rests still gets a piece done this often. */
const LATEST_MS = 1_000;

const waiting = new Set<() => void>();
let asked = false;

/** Returns a function that cancels. */
export function whenIdle(work: () => void): () => void {
  const piece = (): void => work();
  waiting.add(piece);
  ask();
  return () => void waiting.delete(piece);
}

function ask(): void {
  if (asked || waiting.size === 0) return;
  asked = true;
  if (typeof requestIdleCallback === 'function') requestIdleCallback(runOne, { timeout: LATEST_MS });
  else setTimeout(runOne, 50);
}

/** What a piece draws comes after it in the same task: a second piece would add to that. */
function runOne(): void {
  asked = false;
  const [piece] = waiting;
  if (!piece) return;
  waiting.delete(piece);
  try {
    piece();
  } finally {
    ask();
  }
}
