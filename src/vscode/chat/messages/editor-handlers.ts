// What messages open in VS Code: diffs, files, links, terminals, rules, reviews.
import * as vscode from 'vscode';
import { type editorMessages } from '../../../shared/protocol';
import { type Handlers } from '../panel/handler';

export const editorHandlers: Handlers<typeof editorMessages> = {
  openDiff: (target, chat, { openDiff }) => openDiff(target, chat),
  takeBackHunk: async ({ approvalId, ...lines }, _chat, { takeBackHunk }) => {
    if (!(await takeBackHunk(approvalId, lines))) throw new Error('It is not there any more.');
  },
  openFile: async ({ path, line, column }, chat, { linkTarget }) => {
    const uri = await linkTarget(path, chat);
    if (uri === undefined) return;
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
    const selection = line === undefined ? {} : { selection: new vscode.Range(position, position) };
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selection });
  },
  insertCode: async ({ text }) => {
    // Where the chat is an editor itself, none is active: then it is one that is in sight.
    const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find(isOfFile);
    if (editor === undefined) throw new Error('No file is open. Open one, and place the cursor where the code goes.');
    const done = await editor.edit((builder) => {
      for (const selection of editor.selections) builder.replace(selection, text);
    });
    if (!done) throw new Error(`${vscode.workspace.asRelativePath(editor.document.uri)} cannot be changed.`);
  },
  applyCode: async (input, chat) => (await import('./apply-code')).applyCode(input, chat),
  picture: async ({ path }, chat) => (await import('./answer-picture')).answerPicture(path, chat),
  openLink: async ({ url }) => {
    // The message holds nothing but web addresses: never a command: or file: link that a model wrote.
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  },
  showTerminal: ({ toolUseId }, _chat, { showTerminal }) => showTerminal(toolUseId),
  openRule: ({ file, rule }, _chat, { openRule }) => openRule(file, rule),
  review: ({ action, path }, chat, { review }) => review(action, path, chat),
};

function isOfFile({ document: { uri } }: vscode.TextEditor): boolean {
  return !uri.scheme.startsWith('deft') && uri.scheme !== 'output';
}
