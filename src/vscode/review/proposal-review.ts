// Edits that wait for approval, as diffs whose right side the user can change. Nothing here touches the workspace.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../core/text/errors';
import { type ApprovalRequest } from '../../core/ports/approver';
import { type Log } from '../../core/ports/log';
import { type Path } from '../../core/ports/path';
import { uriOf } from '../host/uri-path';
import { openJsonFolder } from './json-folder';
import { acceptedText, changeOf, type NewLines, type ProposalChange, proposalOf, withoutChanges } from './proposal';
import {
  activeProposal,
  closeProposalTabs,
  openProposal,
  proposalTabs,
  replaceText,
  saveSilently,
  visibleProposals,
  type ProposalSides,
} from './proposal-tabs';
import { type ReviewFiles, reviewUri } from './review-files';
import { type Proposal } from './stored-shapes';

/** What the user decided in a diff rather than in the chat. */
export interface ProposalDecision {
  requestId: string;
  behavior: 'accept' | 'reject';
}

export interface ProposalReview extends vscode.Disposable {
  /** From now on the proposal waits; its diff is shown where setting and size allow, without taking focus. */
  open(request: ApprovalRequest): Promise<void>;
  /** Shows the diff of this file, or of the first, and puts the cursor there; false where the proposal does not wait any more. */
  show(requestId: string, path?: Path): Promise<boolean>;
  /** The text as the user left it, typed or saved. Undefined where there is no such proposal. */
  textOf(requestId: string): Promise<string | undefined>;
  /** The same for the other files of the proposal, by path. */
  otherTextsOf(requestId: string): Promise<Record<Path, string>>;
  /** Without its changes in these lines: the request has one file, or the diff of one is named. False where there are none. */
  takeBack(where: { requestId: string } | { uri: vscode.Uri }, lines: NewLines): Promise<boolean>;
  /** After the decision: the tab goes, nothing is asked, the next proposal is shown. `kept`: it is to be asked again, as the user leaves it. */
  close(requestId: string, kept?: boolean): Promise<void>;
  /** Reports the decision for the diff of this URI, else for the visible one, else for the only one. False where there is none. */
  decide(behavior: ProposalDecision['behavior'], uri?: vscode.Uri): boolean;
  /** The same for all that wait; says how many they are. */
  decideAll(behavior: ProposalDecision['behavior']): number;
  readonly onDecision: vscode.Event<ProposalDecision>;
  /** The user has changed what waits; fired when they pause. */
  readonly onChange: vscode.Event<ProposalChange>;
}

export interface ProposalReviewOptions {
  /** A folder of its own that survives a reload. */
  storage: string;
  files: ReviewFiles;
  /** Of the proposal of this request. */
  reveal: (requestId: string) => 'automatic' | 'onRequest';
  log: Log;
}

/** Longer texts are shown on request only: their diff takes seconds. In UTF-16 units. */
const maxAutomaticLength = 1024 * 1024;
/** Typing is saved into memory after this pause, so that closing the tab never asks. */
const settleMs = 150;
const forgottenAfterMs = 3 * 24 * 60 * 60 * 1_000;

interface Entry {
  proposal: Proposal;
  /** Undefined for one from before a reload that nobody has asked for again. */
  requestId: string | undefined;
  /** Its diff was or may be shown without the user asking. */
  automatic: boolean;
  /** The user has typed in its editor: that text counts. */
  typed?: boolean;
  /** "2 of 6": where the proposal has several files. */
  part?: string;
}

export function createProposalReview(options: ProposalReviewOptions): ProposalReview {
  return new Proposals(options);
}

class Proposals implements ProposalReview {
  readonly #options: ProposalReviewOptions;
  readonly #stored;
  readonly #entries = new Map<string, Entry>();
  readonly #decided = new vscode.EventEmitter<ProposalDecision>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #changed = new vscode.EventEmitter<ProposalChange>();
  readonly onDecision = this.#decided.event;
  readonly onChange = this.#changed.event;
  readonly #restored: Promise<void>;

