const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Whole days from one date to another, both as `YYYY-MM-DD`; negative where `to` comes first. */
export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / millisecondsPerDay);
}
