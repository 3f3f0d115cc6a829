// The day that a user's calendar shows, as year-month-day: not that of UTC, which differs for some hours of each day.

export function localDay(time: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
