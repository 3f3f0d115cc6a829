// Informs the model of files that are not as it read or wrote them: the user has undone or edited something, or the disk has changed.
import { provides } from '../../feature/feature-key';
import { RefusedChanges } from '../../tool/refused-changes';
import { type FeatureFactory, type SessionAccess, type SessionFeature } from '../../feature/session-feature';
import { isInsideAny } from '../../permissions/rules/workspace-path';
import { type FileStat, type FileSystem } from '../../ports/files';
import { type Path } from '../../ports/path';
import { noLines } from '../../sessions/unseen-lines';
import { messageOf } from '../../text/errors';
import { redactText } from '../../text/redact';
import { asTold, type ChangedFile, toldChanges } from './change-words';
import { type FileChanges, fileChanges, type UserAct } from './file-changes-key';
import { followKnownFiles, gone, type KnownFile, lastKnown } from './known-files';

/** Files that are looked at before a request: those used last. Edit and Write check the others themselves. */
const mostFiles = 200;
/** Of a text; larger files are not compared. */
const maxBytes = 4_000_000;
/** Characters of all texts that are kept for differences, those used last. */
const maxKept = 8_000_000;
/** Milliseconds for which files that no call has touched are taken to be as they were. */
const freshMs = 1_000;

export const fileChangesFeature = featureWith();

/** `given`: what is refused in the session that started this agent is refused here as well. */
function featureWith(given?: RefusedChanges): FeatureFactory {
  return (access) => fileChangesOf(access, given ?? new RefusedChanges());
}

function fileChangesOf(access: SessionAccess, refused: RefusedChanges): SessionFeature {
  const own = new WatchedFiles(access, refused);
  return {
    ...provides(fileChanges, own),
    forTools: { refusedChanges: refused },
    prompts: {
      async before(_prompt, signal) {
        await own.tell('prompt', signal);
        return undefined;
      },
    },
    async afterTools(results, signal) {
      if (results.length === 0) return undefined;
      await own.tell(results.every(({ noOthers }) => noOthers === true) ? 'files' : 'turn', signal);
      return undefined;
    },
    inAgents: () => featureWith(refused),
  };
}

/**
 * Ahead of a prompt, or between two requests of a turn: what the user is typing then is unfinished. `files`: after calls
 * that have only read and written files of their own, so that nothing but the user or another program changes the rest.
 */
type When = 'prompt' | 'turn' | 'files';

interface Look {
  stat: FileStat | undefined;
  unsaved: boolean;
  hash: string;
}

