// A session's title until it gets a better one: the first line of its first prompt.

const maxTitleChars = 60;

export function sessionTitle(prompt: string): string {
  const line = prompt.trim().split('\n')[0]?.replace(/\s+/g, ' ').trim() ?? '';
  if (line === '') return 'New session';
  return line.length <= maxTitleChars ? line : `${line.slice(0, maxTitleChars - 1).trimEnd()}…`;
}
