// A session's title until it gets a better one: the first line of its first prompt.
import { headOf } from '../../shared/cut-text';

const maxTitleChars = 60;

export function sessionTitle(prompt: string): string {
  const line = prompt.trim().split('\n')[0]?.replace(/\s+/g, ' ').trim() ?? '';
  if (line === '') return 'New session';
  return line.length <= maxTitleChars ? line : `${headOf(line, maxTitleChars - 1).trimEnd()}…`;
}
