// Whose changes wait: a chat shows, keeps and undoes those of its own session, and asks before it touches those of another chat.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { type ChangedFile } from '../../shared/chat';
import { pathOf, uriOf } from '../host/uri-path';
import { complain, nameOf } from './change-commands';
import { type ChangeReview } from './change-review';
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

type Changes = Pick<ChangeReview, 'changes' | 'owners' | 'keep' | 'undo' | 'open' | 'openFirst'>;

/** `chats`: those that are open now. */
export function createOwnChanges(changes: Changes, chats: () => readonly OpenChat[]): OwnChanges {
  return new Own(changes, chats);
}

class Own implements OwnChanges {
  readonly #changes: Changes;
  readonly #chats: () => readonly OpenChat[];
  readonly commands: OwnChanges['commands'];

  constructor(changes: Changes, chats: () => readonly OpenChat[]) {
    this.#changes = changes;
    this.#chats = chats;
    this.commands = {
      'deft.keepAllChanges': (uri) => this.#all('keep', uri),
      'deft.undoAllChanges': (uri) => this.#all('undo', uri),
    };
  }

  of(session: string): ChangedFile[] {
    const others = new Set(this.#chats().flatMap((chat) => (chat.session === session ? [] : [chat.session])));
    return this.#changes.changes().filter(({ path }) => {
      const owners = this.#changes.owners(path);
      return owners.length === 0 || owners.some((owner) => !others.has(owner));
    });
  }

  async review(action: ReviewAction, path: Path | undefined, session: string): Promise<void> {
    const paths = path === undefined ? this.of(session).map((change) => change.path) : [path];
    if (action !== 'open') await this.#act(action, paths, session);
    else if (path === undefined) await this.#changes.openFirst(paths);
    else await this.#changes.open(path);
  }

  /** The editor title gives its file; the palette means a chat, or all. */
  async #all(action: 'keep' | 'undo', uri: unknown): Promise<void> {
    if (uri instanceof vscode.Uri) return this.#act(action, [pathOf(uri)], undefined);
    const waiting = this.#chats()
      .map((chat) => ({ ...chat, paths: this.of(chat.session).map(({ path }) => path) }))
      .filter(({ paths }) => paths.length > 0);
    const all = this.#changes.changes().map(({ path }) => path);
    if (waiting.length < 2) return this.#act(action, all, waiting[0]?.session);
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
    if (picked !== undefined) await this.#act(action, picked.paths, picked.session, picked.session === undefined);
  }

  async #act(action: 'keep' | 'undo', paths: readonly Path[], session: string | undefined, agreed = false) {
    const outcomes: UndoOutcome[] = [];
    for (const path of paths) {
      if (!agreed && !(await this.#mayTouch(action, path, session))) continue;
      if (action === 'keep') this.#changes.keep(path);
      else outcomes.push(...(await this.#changes.undo(path)));
    }
    complain(outcomes);
  }

  /** The changes of one file go together; without a session its user sees them all. */
  async #mayTouch(action: 'keep' | 'undo', path: Path, session: string | undefined): Promise<boolean> {
    const owners = this.#changes.owners(path);
    const others = this.#chats().filter((chat) => chat.session !== session && owners.includes(chat.session));
    if (others.length === 0 || (session === undefined && (others.length < 2 || action === 'keep'))) return true;
    const name = nameOf(uriOf(path));
    const whose = others.map(({ title }) => `“${title}”`).join(' and ');
    const also = session === undefined ? '' : 'also ';
    const go = action === 'keep' ? 'Keep All in File' : 'Undo All in File';
    const detail = 'The changes of one file are kept or undone together. Open the file to decide on each of them.';
    return (
      (await vscode.window.showWarningMessage(
        `${name} ${also}has changes of ${others.length === 1 ? 'the chat' : 'the chats'} ${whose}.`,
        { modal: true, detail },
        go,
      )) === go
    );
  }
}

function countOf(paths: readonly Path[]): string {
  return paths.length === 1 ? '1 file' : `${paths.length} files`;
}
