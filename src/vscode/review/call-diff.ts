// The diff of one edit that is done and decided: both sides read-only, as they were, whatever the file holds now.
import * as vscode from 'vscode';
import { decodeFile } from '../files/text-codec';
import { uriOf } from '../host/uri-path';
import { type CallTexts } from './call-texts';
import { type ReviewFiles, reviewUri } from './review-files';

/** How many diffs are held in addition to those that are open. */
const kept = 10;

export interface CallDiffs {
  show(id: string, texts: CallTexts): Promise<void>;
}

export function createCallDiffs(files: ReviewFiles): CallDiffs {
  const shown = new Map<string, readonly [vscode.Uri, vscode.Uri]>();
  // A reload restores tabs, but not their texts: the card opens them anew.
  void vscode.window.tabGroups.close(tabsOf(files.schemes.original), true).then(undefined, () => undefined);
  const forget = (): void => {
    const open = new Set(
      tabsOf(files.schemes.original).map(({ input }) => (input as vscode.TabInputTextDiff).original.toString()),
    );
    const old = [...shown].slice(0, -kept).filter(([, [before]]) => !open.has(before.toString()));
    for (const [id, sides] of old) {
      shown.delete(id);
      sides.forEach((side) => files.original.remove(side));
    }
  };
  return {
    async show(id, { path, before, after }) {
      const file = uriOf(path);
      const [left, right] = ['before', 'after'].map((side) =>
        reviewUri(file, files.schemes.original, `call=${id}&${side}`),
      ) as [vscode.Uri, vscode.Uri];
      files.original.set(left, before);
      files.original.set(right, after);
      shown.delete(id);
      shown.set(id, [left, right]);
      await vscode.commands.executeCommand(
        'vscode.diff',
        left,
        right,
        `${path.slice(path.lastIndexOf('/') + 1)} (this edit)`,
        { preview: true },
      );
      forget();
    },
  };
}

/** As the file itself would be read. */
export async function decodeKept(bytes: Uint8Array, path: string): Promise<string | undefined> {
  const uri = uriOf(path);
  const decoded = await decodeFile(
    path,
    uri,
    bytes,
    vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString()),
  );
  return decoded.outcome === 'decoded' ? decoded.text : undefined;
}

function tabsOf(scheme: string): vscode.Tab[] {
  const isOurs = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff &&
    input.original.scheme === scheme &&
    input.original.query.startsWith('call=');
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isOurs));
}