  constructor(options: ProposalReviewOptions) {
    this.#options = options;
    this.#stored = openJsonFolder(options.storage, async (value) =>
      (await import('./stored-shapes')).parseProposal(value),
    );
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.scheme === options.files.schemes.proposed) this.#typed(document);
      }),
      vscode.languages.registerCodeLensProvider(
        { scheme: options.files.schemes.proposed },
        { provideCodeLenses: ({ uri }) => this.#lenses(uri) },
      ),
      // A save may be older than what was typed while it was under way.
      options.files.proposed.onDidSave(({ uri, text }) => this.#remember(uri, documentOf(uri)?.getText() ?? text)),
    ];
    this.#restored = this.#restore();
    options.files.loading(this.#restored);
    this.#restored
      .then(() => this.#closeAbandoned())
      .catch((error: unknown) => options.log.warn('An editor of a proposal could not be closed', messageOf(error)));
  }

  async open(request: ApprovalRequest): Promise<void> {
    await this.#restored;
    if (request.proposal === undefined) return;
    const files = [request.proposal, ...(request.proposal.others ?? [])];
    const entries = files.map((file, index): Entry => {
      // The first has the call's own id, as an only one has.
      const id = index === 0 ? request.toolUseId : `${request.toolUseId}.${index}`;
      const uri = uriOf(file.shownAs ?? file.path).toString();
      const proposal = proposalOf(id, file, uri, this.#entries.get(id)?.proposal);
      const small = proposal.original.length <= maxAutomaticLength && proposal.proposed.length <= maxAutomaticLength;
      return {
        proposal,
        requestId: request.id,
        // Of several the first opens: the card leads to the others.
        automatic:
          index === 0 &&
          small &&
          proposal.original !== proposal.proposed &&
          this.#options.reveal(request.id) === 'automatic',
        ...(files.length === 1 ? {} : { part: `${index + 1} of ${files.length}` }),
      };
    });
    for (const entry of entries) {
      // What is left from before a reload is in any order.
      this.#entries.delete(entry.proposal.id);
      this.#entries.set(entry.proposal.id, entry);
      this.#serve(entry.proposal);
      this.#persist(entry.proposal);
    }
    this.#updateContext();
    // Typed before a reload.
    const typed = entries.find(({ proposal }) => proposal.shown !== proposal.proposed);
    if (typed !== undefined) this.#tellChange(typed.proposal.id);
    // One diff at a time: the others are a row in the chat.
    const busy = [...this.#entries.values()].some(
      (other) => !entries.includes(other) && other.requestId !== undefined && this.#isShown(other.proposal),
    );
    const [first] = entries;
    if (first?.automatic === true && !busy) await this.#openDiff(first, false);
  }

  async show(requestId: string, path?: Path): Promise<boolean> {
    const all = this.#allOf(requestId);
    const entry = all.find(({ proposal }) => proposal.path === path) ?? all[0];
    if (entry === undefined) return false;
    await this.#openDiff(entry, true);
    return true;
  }

  async textOf(requestId: string): Promise<string | undefined> {
    const [entry] = this.#allOf(requestId);
    return entry && this.#textOf(entry);
  }

  async otherTextsOf(requestId: string): Promise<Record<Path, string>> {
    const [, ...others] = this.#allOf(requestId);
    return Object.fromEntries(others.map((entry) => [entry.proposal.path, this.#textOf(entry)]));
  }

  async takeBack(where: { requestId: string } | { uri: vscode.Uri }, lines: NewLines): Promise<boolean> {
    const of = 'uri' in where ? [this.#entries.get(idOf(where.uri))] : this.#allOf(where.requestId);
    const [entry] = of;
    if (entry?.requestId === undefined || of.length > 1) return false;
    const { proposed } = this.#sides(entry.proposal);
    const text = withoutChanges(entry.proposal.original, this.#textOf(entry), lines);
    if (text === undefined) return false;
    if (documentOf(proposed) !== undefined) return replaceText(proposed, text);
    this.#remember(proposed, text);
    this.#options.files.proposed.set(proposed, text);
    this.#tellChange(entry.proposal.id);
    return true;
  }

  #openDiff({ proposal, part }: Entry, focus: boolean): Promise<void> {
    return openProposal(this.#sides(proposal), titleOf(proposal, part), focus);
  }

  #textOf(entry: Entry): string {
    const { proposed } = this.#sides(entry.proposal);
    const document = documentOf(proposed);
    // An editor in which nobody typed may still be loading what was proposed.
    if (document !== undefined && (document.isDirty || entry.typed === true))
      this.#remember(proposed, document.getText());
    return acceptedText(entry.proposal);
  }

  async close(requestId: string, kept = false): Promise<void> {
    const entries = this.#allOf(requestId);
    if (entries.length === 0) return;
    for (const entry of entries) await (kept ? this.#leave(entry) : this.#end(entry));
    if (kept) return;
    const next = [...this.#entries.values()].find((other) => other.requestId !== undefined && other.automatic);
    if (next !== undefined && !this.#isShown(next.proposal)) await this.#openDiff(next, false);
  }

  decide(behavior: ProposalDecision['behavior'], uri?: vscode.Uri): boolean {
    const scheme = this.#options.files.schemes.proposed;
    const active = uri?.scheme === scheme ? uri : activeProposal(scheme);
    const visible = visibleProposals(scheme);
    const shown = active ?? (visible.length === 1 ? visible[0] : undefined);
    const waiting = this.#waiting();
    const requestId =
      shown === undefined ? (waiting.length === 1 ? waiting[0] : undefined) : this.#entries.get(idOf(shown))?.requestId;
    if (requestId === undefined) return false;
    this.#decided.fire({ requestId, behavior });
    return true;
  }

  decideAll(behavior: ProposalDecision['behavior']): number {
    const waiting = this.#waiting();
    for (const requestId of waiting) this.#decided.fire({ requestId, behavior });
    return waiting.length;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#decided.dispose();
    this.#changed.dispose();
  }

  /** The requests that wait; each once, however many files it is about. */
  #waiting(): string[] {
    return [...new Set([...this.#entries.values()].flatMap(({ requestId }) => requestId ?? []))];
  }

  /** The files of a request in their order. */
  #allOf(requestId: string): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.requestId === requestId);
  }

  #sides({ id, uri }: Proposal): ProposalSides {
    const { original, proposed } = this.#options.files.schemes;
    const file = vscode.Uri.parse(uri, true);
    const query = `proposal=${encodeURIComponent(id)}`;
    return { original: reviewUri(file, original, query), proposed: reviewUri(file, proposed, query) };
  }

  #isShown(proposal: Proposal): boolean {
    return proposalTabs(this.#options.files.schemes.proposed, this.#sides(proposal).proposed).length > 0;
  }

  #serve(proposal: Proposal): void {
    const { original, proposed } = this.#sides(proposal);
    this.#options.files.original.set(original, proposal.original);
    this.#options.files.proposed.set(proposed, proposal.shown);
  }

  #typed(document: vscode.TextDocument): void {
    const { uri } = document;
    const entry = this.#entries.get(idOf(uri));
    if (entry !== undefined && document.isDirty) entry.typed = true;
    this.#remember(uri, document.getText());
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    const settle = (): void => {
      this.#timers.delete(key);
      this.#tellChange(idOf(uri));
      saveSilently(document).catch((error: unknown) =>
        this.#options.log.warn('A proposal could not be saved in memory', messageOf(error)),
      );
    };
    this.#timers.set(key, setTimeout(settle, settleMs));
  }

  #tellChange(id: string): void {
    const requestId = this.#entries.get(id)?.requestId;
    if (requestId === undefined) return;
    this.#changed.fire({ requestId, ...changeOf(this.#allOf(requestId).map(({ proposal }) => proposal)) });
  }

  /** Shown in diffs with the setting `diffEditor.codeLens` only; the editor title has the same. */
  #lenses(uri: vscode.Uri): vscode.CodeLens[] {
    if (this.#entries.get(idOf(uri))?.requestId === undefined) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      new vscode.CodeLens(top, { title: '$(check) Accept', command: 'deft.acceptEdit', arguments: [uri] }),
      new vscode.CodeLens(top, { title: '$(close) Reject', command: 'deft.rejectEdit', arguments: [uri] }),
    ];
  }

  #remember(uri: vscode.Uri, shown: string): void {
    const entry = this.#entries.get(idOf(uri));
    if (entry === undefined || entry.proposal.shown === shown) return;
    entry.proposal = { ...entry.proposal, shown };
    this.#persist(entry.proposal);
  }

  /** A disk that refuses costs the survival of a reload, nothing else. */
  #persist(proposal: Proposal): void {
    this.#stored
      .put(proposal.id, proposal)
      .catch((error: unknown) => this.#options.log.warn('A proposal could not be stored', messageOf(error)));
  }

  async #end({ proposal }: Entry): Promise<void> {
    const { original, proposed } = this.#sides(proposal);
    this.#entries.delete(proposal.id);
    this.#updateContext();
    clearTimeout(this.#timers.get(proposed.toString()));
    this.#stored.remove(proposal.id).catch(() => undefined);
    const closed = await closeProposalTabs(this.#options.files.schemes.proposed, proposed);
    if (!closed) return this.#options.files.proposed.freeze(proposed);
    this.#options.files.proposed.remove(proposed);
    this.#options.files.original.remove(original);
  }

  /** As after a reload: nobody waits for it, and what the user made of it stays for when it is asked again. */
  async #leave(entry: Entry): Promise<void> {
    const { proposed } = this.#sides(entry.proposal);
    const document = documentOf(proposed);
    if (document !== undefined && (document.isDirty || entry.typed === true))
      this.#remember(proposed, document.getText());
    entry.requestId = undefined;
    entry.automatic = false;
    this.#updateContext();
    await closeProposalTabs(this.#options.files.schemes.proposed, proposed);
  }

  async #restore(): Promise<void> {
    const stored = await this.#stored.load();
    for (const proposal of stored) {
      if (Date.now() - proposal.askedAt > forgottenAfterMs)
        void this.#stored.remove(proposal.id).catch(() => undefined);
      else if (!this.#entries.has(proposal.id)) {
        this.#entries.set(proposal.id, { proposal, requestId: undefined, automatic: false });
        this.#serve(proposal);
      }
    }
  }

  /**
   * Diffs from before a reload wait for nobody: their tabs go. What was typed stays, for when the same is proposed again;
   * a diff with unsaved typing comes back as a lone editor and is the only place that has it.
   */
  async #closeAbandoned(): Promise<void> {
    const { proposed: scheme } = this.#options.files.schemes;
    const shown = new Map(
      proposalTabs(scheme)
        .flatMap(({ input }) => sidesShown(input))
        .map((uri) => [uri.toString(), uri]),
    );
    for (const uri of shown.values()) {
      if (this.#entries.get(idOf(uri))?.requestId !== undefined) continue;
      const document = documentOf(uri);
      const text = document?.isDirty ? document.getText() : undefined;
      await closeProposalTabs(scheme, uri);
      if (text === undefined) continue;
      this.#remember(uri, text);
      this.#options.files.proposed.set(uri, text);
    }
  }

  #updateContext(): void {
    const waiting = [...this.#entries.values()].some(({ requestId }) => requestId !== undefined);
    void vscode.commands.executeCommand('setContext', 'deft.proposalPending', waiting);
  }
}

function sidesShown(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  return input instanceof vscode.TabInputText ? [input.uri] : [];
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
}

function titleOf({ uri, created }: Proposal, part?: string): string {
  const name = path.posix.basename(vscode.Uri.parse(uri, true).path);
  return `${name} (Deft: ${created ? 'new file' : 'proposed'}${part === undefined ? '' : `, ${part}`})`;
}

function idOf(uri: vscode.Uri): string {
  return new URLSearchParams(uri.query).get('proposal') ?? '';
}
