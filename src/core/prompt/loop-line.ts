// What follows /loop: how often, and the prompt that is sent again and again.

export interface LoopLine {
  prompt: string;
  /** Undefined: the agent says after each round when it continues. */
  everyMs?: number;
}

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** Shorter ones would only cost. */
const leastLoopMs = 10_000;
const mostLoopMs = 24 * units.h;

/** A sentence where it cannot be read. */
export function readLoopLine(rest: string): LoopLine | string {
  const found = /^(?:every\s+)?(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?)(?:\s+|$)/i.exec(rest);
  const prompt = (found === null ? rest : rest.slice(found[0].length)).trim();
  if (prompt === '') return 'Say what to repeat: /loop 5m run the tests and fix what fails.';
  if (/^\/loop\b/.test(prompt)) return 'A loop cannot start another one.';
  if (found === null) return { prompt };
  const everyMs = Number(found[1]) * units[(found[2] ?? 'm').charAt(0).toLowerCase() as keyof typeof units];
  if (everyMs < leastLoopMs || everyMs > mostLoopMs)
    return 'The time between two rounds must be from 10 seconds to 24 hours.';
  return { prompt, everyMs };
}

/** How long the agent wants to wait; `done` where it has no more to do. Undefined where its answer says neither. */
export function readNextRound(answer: string): number | 'done' | undefined {
  const found = [...answer.matchAll(/^[\s>*_`-]*NEXT:\s*(?:(done)|(\d+(?:\.\d+)?)\s*(s|m|h))/gim)].at(-1);
  if (found === undefined) return undefined;
  if (found[1] !== undefined) return 'done';
  const ms = Number(found[2]) * units[(found[3] ?? 'm').toLowerCase() as keyof typeof units];
  return Math.min(mostLoopMs, Math.max(leastLoopMs, ms));
}

export function paceText(ms: number): string {
  if (ms >= units.h && ms % units.h === 0) return `${ms / units.h}h`;
  return ms >= units.m && ms % units.m === 0 ? `${ms / units.m}m` : `${Math.round(ms / 1_000)}s`;
}

/** After the prompt of a round that the agent paces. */
export const selfPacedNote =
  'This prompt is sent to you repeatedly. End your answer with a separate line that says when to send it next: "NEXT: 5m" (10s to 24h), or "NEXT: done" if nothing is left to do or wait for.';
