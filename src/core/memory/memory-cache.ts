// Reads memory files, each once as long as it stays as it is on disk.
import { defined } from '../../shared/defined';
import { readFrontmatter } from '../text/frontmatter';
import { type Path } from '../ports/path';
import { type FileSystem } from '../ports/files';
import { readMemoryText } from './memory-text';
import { readRuleGlobs, type RuleGlobs } from './rule-globs';

export interface MemoryFile {
  text: string;
  imports: readonly string[];
  /** For a rule that applies to some files only. */
  globs?: RuleGlobs;
  /** A sentence: why it is not sent, or not all of it. */
  left?: string;
}

export type MemoryFiles = Pick<FileSystem, 'stat' | 'realPath' | 'list' | 'readText'>;

export interface MemoryCache {
  /** Undefined if there is no file. */
  read(path: Path, kind: 'plain' | 'rule' | 'auto'): Promise<MemoryFile | undefined>;
}

const maxBytes = 1_000_000;
const maxChars = 40_000;
const autoMemory = { lines: 200, chars: 25_000 };

export function createMemoryCache(files: MemoryFiles): MemoryCache {
  const known = new Map<string, { stamp: string; file: MemoryFile }>();
  return {
    async read(path, kind) {
      const stat = await files.stat(path);
      if (stat?.type !== 'file') return undefined;
      const [key, stamp] = [`${kind} ${path}`, `${stat.mtimeMs} ${stat.size}`];
      const found = known.get(key);
      if (found?.stamp === stamp) return found.file;
      const read = await files.readText(path, maxBytes);
      if (read.outcome === 'refused')
        return read.code === 'not_found' ? undefined : { text: '', imports: [], left: read.message };
      const file =
        kind === 'auto'
          ? autoText(read.file.text)
          : kind === 'rule'
            ? ruleText(read.file.text)
            : plainText(read.file.text);
      // What an editor holds may change without the file.
      if (!read.file.unsaved) known.set(key, { stamp, file });
      return file;
    },
  };
}

function plainText(source: string): MemoryFile {
  const { text, imports } = readMemoryText(source.replaceAll('\r\n', '\n'));
  if (text.length <= maxChars) return { text, imports };
  const cut = text.lastIndexOf('\n', maxChars);
  const left = `It has ${text.length.toLocaleString('en')} characters; these are the first ${maxChars.toLocaleString('en')}. Read the file for the rest.`;
  return { text: text.slice(0, cut > 0 ? cut : maxChars), imports, left };
}

function ruleText(source: string): MemoryFile {
  const { fields, body, problem } = readFrontmatter(withQuotedGlobs(source));
  // A rule whose head cannot be read might apply to a few files only: it is sent for none.
  if (problem !== undefined) return { text: '', imports: [], left: problem };
  const globs = readRuleGlobs(fields);
  return {
    ...plainText(body),
    ...defined({ globs }),
    ...defined({ left: globs?.problem }),
  };
}

function autoText(source: string): MemoryFile {
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  const text = lines.slice(0, autoMemory.lines).join('\n').slice(0, autoMemory.chars).trim();
  return {
    text,
    imports: [],
    ...(text.length < source.trim().length ? { left: 'This is its beginning; read the file for the rest.' } : {}),
  };
}

// `paths: **/*.ts` and `- {a,b}.ts` are no YAML, and often written.
function withQuotedGlobs(source: string): string {
  const end = source.search(/\r?\n---[ \t]*(\r?\n|$)/);
  if (!source.startsWith('---') || end === -1) return source;
  const head = source
    .slice(0, end)
    .replace(
      /^([ \t]*-[ \t]+|paths:[ \t]+)([{*][^\r\n]*?)[ \t]*$/gm,
      (_line, start: string, glob: string) => `${start}${JSON.stringify(glob)}`,
    );
  return head + source.slice(end);
}
