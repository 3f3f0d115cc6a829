// What a session knows of uncommitted changes: which of them it made, what was asked for, and what its log proves.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type SessionFacts } from '../../core/commit/commit-texts';
import { type SessionFile, type SessionParts, sessionParts } from '../../core/commit/session-parts';
import { type GitEntry } from '../../core/commit/changes';
import { type AgentSession } from '../../core/feature/agent-session';
import { proofLine, sessionProof, type SessionProof } from '../../core/ledger/session-proof';
import { type FileState } from '../../core/ports/checkpoints';
import { type SessionRecord } from '../../core/ports/record';
import { writtenText } from '../../core/sessions/prompt-text';
import { contentOf } from '../../node/commits/make-commits';
import { type Uncommitted } from '../../node/commits/read-changes';
import { portPath } from '../../node/files/port-path';
import { pathOf } from '../host/uri-path';
import { decodeKept } from '../review/call-diff';
import { type CommitServices } from './commit-needs';

/** Both ways between the paths that sessions know and those below the top of a repository, which git names without symlinks. */
export interface RepositoryPaths {
  /** Undefined outside the repository. */
  below(file: string): string | undefined;
  absolute(below: string): string;
}

export async function repositoryPaths(root: string): Promise<RepositoryPaths> {
  const top = portPath(root);
  /** Folders of the window as they are named, and as they really are. */
  const folders: { named: string; real: string }[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const named = pathOf(uri);
    folders.push({ named, real: portPath(await realpath(uri.fsPath).catch(() => uri.fsPath)) });
  }
  const moved = (file: string, from: 'named' | 'real', to: 'named' | 'real'): string => {
    const folder = folders.find((one) => file === one[from] || file.startsWith(`${one[from]}/`));
    return folder === undefined ? file : folder[to] + file.slice(folder[from].length);
  };
  return {
    below(file) {
      const real = file.startsWith(`${top}/`) ? file : moved(file, 'named', 'real');
      return real.startsWith(`${top}/`) ? real.slice(top.length + 1) : undefined;
    },
    absolute: (below) => moved(`${top}/${below}`, 'real', 'named'),
  };
}

/** By its checkpoints, which know what files were before the session, commands included. */
export async function partsOfSession(
  session: AgentSession,
  uncommitted: Uncommitted,
  paths: RepositoryPaths,
): Promise<SessionParts> {
  const { checkpoints } = session.settings;
  const first = (await checkpoints?.points())?.[0];
  const preview = first === undefined ? undefined : await checkpoints?.preview(first.id);
  const { steps = [], lost = [] } = preview?.plan ?? {};
  const { git } = uncommitted.repository;
  const now = async (entry: GitEntry | undefined, file: string): Promise<string | undefined> =>
    entry === undefined ? undefined : decodeKept(Buffer.from(await contentOf(git, entry), 'latin1'), file);
  const then = async (state: FileState, file: string): Promise<string | undefined> => {
    const bytes = state.kind === 'file' ? await checkpoints?.bytes(state) : undefined;
    return bytes && decodeKept(bytes, file);
  };
  const files: SessionFile[] = lost.flatMap(({ path: file }) => {
    const below = paths.below(file);
    return below === undefined ? [] : [{ path: below, before: undefined, now: undefined, unknown: true }];
  });
  for (const { path: file, to } of steps) {
    const below = paths.below(file);
    const change = uncommitted.changes.find((one) => one.path === below || one.oldPath === below);
    if (below === undefined || change === undefined) continue;
    if (change.kind !== 'modified') files.push({ path: below, before: undefined, now: undefined });
    else {
      const before = await then(to, file);
      files.push({
        ...{ path: below, before, now: await now(change.after, file) },
        // There was a file, and its text cannot be compared.
        ...(before === undefined && to.kind !== 'absent' ? { unknown: true } : {}),
      });
    }
  }
  return sessionParts(uncommitted.changes, files);
}

/** What the user asked for, in their own words, oldest first. */
function requestsOf(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => {
    if (record.type !== 'user' || record.isMeta === true || record.isCompactSummary === true) return [];
    const { content } = record.message;
    const isResult = typeof content !== 'string' && content.some(({ type }) => type === 'tool_result');
    const text = isResult ? '' : writtenText(record).trim();
    return text === '' ? [] : [text];
  });
}

export interface KnownFacts extends SessionFacts {
  proven: SessionProof;
  /** Files that are not as the session's last edit left them: a command or somebody else has changed them. */
  since: string[];
}

const mostCompared = 200;
const maxTextBytes = 5_000_000;

/** `files`: below the top of the repository. */
export async function factsOfSession(
  { session, title }: { session: AgentSession; title: string },
  services: Pick<CommitServices, 'files' | 'verify'>,
  files: readonly string[],
  paths: RepositoryPaths,
): Promise<KnownFacts> {
  const named = new Map(files.map((file) => [paths.absolute(file), file]));
  const proven = sessionProof(session.records, { paths: new Set(named.keys()), verify: services.verify() });
  const since: string[] = [];
  for (const [file, hash] of [...proven.hashes].slice(0, mostCompared)) {
    const now = await services.files.readText(file, maxTextBytes);
    if (now.outcome === 'read' && now.file.hash !== hash) since.push(named.get(file) ?? path.posix.basename(file));
  }
  return {
    id: session.id,
    title,
    requests: requestsOf(session.records),
    proof: proofLine(proven.ledger, since),
    proven,
    since,
  };
}
