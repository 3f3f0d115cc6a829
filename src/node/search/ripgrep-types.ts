// The names of ripgrep's file types. To ripgrep a file that a --glob names needs no --type any more; who gives both means both.
import path from 'node:path';
import { type GrepQuery } from '../../core/ports/search';
import { globMatcher, splitGlobs } from '../../core/search/glob-pattern';
import { portPath } from '../files/port-path';
import { runRipgrep } from './ripgrep-process';

const listed = new Map<string, Promise<Map<string, string[]>>>();

/** The query with everything hidden that is not of its type, where it has globs as well. */
export async function withTypeAndGlob(query: GrepQuery, executable: string, signal: AbortSignal): Promise<GrepQuery> {
  const { type, glob } = query;
  if (type === undefined || !splitGlobs(glob ?? '').some((part) => !part.startsWith('!'))) return query;
  const globs = (await typesOf(executable, signal)).get(type);
  // An unknown type is ripgrep's to refuse.
  if (globs === undefined) return query;
  const matchers = globs.map(globMatcher);
  return {
    ...query,
    hidden: (file) =>
      query.hidden(file) || !matchers.some((matches) => matches(portPath(path.relative(query.path, file)))),
  };
}

/** Asked for once; a listing that failed knows no type, and is tried again. */
async function typesOf(executable: string, signal: AbortSignal): Promise<Map<string, string[]>> {
  const asked = listed.get(executable) ?? list(executable);
  listed.set(executable, asked);
  const types = await asked;
  if (types.size === 0) listed.delete(executable);
  signal.throwIfAborted();
  return types;
}

async function list(executable: string): Promise<Map<string, string[]>> {
  let text = '';
  const { outcome } = await runRipgrep(
    {
      executable,
      args: ['--no-config', '--type-list'],
      cwd: path.dirname(executable),
      onData: (chunk) => ((text += chunk.toString('utf8')), true),
    },
    new AbortController().signal,
  );
  if (outcome === 'failed') return new Map();
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const end = line.indexOf(': ');
      return end < 0 ? [] : [[line.slice(0, end), splitGlobs(line.slice(end + 2))] as const];
    }),
  );
}
