// What a user typed into the form for a new MCP server, as the entry that a file gets.
import { type NewMcpServer } from '../../shared/mcp-view';
import { reservedNames } from './read-entry';
import { splitWords } from '../text/split-words';

export type NewServerEntry =
  { ok: true; name: string; entry: Record<string, unknown> } | { ok: false; problem: string };

export function newServerEntry({ name: typed, kind, target: typedTarget }: NewMcpServer): NewServerEntry {
  const name = typed.trim();
  const target = typedTarget.trim();
  if (name === '') return refused('Give the server a name.');
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return refused('Use only letters, digits, “-” and “_”, at most 64 characters.');
  if (reservedNames.has(name) || name === '__proto__') return refused(`“${name}” is reserved: choose another name.`);
  if (kind === 'url') return urlEntry(name, target);
  const words = splitWords(target);
  if (words === undefined) return refused('A quote in the command is not closed.');
  const [command, ...args] = words;
  if (command === undefined || command === '') return refused('Enter the command that starts the server.');
  if (/^https?:\/\//i.test(command)) return refused('This is a URL: choose the kind “URL”.');
  return { ok: true, name, entry: { type: 'stdio', command, args } };
}

function urlEntry(name: string, target: string): NewServerEntry {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    return refused('Enter a complete URL, such as https://example.com/mcp.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('The URL must begin with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    return refused(
      'Do not put a password in the URL: others can read the file. Sign in later, or use a header with a variable.',
    );
  return { ok: true, name, entry: { type: 'http', url: target } };
}

function refused(problem: string): NewServerEntry {
  return { ok: false, problem };
}
