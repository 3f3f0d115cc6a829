// Whose changes wait: a chat shows, keeps and undoes those of its own session, and asks before it touches lines that another chat has changed as well.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type ChangedFile } from '../../shared/chat';
import { pathOf, uriOf } from '../host/uri-path';
import { complain, nameOf } from './change-commands';
import { type ChangeReview } from './change-review';
import { sumOf } from './owned-changes';
import { type Whose } from './tracked-file';
import { type UndoOutcome } from './undo-changes';

export type ReviewAction = 'open' | 'keep' | 'undo';

export interface OpenChat {
  /** The session that it shows. */
  session: string;
  title: string;
}

export interface OwnChanges {
  /** Those that the chat with this session shows: its own, and those that no other open chat has. */
  of(session: string): ChangedFile[];
  /** What the strip of the chat with this session asks for; without a path all that it shows is meant. */
  review(action: ReviewAction, path: Path | undefined, session: string): Promise<void>;
  /** keepAllChanges and undoAllChanges, by their full names: of a file, or of a chat that the user picks where several have changes. */
  readonly commands: Record<string, (uri?: unknown) => Promise<void>>;
}

type Changes = Pick<ChangeReview, 'changes' | 'parts' | 'keep' | 'undo' | 'open' | 'openFirst'>;

/** All that a chat had was undone, in these files; undefined for all chats. */
export type UndoneAll = (undone: readonly Path[], session: string | undefined) => void;

/** `chats`: those that are open now. */
export function createOwnChanges(changes: Changes, chats: () => readonly OpenChat[], undoneAll: UndoneAll): OwnChanges {
  return new Own(changes, chats, undoneAll);
}

const everybody: Whose = () => true;

class Own implements OwnChanges {
  readonly #changes: Changes;
  readonly #chats: () => readonly OpenChat[];
  readonly #undoneAll: UndoneAll;
  readonly commands: OwnChanges['commands'];

  constructor(changes: Changes, chats: () => readonly OpenChat[], undoneAll: UndoneAll) {
    this.#changes = changes;
    this.#chats = chats;
    this.#undoneAll = undoneAll;
    this.commands = {
      'deft.keepAllChanges': (uri) => this.#all('keep', uri),
      'deft.undoAllChanges': (uri) => this.#all('undo', uri),
    };
  }

