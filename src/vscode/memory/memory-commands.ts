// /init, /memory and "# note": what the panel does with memory files.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { describeMemory } from '../../core/memory/describe-memory';
import { initInput } from '../../core/memory/init-prompt';
import { type Memory } from '../../core/memory/memory';
import { withImported } from '../../core/memory/memory-entry';
import { withNote } from '../../core/memory/memory-note';
import { portPath } from '../../node/files/port-path';
import { personalFolder } from '../../node/settings-files';
import { type Chat } from '../chat/conversation/chat';
import { uriOf } from '../host/uri-path';
import { workspaceFolders } from '../host/workspace-facts';

const maxBytes = 10_000_000;

/** All memory files, with why each is sent to the model or not; the one that is picked opens. */
export async function showMemory(chat: Chat, memory: Memory): Promise<void> {
  const { surroundings } = await chat.session();
  const entries = (await memory.look(surroundings.isHidden)).atStart.flatMap(withImported);
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(
      'Deft: there are no memory files. /init writes a CLAUDE.md, and a message that begins with "# " adds a note to one.',
    );
    return;
  }
  const items = entries.map((entry) => ({
    label: vscode.workspace.asRelativePath(entry.path),
    ...describeMemory(entry),
    path: entry.path,
    iconPath: new vscode.ThemeIcon(entry.text === '' ? 'circle-slash' : 'book'),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Memory files',
    placeHolder: 'Open a file that the agent reads',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) await vscode.window.showTextDocument(uriOf(picked.path), { preview: true });
}

/** Sends the prompt that writes or improves CLAUDE.md. */
export async function initMemory(chat: Chat, more: string): Promise<void> {
  const [folder] = workspaceFolders();
  if (folder === undefined)
    return chat.notice('info', 'No folder is open.', 'Open the folder that the CLAUDE.md is for.');
  const { files } = (await chat.session()).ports;
  await chat.send({ ...(await initInput(folder.path, files, more)), images: [] });
}

export interface NotePlace extends vscode.QuickPickItem {
  path: string | undefined;
}

export function notePlaces(): NotePlace[] {
  const projects = workspaceFolders().flatMap(({ name, path }) => [
    {
      label: 'Project',
      description: `${name}/CLAUDE.md`,
      detail: 'Kept with the code, for everybody who works on it',
      path: `${path}/CLAUDE.md`,
    },
    {
      label: 'Project, for me',
      description: `${name}/CLAUDE.local.md`,
      detail: 'In this project for you only: keep the file out of git',
      path: `${path}/CLAUDE.local.md`,
    },
  ]);
  const own = `${portPath(personalFolder(process.env, homeFolder()))}/CLAUDE.md`;
  return [
    ...projects,
    { label: 'Everywhere', description: own, detail: 'In all your projects', path: own },
    { label: 'Send as a message', description: 'to the agent, unchanged', path: undefined },
  ];
}

export type NoteAnswer = 'written' | 'send' | 'back';

export interface NoteQuestions {
  pick(places: NotePlace[], note: string): Thenable<NotePlace | undefined>;
  /** Shows the file as it would be. */
  confirm(path: string, before: string, after: string): Promise<boolean>;
}

/** Nothing is written that the user has not seen. `back`: they want neither. */
export async function addNote(chat: Chat, note: string, questions: NoteQuestions = askUser): Promise<NoteAnswer> {
  const place = await questions.pick(notePlaces(), note);
  if (place === undefined) return 'back';
  if (place.path === undefined) return 'send';
  const { files } = (await chat.session()).ports;
  const read = await files.readText(place.path, maxBytes);
  if (read.outcome === 'refused' && read.code !== 'not_found') {
    chat.notice('error', 'The note was not added.', read.message);
    return 'back';
  }
  const base = read.outcome === 'read' ? read.file : undefined;
  const text = withNote(base?.text ?? '', note);
  if (!(await questions.confirm(place.path, base?.text ?? '', text))) return 'back';
  const written = await files.writeText({ path: place.path, base, text, approved: true });
  if (written.outcome === 'written') {
    chat.notice(
      'info',
      `Noted in ${vscode.workspace.asRelativePath(place.path)}.`,
      'The agent reads it with your next message.',
    );
    return 'written';
  }
  chat.notice(
    'error',
    'The note was not added.',
    written.outcome === 'refused' ? written.message : 'The file has changed in the meantime. Send the note again.',
  );
  return 'back';
}

const scheme = 'deft-note';

const askUser: NoteQuestions = {
  pick: (places, note) =>
    vscode.window.showQuickPick(places, {
      title: 'Add a note to memory',
      placeHolder: note.split('\n')[0] ?? '',
      matchOnDescription: true,
    }),
  async confirm(path, before, after) {
    // A diff that is read-only on both sides.
    const sides = new Map([
      ['before', before],
      ['after', after],
    ]);
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => sides.get(query) ?? '',
    });
    const uris = [...sides.keys()].map((query) => vscode.Uri.from({ scheme, path, query }));
    try {
      await vscode.commands.executeCommand(
        'vscode.diff',
        uris[0],
        uris[1],
        `${path.slice(path.lastIndexOf('/') + 1)} (Deft: your note)`,
        { preview: true },
      );
      const added = after.slice(before.length).trim();
      const answer = await vscode.window.showInformationMessage(
        `Add this note to ${vscode.workspace.asRelativePath(path)}?`,
        { modal: true, detail: added },
        'Add Note',
      );
      return answer === 'Add Note';
    } finally {
      const tabs = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme);
      await Promise.resolve(vscode.window.tabGroups.close(tabs)).catch(() => false);
      provider.dispose();
    }
  },
};