class WatchedFiles implements FileChanges {
  readonly #access: SessionAccess;
  readonly #refused: RefusedChanges;
  readonly #known: () => ReadonlyMap<Path, KnownFile>;
  readonly #acts = new Map<Path, UserAct>();
  readonly #looks = new Map<Path, Look>();
  /** Texts as the model knows them, by path. */
  readonly #texts = new Map<Path, { hash: string; text: string }>();
  #kept = 0;
  /** When all were looked at last. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(access: SessionAccess, refused: RefusedChanges) {
    this.#access = access;
    this.#refused = refused;
    this.#known = followKnownFiles(access.settings.records);
  }

  acted(act: UserAct, paths: readonly Path[]): void {
    for (const path of paths) this.#acts.set(path, act);
  }

  /** Never rejects: a disk that fails keeps no turn from going on. */
  async tell(when: When, signal: AbortSignal): Promise<void> {
    try {
      const watched = this.#watched(this.#due(when), when);
      const found = await Promise.all(watched.map(([path, known]) => this.#look(path, known, when)));
      const changed = found.filter((file) => file !== undefined);
      if (!signal.aborted && changed.length > 0) this.#write(changed);
    } catch (error) {
      this.#access.ports.log.warn('Files that changed could not be compared', messageOf(error));
    }
  }

  /** A look at all takes as long as a call of its own where there are many. */
  #due(when: When): [Path, KnownFile][] {
    const all = [...this.#known()].slice(-mostFiles);
    const now = this.#access.ports.clock.now();
    if (when !== 'files' || now - this.#lookedAt >= freshMs) {
      this.#lookedAt = now;
      return all;
    }
    return all.filter(([path, known]) => this.#acts.has(path) || this.#looks.get(path)?.hash !== lastKnown(known));
  }

  #watched(due: readonly [Path, KnownFile][], when: When): [Path, KnownFile][] {
    const { session } = this.#access;
    const folders = [session.cwd, ...session.folders];
    return due.filter(([path, known]) => {
      const counts = known.before.length > 0 || (isInsideAny(path, folders, false) && isRead(known, when));
      return counts && !session.isHidden(path) && (!isNotebook(path) || this.#acts.has(path));
    });
  }

  async #look(path: Path, known: KnownFile, when: When): Promise<ChangedFile | undefined> {
    const { files } = this.#access.ports;
    const act = this.#acts.get(path);
    if (isNotebook(path)) {
      this.#acts.delete(path);
      return { path, known, hash: `${act} ${lastKnown(known)}`, text: '', act };
    }
    const unsaved = files.isUnsaved?.(path) === true;
    if (unsaved && when !== 'prompt') return undefined;
    const seen = this.#access.session.readState.takeKept(path);
    if (seen?.disk !== undefined && seen.hash === lastKnown(known) && act === undefined) {
      this.#looks.set(path, { stat: seen.disk, unsaved: false, hash: seen.hash });
      this.#keep(path, seen);
      // A call has just read or written it, and no other ran beside it.
      if (when === 'files') return undefined;
    }
    const stat = await files.stat(path);
    const before = this.#looks.get(path);
    if (before !== undefined && isSame(before, stat, unsaved) && before.hash === lastKnown(known)) return undefined;
    const now = await textNow(path, stat, files);
    if (now === undefined) return undefined;
    const { hash, text } = now;
    this.#looks.set(path, { stat, unsaved, hash });
    const kept = this.#texts.get(path);
    const old = kept?.hash === lastKnown(known) ? kept.text : undefined;
    this.#acts.delete(path);
    if (text !== undefined && old !== text) this.#keep(path, { hash, text });
    if (act === 'undone') this.#refuse(path, now, old);
    return hash === lastKnown(known) ? undefined : { path, known, hash, text, before: old, act };
  }

  /** What the user has undone takes what stands there `now` to what the model knew. */
  #refuse(path: Path, now: { hash: string; text?: string }, known: string | undefined): void {
    if (now.hash === gone) this.#refused.refuse({ path, before: undefined, after: known ?? '' }, 'undone');
    else if (now.text !== undefined) this.#refused.refuse({ path, before: now.text, after: known }, 'undone');
  }

  #keep(path: Path, { hash, text }: { hash: string; text: string }): void {
    this.#kept += text.length - (this.#texts.get(path)?.text.length ?? 0);
    this.#texts.delete(path);
    this.#texts.set(path, { hash, text });
    for (const [oldest, { text: dropped }] of this.#texts) {
      if (this.#kept <= maxKept) return;
      this.#texts.delete(oldest);
      this.#kept -= dropped.length;
    }
  }

  /** The record says what was told, so that no later process tells it again. */
  #write(changed: readonly ChangedFile[]): void {
    const { settings, session, writer } = this.#access;
    const secrets = settings.secrets?.() ?? [];
    const { content, whole } = toldChanges(changed, (text) => redactText(text, secrets));
    const knows = changed.filter(({ path, known, hash }) => {
      const entry = session.readState.get(path);
      // Where lines were unseen, or where it was told of less, the file has to be read again before it is replaced.
      return hash !== gone && whole.includes(path) && entry?.hash === lastKnown(known) && entry.unseen === undefined;
    });
    for (const { path, hash } of knows) session.readState.set(path, { hash, range: noLines });
    writer.write({
      type: 'user',
      message: { role: 'user', content },
      isMeta: true,
      changedFiles: changed.map((file) => ({ ...asTold(file), ...(knows.includes(file) ? { known: true } : {}) })),
    });
  }
}

function isSame(before: Look, stat: FileStat | undefined, unsaved: boolean): boolean {
  if (unsaved || before.unsaved) return false;
  return before.stat?.mtimeMs === stat?.mtimeMs && before.stat?.size === stat?.size;
}

/** Undefined where nothing can be said: it cannot be opened now, or is too large to compare. */
async function textNow(
  path: Path,
  stat: FileStat | undefined,
  files: Pick<FileSystem, 'readText'>,
): Promise<{ hash: string; text?: string } | undefined> {
  const read = await files.readText(path, maxBytes);
  if (read.outcome === 'read') return read.file;
  if (read.code === 'not_found' || read.code === 'directory') return { hash: gone };
  if (read.code === 'permission' || read.code === 'failed' || read.code === 'too_large') return undefined;
  return { hash: `not text: ${stat?.size} ${stat?.mtimeMs}` };
}

/** Logs and the like change all the time: of what was only read, the model is told of what it follows. */
function isRead({ told, whole }: KnownFile, when: When): boolean {
  return told === undefined || (whole === true && when === 'prompt');
}

/** What its cells put out changes with every run: it is told of where the user undid something in it. */
function isNotebook(path: Path): boolean {
  return path.endsWith('.ipynb');
}
