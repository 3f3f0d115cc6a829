// What the headers of an answer say about waiting: how long, and when a limit is lifted.

/** `retry-after-ms`, else `retry-after` in seconds or as a date; never negative. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** When the last of the limits that are used up is lifted, in milliseconds since the epoch; undefined where that is over or unknown. */
export function liftsAt(headers: Headers, now: number): number | undefined {
  const resets: number[] = [];
  headers.forEach((value, name) => {
    const [, limit] = /^anthropic-(.+)-reset$/.exec(name) ?? [];
    if (limit === undefined) return;
    const remaining = headers.get(`anthropic-${limit}-remaining`);
    // Gateways pass the end on without what remains.
    if (remaining !== null && Number(remaining) > 0) return;
    const reset = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value);
    if (reset > now) resets.push(reset);
  });
  return resets.length === 0 ? undefined : Math.max(...resets);
}

/** "14:05" in the time of this machine, with the day where it is another one. */
export function timeOfDay(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  return then.toDateString() === today.toDateString()
    ? time
    : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}
