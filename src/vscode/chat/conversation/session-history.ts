// The sessions of this window's folder as the history shows and changes them, open ones included.
import { setImmediate as nextTask } from 'node:timers/promises';
import { defined } from '../../../shared/defined';
import * as vscode from 'vscode';
import { homeFolder } from '../../../node/home-folder';
import { DeftError, messageOf } from '../../../core/text/errors';
import { type AgentSession } from '../../../core/feature/agent-session';
import { type SessionStore, type SessionSummary } from '../../../core/ports/session-store';
import { sourceNames } from '../../../core/external-sessions/external-session';
import { exportJson } from '../../../core/projection/export-json';
import { exportMarkdown } from '../../../core/projection/export-markdown';
import { forkRecords } from '../../../core/sessions/fork-records';
import { type SessionRecord } from '../../../core/ports/record';
import { givenTitle } from '../../../core/sessions/given-title';
import { wholeRecords } from '../../../core/sessions/light-records';
import { formatSize } from '../../../core/text/size-text';
import { type ExternalSessions } from '../../../node/sessions/external-sessions';
import { portPath } from '../../../node/files/port-path';
import { type SessionArchive } from '../../../node/sessions/session-archive';
import { removableSessions } from '../../../node/sessions/session-id';
import { type SessionRow } from '../../../shared/answers';
import { byUrgency, glanceFacts, type SessionGlance } from '../../../shared/session-glance';
import { type Chat } from './chat';
import { isExternalId } from './external-chat';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Secrets } from '../../../core/text/redact';

export interface SessionHistoryOptions {
  store: SessionStore;
  archive: SessionArchive;
  /** Those of other programs. */
  external: () => Promise<Pick<ExternalSessions, 'list' | 'search' | 'read'>>;
  /** Of a session that is not open here. */
  copyCheckpoints: (from: string, to: string) => Promise<void>;
  /** What sessions do now. */
  glances: () => Promise<ReadonlyMap<string, SessionGlance>>;
  chats: () => Chat[];
  keptDays: () => number;
  secrets: () => Secrets;
}

type ListedSession = Omit<SessionSummary, 'cwd'> & Pick<SessionRow, 'source' | 'state' | 'said' | 'facts'>;

const pageRows = 200;
const maxMatches = 100;
/** Matches are reported in batches, so that many of them do not redraw the list each. */
const batchMs = 100;

export class SessionHistory {
  readonly #options: SessionHistoryOptions;
  #listed: ListedSession[] = [];

  constructor(options: SessionHistoryOptions) {
    this.#options = options;
  }

  /** At least one page from that row on, more where `rows` says so. The list is read anew with the first page. */
  async page(
    query: string,
    from: number,
    rows: number | undefined,
    current: string,
  ): Promise<{ total: number; sessions: SessionRow[]; keptDays: number }> {
    const { keptDays } = this.#options;
    if (from === 0 || this.#listed.length === 0) this.#listed = await this.#list();
    const wanted = query.trim().toLowerCase();
    const fitting =
      wanted === '' ? this.#listed : this.#listed.filter(({ title }) => title.toLowerCase().includes(wanted));
    return {
      total: fitting.length,
      sessions: fitting.slice(from, from + Math.max(pageRows, rows ?? 0)).map((one) => rowOf(one, current)),
      keptDays: keptDays(),
    };
  }

  async #list(): Promise<ListedSession[]> {
    const { store, external, glances } = this.#options;
    const [own, others, known] = await Promise.all([store.list(), external().then((all) => all.list()), glances()]);
    const rows = own.map((one): ListedSession => {
      const glance = known.get(one.id);
      if (glance === undefined) return one;
      const facts = glanceFacts(glance);
      return {
        ...one,
        state: glance.state,
        ...defined({ said: glance.line, facts: facts === '' ? undefined : facts }),
      };
    });
    return [...rows.sort(byUrgency), ...others];
  }

  async search(
    query: string,
    current: string,
    signal: AbortSignal,
    found: (rows: SessionRow[]) => void,
  ): Promise<void> {
    const { archive, store, external } = this.#options;
    let waiting: SessionRow[] = [];
    const flush = (): void => {
      if (waiting.length > 0) found(waiting);
      waiting = [];
    };
    const timer = setInterval(flush, batchMs);
    try {
      if (query.trim() === '') return;
      let matches = 0;
      const add = ({ session, line }: { session: ListedSession; line: string }): void => {
        matches++;
        waiting.push({ ...rowOf(session, current), line });
      };
      await archive.search(await store.list(), query, { limit: maxMatches, signal, found: add });
      // Deft's own come first: they can be gone on with as they are.
      if (!signal.aborted && matches < maxMatches)
        await (await external()).search(query, { limit: maxMatches - matches, signal, found: add });
    } finally {
      clearInterval(timer);
      flush();
    }
  }

