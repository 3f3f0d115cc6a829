// A block of code of an answer as a change of a file: it becomes a proposal like the agent's own, and is written once the user has accepted it.
import * as vscode from 'vscode';
import { diffTexts } from '../../../core/edits/diff-hunks';
import { diffView } from '../../../core/edits/diff-view';
import { fitAgain } from '../../../core/edits/fit-again';
import { placeCode } from '../../../core/edits/place-code';
import { type ApprovalRequest } from '../../../core/ports/approver';
import { type FileSystem, type TextFile } from '../../../core/ports/files';
import { workspaceFolders } from '../../host/workspace-facts';
import { type Chat } from '../conversation/chat';
import { type CodeForFile, targetOf } from './code-file';

const maxBytes = 10 * 1024 * 1024;

/** Throws a sentence where nothing can be proposed. Done once the user has decided. */
export async function applyCode(code: CodeForFile, chat: Chat): Promise<void> {
  if (chat.readOnly) throw new Error('This session is shown read-only: continue it in a copy first.');
  const { ports, id: session } = await chat.session();
  const { files } = ports;
  const path = await targetOf(code, files);
  if (path === undefined) return;
  const name = nameOf(path);
  const base = await baseOf(path, files);
  const realPath = await files.realPath(path);
  const placed = placeCode(base?.text ?? '', base === undefined ? withEnd(code.text) : code.text);
  if (placed.outcome === 'same') throw new Error(`${name} says so already.`);
  if (placed.outcome === 'nowhere')
    throw new Error(
      `Deft cannot tell where in ${name} it goes: ${placed.why}. Place the cursor there, or select what it replaces, and use “Insert at cursor”.`,
    );
  const { text, whole } = placed;
  const decision = await chat.sideWork.propose(requestOf({ path, name, base, text, whole }));
  if (decision?.behavior !== 'allow') return;
  await write({ path, realPath, base, text: decision.text ?? text, session }, files, name);
}

interface Change {
  path: string;
  name: string;
  base: TextFile | undefined;
  text: string;
  whole: boolean;
}

function requestOf({ path, name, base, text, whole }: Change): ApprovalRequest {
  const id = crypto.randomUUID();
  const how =
    base === undefined
      ? 'The file is new.'
      : whole
        ? 'The code takes the place of all that the file says.'
        : 'The code takes the place of the lines that begin as it does.';
  return {
    id,
    toolUseId: id,
    toolName: 'Apply',
    title: `Apply code to ${name}`,
    view: diffView(path, base === undefined, diffTexts(base?.text ?? '', text)),
    reason: `You asked for it. ${how}`,
    suggestions: [],
    byUser: true,
    proposal: { path, base, text },
  };
}

async function baseOf(path: string, files: FileSystem): Promise<TextFile | undefined> {
  const read = await files.readText(path, maxBytes);
  if (read.outcome === 'read') return read.file;
  if (read.code === 'not_found') return undefined;
  throw new Error(read.message);
}

type Accepted = Omit<Parameters<FileSystem['writeText']>[0], 'approved'>;

/** What was changed elsewhere in the file meanwhile stays. */
async function write(change: Accepted, files: FileSystem, name: string): Promise<void> {
  const written = await files.writeText({ ...change, approved: true });
  if (written.outcome === 'written') return;
  if (written.outcome === 'refused') throw new Error(written.message);
  const { current } = written;
  const fitted = current && change.base && fitAgain(change.base.text, change.text, current.text);
  if (current === undefined || fitted === undefined)
    throw new Error(`${name} was changed or deleted while the code waited. Apply it again to see it as it is now.`);
  const again = await files.writeText({ ...change, base: current, text: fitted, approved: true });
  if (again.outcome === 'written') return;
  throw new Error(again.outcome === 'refused' ? again.message : `${name} keeps changing. Apply the code again.`);
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function nameOf(path: string): string {
  return vscode.workspace.asRelativePath(path, workspaceFolders().length > 1);
}