  of(session: string): ChangedFile[] {
    const { touched } = this.#whose(session);
    return this.#changes.changes().flatMap(({ path }) => {
      const parts = this.#changes.parts(path);
      const own = parts.filter(({ owners }) => touched(owners));
      if (own.length === 0) return [];
      const others = this.#othersIn(
        parts.flatMap(({ owners }) => owners),
        session,
      ).map(({ title }) => title);
      return [{ path, ...sumOf(own), ...(others.length > 0 && { others }) }];
    });
  }

  async review(action: ReviewAction, path: Path | undefined, session: string): Promise<void> {
    const paths = path === undefined ? this.of(session).map((change) => change.path) : [path];
    if (action !== 'open') this.#tell(await this.#act(action, paths, session), path, session);
    else if (path === undefined) await this.#changes.openFirst(paths);
    else await this.#changes.open(path);
  }

  /** The editor title gives its file; the palette means a chat, or all. */
  async #all(action: 'keep' | 'undo', uri: unknown): Promise<void> {
    if (uri instanceof vscode.Uri) return void (await this.#act(action, [pathOf(uri)], undefined));
    const waiting = this.#chats()
      .map((chat) => ({ ...chat, paths: this.of(chat.session).map(({ path }) => path) }))
      .filter(({ paths }) => paths.length > 0);
    const all = this.#changes.changes().map(({ path }) => path);
    if (waiting.length < 2) {
      const [only] = waiting;
      return this.#tell(await this.#act(action, all, only?.session), undefined, only?.session);
    }
    const picked = await vscode.window.showQuickPick(
      [
        ...waiting.map(({ title, session, paths }) => ({
          label: title,
          description: countOf(paths),
          paths,
          session,
        })),
        { label: 'All chats', description: countOf(all), paths: all, session: undefined },
      ],
      {
        title: action === 'keep' ? 'Keep all changes' : 'Undo all changes',
        placeHolder: 'The changes of which chat?',
      },
    );
    // Who picks all chats has been told whose they are.
    if (picked === undefined) return;
    const { paths, session } = picked;
    this.#tell(await this.#act(action, paths, session, session === undefined), undefined, session);
  }

  /** Of one file, nobody expects that the rest is undone. */
  #tell(undone: readonly Path[], path: Path | undefined, session: string | undefined): void {
    if (path === undefined && undone.length > 0) this.#undoneAll(undone, session);
  }

  /** The files that were undone. */
  async #act(
    action: 'keep' | 'undo',
    paths: readonly Path[],
    session: string | undefined,
    agreed = false,
  ): Promise<Path[]> {
    const outcomes: UndoOutcome[] = [];
    const undone: Path[] = [];
    for (const path of paths) {
      const whose = agreed ? everybody : await this.#agreedIn(action, path, session);
      if (whose === undefined) continue;
      if (action === 'keep') this.#changes.keep(path, whose);
      else {
        const found = await this.#changes.undo(path, whose);
        outcomes.push(...found);
        if (found.some(({ outcome }) => outcome === 'undone')) undone.push(path);
      }
    }
    complain(outcomes);
    return undone;
  }

  /** Whose changes of the file may be touched; undefined for none. */
  #agreedIn(action: 'keep' | 'undo', path: Path, session: string | undefined): Promise<Whose | undefined> {
    return session === undefined ? this.#agreedInWhole(action, path) : this.#agreedInOwn(action, path, session);
  }

  /** Without a session, its user sees them all. */
  async #agreedInWhole(action: 'keep' | 'undo', path: Path): Promise<Whose | undefined> {
    const others = this.#othersIn(
      this.#changes.parts(path).flatMap(({ owners }) => owners),
      undefined,
    );
    if (others.length < 2 || action === 'keep') return everybody;
    const go = 'Undo All in File';
    const answer = await vscode.window.showWarningMessage(
      `${nameOf(uriOf(path))} has changes of the chats ${quoted(others)}.`,
      { modal: true, detail: 'All of them are undone. Open the file to decide on each of them.' },
      go,
    );
    return answer === go ? everybody : undefined;
  }

  /** The own ones, and after a question those that another chat has made as well. */
  async #agreedInOwn(action: 'keep' | 'undo', path: Path, session: string): Promise<Whose | undefined> {
    const { touched, alone } = this.#whose(session);
    const own = this.#changes.parts(path).filter(({ owners }) => touched(owners));
    const shared = own.filter(({ owners }) => !alone(owners));
    if (shared.length === 0) return alone;
    const others = this.#othersIn(
      shared.flatMap(({ owners }) => owners),
      session,
    );
    const [all, rest] = action === 'keep' ? ['Keep Together', 'Keep Own Only'] : ['Undo Together', 'Undo Own Only'];
    const which = shared.length === 1 ? '1 change' : `${shared.length} changes`;
    const answer = await vscode.window.showWarningMessage(
      `${nameOf(uriOf(path))} has ${which} that this chat and ${quoted(others)} made in the same place.`,
      { modal: true, detail: `What both changed can only be ${action === 'keep' ? 'kept' : 'undone'} together.` },
      ...[all, ...(shared.length < own.length ? [rest] : [])],
    );
    if (answer === all) return touched;
    return answer === rest ? alone : undefined;
  }

  /** `touched`: what the chat with this session lists. `alone`: what no other open chat has a part in. */
  #whose(session: string): { touched: Whose; alone: Whose } {
    const others = new Set(this.#chats().flatMap((chat) => (chat.session === session ? [] : [chat.session])));
    return {
      touched: (owners) => owners.length === 0 || owners.some((owner) => !others.has(owner)),
      alone: (owners) => owners.every((owner) => !others.has(owner)),
    };
  }

  #othersIn(owners: readonly string[], session: string | undefined): OpenChat[] {
    return this.#chats().filter((chat) => chat.session !== session && owners.includes(chat.session));
  }
}

function quoted(chats: readonly OpenChat[]): string {
  return chats.map(({ title }) => `“${title}”`).join(' and ');
}

function countOf(paths: readonly Path[]): string {
  return paths.length === 1 ? '1 file' : `${paths.length} files`;
}