  async rename(id: string, title: string): Promise<void> {
    const name = title.replace(/\s+/g, ' ').trim();
    if (name === '') return;
    const open = await this.#openChat(id)?.session();
    if (open?.id === id) {
      open.writer.write({ type: 'custom-title', title: name });
      // The list that is shown next is read from the disk.
      await open.writer.sync();
    } else if (!(await this.#options.archive.rename(id, name)))
      throw new DeftError('session-missing', 'This session no longer exists.', { audience: 'user' });
  }

  async remove(id: string): Promise<void> {
    // Whoever deletes it has been asked.
    await this.#openChat(id)?.open(undefined, true);
    await this.#options.store.remove(id);
  }

  /** False where the user did not confirm it. */
  async removeAll(): Promise<boolean> {
    const folders = workspaceFolders().map(({ path }) => path);
    const all = await this.#options.store.list();
    // Without a folder sessions begin in the home folder.
    const sessions = removableSessions(all, folders.length > 0 ? folders : [portPath(homeFolder())]);
    if (sessions.length === 0 || !(await confirmRemoval(sessions))) return false;
    const stayed: string[] = [];
    for (const { id } of sessions) await this.remove(id).catch((error: unknown) => stayed.push(messageOf(error)));
    if (stayed.length > 0)
      void vscode.window.showWarningMessage(
        `Deft: ${stayed.length === 1 ? 'one session was' : `${stayed.length} sessions were`} not deleted. ${stayed[0]}`,
      );
    return true;
  }

  /** The chat continues in a copy. */
  async fork(id: string, chat: Chat): Promise<void> {
    const records = await this.#recordsOf(id);
    const open = await this.#openChat(id)?.session();
    const own = open?.id === id ? open.settings.checkpoints : undefined;
    // Behind what an open one still writes.
    const checkpoints = async (copy: Pick<AgentSession, 'id' | 'settings'>): Promise<void> => {
      if (copy.settings.checkpoints !== undefined)
        await (own === undefined ? this.#options.copyCheckpoints(id, copy.id) : own.copyTo(copy.id));
    };
    await chat.openCopy({ records: (copy) => forkRecords(records, copy), checkpoints });
  }

  /** To a file that the user picks. */
  async export(id: string): Promise<void> {
    const { secrets } = this.#options;
    const { records, title: found, agent } = await this.#exported(id);
    const title = found || 'Session';
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = `${fileName(title)}.md`;
    const target = await vscode.window.showSaveDialog({
      title: 'Export Session',
      filters: { Markdown: ['md'], JSON: ['json'] },
      ...defined({ defaultUri: folder && vscode.Uri.joinPath(folder, name) }),
    });
    if (target === undefined) return;
    const text = target.path.toLowerCase().endsWith('.json')
      ? exportJson(records, { id, title, secrets: secrets() })
      : exportMarkdown(records, { title, secrets: secrets(), ...defined({ agent }) });
    await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
    const open = await vscode.window.showInformationMessage(
      `Deft: the session was exported to ${vscode.workspace.asRelativePath(target)}.`,
      'Open',
    );
    if (open !== undefined) await vscode.commands.executeCommand('vscode.open', target);
  }

  #openChat(id: string): Chat | undefined {
    return this.#options.chats().find((chat) => chat.poster.state.sessionId === id);
  }

  /** What is to be exported, with the name of who answers in it. */
  async #exported(
    id: string,
  ): Promise<{ records: readonly SessionRecord[]; title: string | undefined; agent?: string }> {
    const { external, store } = this.#options;
    const shown = this.#openChat(id)?.shown ?? (isExternalId(id) ? await (await external()).read(id) : undefined);
    if (shown !== undefined)
      return {
        records: shown.records,
        title: givenTitle(shown.records) ?? shown.title,
        agent: sourceNames[shown.source],
      };
    if (isExternalId(id)) throw new DeftError('session-missing', 'Its file no longer exists.', { audience: 'user' });
    const records = await this.#recordsOf(id);
    return { records, title: givenTitle(records) ?? (await store.list()).find((one) => one.id === id)?.title };
  }

  async #recordsOf(id: string): Promise<readonly SessionRecord[]> {
    const open = await this.#openChat(id)?.session();
    // What an open session has may not be on disk yet.
    const records =
      open?.id === id
        ? await wholeRecords(open.records, { pause: nextTask, now: () => performance.now() })
        : await this.#options.archive.records(id).catch(() => []);
    if (records.length === 0)
      throw new DeftError('session-missing', 'There is nothing in this session.', { audience: 'user' });
    return records;
  }
}

function rowOf(session: ListedSession, current: string): SessionRow {
  const { id, title, updatedAt, sizeBytes, source, state, said, facts } = session;
  return { id, title, updatedAt, sizeBytes, current: id === current, ...defined({ source, state, said, facts }) };
}

async function confirmRemoval(sessions: readonly SessionSummary[]): Promise<boolean> {
  const bytes = sessions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const many = sessions.length === 1 ? 'the one session' : `all ${sessions.length.toLocaleString('en')} sessions`;
  const answer = await vscode.window.showWarningMessage(
    `Delete ${many} of this folder?`,
    {
      modal: true,
      detail: `${formatSize(bytes)} of conversations. This cannot be undone. Sessions that another window has open are kept.`,
    },
    'Delete All',
  );
  return answer !== undefined;
}

function fileName(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'session'
  );
}
