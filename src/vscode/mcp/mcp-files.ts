// The manager's changes of files: a server written down, taken out, switched on again, and its place shown.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type FileSystem } from '../../core/ports/files';
import { type McpServerEntry } from '../../core/ports/mcp';
import { addServer, removeServer, takeName, type ServerPlace } from '../../core/settings/edit-server-file';
import { type SettingsEdit } from '../../core/settings/edit-settings';
import { newServerEntry } from '../../core/mcp/new-server';
import { saveEdit, type SettingsTarget } from '../../core/settings/save-update';
import { portPath } from '../../node/files/port-path';
import { type NewMcpServer } from '../../shared/mcp-view';

export interface McpFiles {
  add(
    server: NewMcpServer,
  ): Promise<
    { ok: true; entry: Pick<McpServerEntry, 'name' | 'scope' | 'written' | 'file'> } | { ok: false; problem: string }
  >;
  /** Asks first. A sentence where it did not work. */
  remove(entry: McpServerEntry): Promise<string | undefined>;
  /** Takes the name out of the user's own list of those that are off. */
  enable(entry: McpServerEntry): Promise<string | undefined>;
  open(entry: McpServerEntry): Promise<string | undefined>;
}

export interface McpFilesOptions {
  files: FileSystem;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Native paths. */
  folders(): readonly string[];
  /** The user's own settings file of this project. */
  localSettings(): string | undefined;
  confirm?: (question: string, detail: string, yes: string) => Promise<boolean>;
}

/** Other programs keep much more in it than servers. */
const maxSharedBytes = 32 * 1024 * 1024;

interface Place extends SettingsTarget {
  at: ServerPlace;
}

export function createMcpFiles({
  files,
  home,
  environment,
  folders,
  localSettings,
  confirm = askUser,
}: McpFilesOptions): McpFiles {
  const shared = portPath(path.join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'));
  const newPlace = (scope: NewMcpServer['scope']): Place | string => {
    const folder = folders()[0];
    if (scope === 'user') return { file: shared, at: [] };
    if (folder === undefined) return 'No folder is open: choose “You, everywhere”.';
    if (scope === 'local') return { file: shared, at: ['projects', portPath(folder)] };
    return { file: `${portPath(folder)}/.mcp.json`, inside: portPath(folder), at: [] };
  };
  /** Where an entry that was read stands; of several folders the first that names it counts. */
  const placesOf = ({ scope, file = '' }: McpServerEntry): Place[] => {
    if (scope === 'user') return [{ file, at: [] }];
    if (scope === 'project') return [{ file, inside: path.posix.dirname(file), at: [] }];
    return scope === 'local' ? folders().map((folder) => ({ file, at: ['projects', portPath(folder)] })) : [];
  };
  const textOf = async (file: string): Promise<string> => {
    const read = await files.readText(file, maxSharedBytes);
    return read.outcome === 'read' ? read.file.text : '';
  };
  const holder = async (entry: McpServerEntry): Promise<Place | undefined> => {
    for (const place of placesOf(entry))
      if (removeServer(await textOf(place.file), place.at, entry.name).outcome !== 'same') return place;
    return undefined;
  };

  return {
    async add(server) {
      const made = newServerEntry(server);
      if (!made.ok) return made;
      const place = newPlace(server.scope);
      if (typeof place === 'string') return { ok: false, problem: place };
      const saved = await saveEdit(
        (text) => addServer(text, place.at, made.name, made.entry),
        place,
        files,
        maxSharedBytes,
      );
      if (!saved.saved) return { ok: false, problem: saved.message };
      return {
        ok: true,
        entry: {
          name: made.name,
          scope: server.scope,
          file: place.file,
          written: JSON.stringify(made.entry, undefined, 2),
        },
      };
    },
    async remove(entry) {
      const place = await holder(entry);
      if (place === undefined) return `${entry.name} is not in a file that Deft writes.`;
      if (!(await confirm(`Remove the server ${entry.name}?`, `Its entry is removed from ${place.file}.`, 'Remove')))
        return undefined;
      const saved = await saveEdit((text) => removeServer(text, place.at, entry.name), place, files, maxSharedBytes);
      return saved.saved ? undefined : saved.message;
    },
    async enable(entry) {
      const elsewhere = `A settings file switches ${entry.name} off (\`disabledMcpjsonServers\`). Remove it there.`;
      const file = localSettings();
      if (file === undefined) return elsewhere;
      let found = false;
      const edit = (text: string): SettingsEdit => {
        const taken = takeName(text, 'disabledMcpjsonServers', entry.name);
        found = taken.outcome === 'changed';
        return taken;
      };
      const saved = await saveEdit(edit, { file }, files);
      if (!saved.saved) return saved.message;
      return found ? undefined : elsewhere;
    },
    async open(entry) {
      if (entry.file === undefined) return `${entry.name} is not in any file.`;
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(entry.file));
      const at = entry.scope === 'editor' ? ['servers'] : ((await holder(entry))?.at ?? []).concat('mcpServers');
      const tree = parseTree(document.getText(), [], { allowTrailingComma: true });
      const node = tree && findNodeAtLocation(tree, [...at, entry.name]);
      const position = document.positionAt(node?.parent?.offset ?? 0);
      await vscode.window.showTextDocument(document, {
        selection: new vscode.Range(position, position),
        preview: true,
      });
      return undefined;
    },
  };
}

async function askUser(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
