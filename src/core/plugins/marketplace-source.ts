// Where a marketplace or a plugin is fetched from: as a user types it, as files write it, and as a repository that git can reach.
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';

export interface GitSource {
  kind: 'git';
  /** With its protocol, or "git@host:path". */
  url: string;
  /** A branch or tag. */
  ref?: string;
  /** A whole commit's name: exactly that one. */
  sha?: string;
  /** The folder within the repository. */
  folder?: string;
}

export interface FolderSource {
  kind: 'folder';
  path: string;
}

export type FetchSource = GitSource | FolderSource;

/** The protocols for git: nothing that runs a program chosen by the address, nothing that can be changed in transit. */
const protocols = ['https', 'ssh', 'file'] as const;
export type GitProtocol = (typeof protocols)[number];

/** What a user types; `problem` is a sentence. */
export function parseTypedSource(typed: string, home: string): { source: FetchSource } | { problem: string } {
  const text = typed.trim();
  if (text === '') return { problem: 'Enter a folder, a GitHub owner/repository, or the URL of a git repository.' };
  if (/^~(?:$|[\\/])/.test(text)) return { source: { kind: 'folder', path: `${home}${text.slice(1)}` } };
  if (/^(?:\.{1,2}(?:$|[\\/])|[\\/]|[A-Za-z]:[\\/])/.test(text)) return { source: { kind: 'folder', path: text } };
  const hub = /^([A-Za-z0-9][\w.-]*)\/([\w.-]+?)(?:[@#](.+))?$/.exec(text);
  if (hub !== null) return gitSource(hubAddress(`${hub[1]}/${hub[2]}`), { ref: hub[3] });
  const [, address = '', ref] = /^([^#]*)(?:#(.*))?$/.exec(text) ?? [];
  if (/^https?:.*\.json$/i.test(address))
    return {
      problem: 'A marketplace that is a single file is not supported: give the git repository that contains it.',
    };
  return gitSource(address, { ref });
}

/** `source` of a settings file or of another program's list of marketplaces. */
export function readMarketplaceSource(value: unknown): { source: FetchSource } | { problem: string } {
  if (!isObject(value)) return { problem: 'its `source` must be an object.' };
  const { source, repo, url, path, ref } = value;
  const more = { ref: typeof ref === 'string' ? ref : undefined };
  if (source === 'github' && typeof repo === 'string') return gitSource(hubAddress(repo), more);
  if (source === 'git' && typeof url === 'string') return gitSource(url, more);
  if (source === 'directory' && typeof path === 'string') return { source: { kind: 'folder', path } };
  return {
    problem: `a source of the kind ${JSON.stringify(source)} is not supported here: use "github", "git" or "directory".`,
  };
}

/** As settings files write it. */
export function writtenSource(source: FetchSource): Record<string, string> {
  if (source.kind === 'folder') return { source: 'directory', path: source.path };
  const hub = /^https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(source.url)?.[1];
  const ref = defined({ ref: source.ref });
  return hub === undefined ? { source: 'git', url: source.url, ...ref } : { source: 'github', repo: hub, ...ref };
}

export function sourceText(source: FetchSource): string {
  if (source.kind === 'folder') return source.path;
  return `${source.url}${source.folder === undefined ? '' : `, folder ${source.folder}`}${source.sha !== undefined ? ` at ${source.sha.slice(0, 12)}` : source.ref !== undefined ? ` at ${source.ref}` : ''}`;
}

/** Undefined for what git is not asked for. */
export function protocolOf(url: string): GitProtocol | undefined {
  const [, named] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? [];
  if (named !== undefined) return protocols.find((protocol) => protocol === named.toLowerCase());
  return /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:[^-\s]/.test(url) ? 'ssh' : undefined;
}

/** A sentence for what cannot be, or must not be, handed to git. */
export function gitSource(
  url: string,
  { ref, sha, folder }: { ref?: string | undefined; sha?: string | undefined; folder?: string | undefined },
): { source: GitSource } | { problem: string } {
  if (protocolOf(url) === undefined || /[\s\u0000-\u001f]/.test(url))
    return {
      problem: `${JSON.stringify(url)} is not a supported git URL: use https://, ssh://, git@host:path or file://.`,
    };
  if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(url))
    return {
      problem: 'A password in the URL would be stored in files: leave it out and let git use its credential helper.',
    };
  if (/^[a-z]+:\/\/-/i.test(url)) return { problem: `${JSON.stringify(url)} is not a URL.` };
  if (ref !== undefined && !/^[A-Za-z0-9_][\w./-]{0,200}$/.test(ref))
    return { problem: `${JSON.stringify(ref)} is not a branch or tag name.` };
  if (sha !== undefined && !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(sha))
    return { problem: `${JSON.stringify(sha)} is not a full commit hash.` };
  return {
    source: {
      kind: 'git',
      url,
      ...defined({ ref, sha, folder }),
    },
  };
}

export function hubAddress(repository: string): string {
  return `https://github.com/${repository.replace(/\.git$/, '')}.git`;
}
