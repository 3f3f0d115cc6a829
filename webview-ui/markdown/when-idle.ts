// Runs work when the browser has time, one piece a frame, so that no frame is late.

/** A page that never rests still gets a piece done this often. */
const LATEST_MS = 1_000;
/** What a piece and the drawing after it may need: with less time left, the next frame comes first. */
const ROOM_MS = 6;

const waiting = new Set<() => void>();
let asked = false;
let since = 0;

/** Returns a function that cancels. */
export function whenIdle(work: () => void): () => void {
  const piece = (): void => work();
  if (waiting.size === 0) since = performance.now();
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
function runOne(deadline?: IdleDeadline): void {
  asked = false;
  const [piece] = waiting;
  if (!piece) return;
  const late = performance.now() - since > LATEST_MS;
  if (deadline && !late && deadline.timeRemaining() < ROOM_MS) return ask();
  since = performance.now();
  waiting.delete(piece);
  try {
    piece();
  } finally {
    ask();
  }
}
