// When a session was used last, in the words of a list.

/** "Today", "Yesterday", "This week", else the month. */
export function dayOf(date: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return 'This week';
  return date.toLocaleDateString('en', { month: 'long', year: 'numeric' });
}

export function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  const recent = Date.now() - milliseconds < 2 * 86_400_000;
  return recent
    ? date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
    : date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
