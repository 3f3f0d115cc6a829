// The command "Why Is This Line Here?": leads to the message of the session whose edit wrote the line, or says which commit did.
import { dirname } from 'pathe';
import * as vscode from 'vscode';
import { sessionOfCommit } from '../../core/commit/commit-texts';
import { isTelling, type LineEdit, type LineNow, type LineOrigin, lineOrigin } from '../../core/commit/line-origin';
import { type SessionSummary } from '../../core/ports/session-store';
import { counted } from '../../shared/counted';
import { createGit } from '../../node/commits/read-changes';
import { findLineEdits, type SearchedLines } from '../../node/commits/line-search';
import { filePathOf } from '../host/uri-path';

export interface LineServices {
  sessions: () => Promise<readonly SessionSummary[]>;
  /** The folder of the sessions. */
  root: string;
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** Shows the session at this item of it. */
  open: (session: string, item?: string) => Promise<void>;
}

export async function whyThisLine(services: LineServices): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const path = editor === undefined ? undefined : filePathOf(editor.document.uri);
  if (editor === undefined || path === undefined || editor.document.uri.scheme !== 'file')
    return inform('open a file and put the cursor into the line to ask about.');
  const { document, selection } = editor;
  const at = selection.active.line;
  const line = lineNow(document, at);
  if (line.text.trim() === '') return inform('this line is blank: nothing tells who wrote it.');
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Deft: looking through sessions…' },
    async () => {
      const sessions = await services.sessions();
      const search = { root: services.root, sessions: sessions.map(({ id }) => id), path, line };
      return { sessions, searched: await findLineEdits({ ...search, signal: AbortSignal.timeout(longestMs) }) };
    },
  );
  const { sessions, searched } = found;
  const title = (id: string): string => `“${sessions.find((one) => one.id === id)?.title ?? id}”`;
  const origin = lineOrigin(searched.edits, line);
  if (origin.kind === 'edit') return showEdit(services, origin, title);
  const commit = await commitOf(services, document, at);
  await sayOther(
    services,
    { origin, commit, searched, line },
    { title, known: (id) => sessions.some((one) => one.id === id) },
  );
}

const longestMs = 30_000;

function lineNow(document: vscode.TextDocument, at: number): LineNow {
  const beside = (step: 1 | -1): string | undefined => {
    for (let next = at + step; next >= 0 && next < document.lineCount; next += step) {
      const { text } = document.lineAt(next);
      if (text.trim() !== '') return text;
    }
    return undefined;
  };
  return { text: document.lineAt(at).text, above: beside(-1), below: beside(1) };
}

async function showEdit(
  services: LineServices,
  { edit, earlier }: Extract<LineOrigin, { kind: 'edit' }>,
  title: (id: string) => string,
): Promise<void> {
  await services.open(edit.session, edit.toolUseId);
  const show = 'Show Earlier';
  const more =
    earlier.length === 0 ? '' : ` ${counted(earlier.length, 'earlier edit')} of this file wrote the same text.`;
  const answer = await vscode.window.showInformationMessage(
    `Deft: an edit of ${title(edit.session)} wrote this line on ${timeOf(edit)}.${more}`,
    ...(earlier.length === 0 ? [] : [show]),
  );
  if (answer !== show) return;
  const picked = await vscode.window.showQuickPick(
    earlier.map((one) => ({ label: title(one.session), description: timeOf(one), edit: one })),
    { title: 'Earlier Edits with the Same Line', placeHolder: 'Go to which edit?' },
  );
  if (picked !== undefined) await services.open(picked.edit.session, picked.edit.toolUseId);
}

function timeOf({ at }: Pick<LineEdit, 'at'>): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? 'an unknown day' : time.toLocaleString();
}

interface Commit {
  id: string;
  subject: string;
  author: string;
  session: string | undefined;
}

/** By git, of the text as it stands in the editor. `uncommitted` where the line is in no commit. */
async function commitOf(
  { environment }: LineServices,
  document: vscode.TextDocument,
  at: number,
): Promise<Commit | 'uncommitted' | undefined> {
  const git = createGit(environment, dirname(document.uri.fsPath));
  const line = String(at + 1);
  const blame = ['blame', '--porcelain', '-L', `${line},${line}`, '--contents', '-', '--', document.uri.fsPath];
  try {
    const blamed = await git.end({ args: blame, input: document.getText() });
    const id = /^([0-9a-f]{40,64}) /.exec(blamed.stdout)?.[1];
    if (blamed.code !== 0 || id === undefined) return undefined;
    if (/^0+$/.test(id)) return 'uncommitted';
    const shown = await git.run({ args: ['log', '-1', '--no-show-signature', '-z', '--format=%an%n%s%n%B', id, '--'] });
    const [author = '', subject = '', ...message] = shown.split('\n');
    return { id, subject, author, session: sessionOfCommit(message.join('\n')) };
  } catch {
    return undefined;
  }
}

interface OtherOrigin {
  origin: Exclude<LineOrigin, { kind: 'edit' }>;
  commit: Commit | 'uncommitted' | undefined;
  searched: SearchedLines;
  line: LineNow;
}

async function sayOther(
  services: LineServices,
  { origin, commit, searched, line }: OtherOrigin,
  { title, known }: { title: (id: string) => string; known: (id: string) => boolean },
): Promise<void> {
  const limits = [
    searched.cut > 0 ? 'Logs have only the beginning of a very long edit of this file, which may have written it.' : '',
    searched.unread > 0 ? `${counted(searched.unread, 'log')} could not be read.` : '',
    origin.kind === 'none' && !isTelling(line.text) ? 'Such a short line is found only with the lines around it.' : '',
  ].filter((sentence) => sentence !== '');
  const what =
    origin.kind === 'removed'
      ? `an edit of ${title(origin.edit.session)} wrote this text, and one of ${title(origin.by.session)} removed it again; no session's edit has written it since.`
      : "no edit in this workspace's sessions wrote this line.";
  const session = typeof commit === 'object' ? commit.session : undefined;
  const isKnown = session !== undefined && known(session);
  const open = isKnown ? 'Open Session' : origin.kind === 'removed' ? 'Show That Edit' : undefined;
  const sentence = [`Deft: ${what}`, ...limits, commitWords(commit, isKnown)].filter((part) => part !== '').join(' ');
  const answer = await vscode.window.showInformationMessage(sentence, ...(open === undefined ? [] : [open]));
  if (answer === undefined || answer !== open) return;
  if (isKnown) await services.open(session);
  else if (origin.kind === 'removed') await services.open(origin.edit.session, origin.edit.toolUseId);
}

function commitWords(commit: OtherOrigin['commit'], isKnown: boolean): string {
  if (commit === undefined) return '';
  if (commit === 'uncommitted') return 'It is in no commit yet.';
  const { id, subject, author, session } = commit;
  const named =
    session === undefined
      ? ''
      : isKnown
        ? ', which names a session of Deft'
        : `, which names the session ${session}, whose log is not here`;
  return `Commit ${id.slice(0, 8)} “${subject}” by ${author} has it${named}.`;
}

function inform(sentence: string): void {
  void vscode.window.showInformationMessage(`Deft: ${sentence}`);
}
