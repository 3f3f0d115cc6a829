// What is seen of a session without opening it: whether it works, waits or rests, and in one line where it stands.

/** What a session does, or has done that nobody has seen yet. */
export type SessionState = 'waiting' | 'working' | 'failed' | 'finished' | 'idle';

export interface SessionGlance {
  state: SessionState;
  /** Since when, ms since the epoch. */
  since: number;
  /** Empty where nobody has said anything in it. */
  title: string;
  /** What it waits for, else the last sentence that was said. */
  line?: string;
  branch?: string;
  /** What waits for review. */
  changes?: { files: number; added: number; removed: number };
  /** `known`: false where the cost is a lower bound. */
  cost?: { usd: number; known: boolean };
}

export const stateWords: Readonly<Record<SessionState, string>> = {
  waiting: 'waiting for you',
  working: 'working',
  failed: 'failed',
  finished: 'finished',
  idle: 'idle',
};

/** Branch, changes and cost in one line, as far as they are known. */
export function glanceFacts({ branch, changes, cost }: Pick<SessionGlance, 'branch' | 'changes' | 'cost'>): string {
  const parts = [
    branch ?? '',
    changes === undefined || changes.files === 0 ? '' : `+${changes.added} −${changes.removed}`,
    cost === undefined || cost.usd === 0 ? '' : `${cost.known ? '' : '≥ '}${costText(cost.usd)}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export function costText(usd: number): string {
  if (usd > 0 && usd < 0.01) return '$0.01';
  return `$${usd.toFixed(2)}`;
}

const order: readonly SessionState[] = ['waiting', 'working'];

/** Who waits comes first, then who works; the others stay in their order. */
export function byUrgency(a: { state?: SessionState }, b: { state?: SessionState }): number {
  return rankOf(a.state) - rankOf(b.state);
}

function rankOf(state: SessionState | undefined): number {
  const rank = state === undefined ? -1 : order.indexOf(state);
  return rank === -1 ? order.length : rank;
}
