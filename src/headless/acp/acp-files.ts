// Files of the workspace as an editor has them: what is not saved there is read, and changes go through its buffers, so that it can undo them.
import { type AgentContext, type FileSystemCapabilities } from '@agentclientprotocol/sdk';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type FileSystem, type TextChange, type TextFile, type WriteOutcome } from '../../core/ports/files';
import { messageOf } from '../../core/text/errors';
import { contentHash } from '../../node/files/text-encoding';

export interface AcpFilesOptions {
  client: AgentContext;
  capabilities: FileSystemCapabilities;
  sessionId: string;
  /** Workspace folders: files elsewhere are Deft's own or none of the editor's. */
  folders: () => readonly string[];
  /** The editor knows the session. */
  isOpen: () => boolean;
}

export function createAcpFiles(own: FileSystem, options: AcpFilesOptions): FileSystem {
  const { client, capabilities, sessionId, folders, isOpen } = options;
  const isEditors = (file: string): boolean =>
    isOpen() && folders().some((folder) => file.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
  /** Undefined where the editor does not say. */
  const textOf = (file: string): Promise<string | undefined> =>
    client.request('fs/read_text_file', { sessionId, path: file }).then(
      ({ content }) => content,
      () => undefined,
    );

  const readText: FileSystem['readText'] = async (file, maxBytes) => {
    const read = await own.readText(file, maxBytes);
    if (read.outcome !== 'read' || capabilities.readTextFile !== true || !isEditors(file)) return read;
    return { outcome: 'read', file: withText(read.file, await textOf(file)) };
  };

  const writeText = async (change: TextChange): Promise<WriteOutcome> => {
    // A buffer may lose a mark or line endings: files that have some are written as they are.
    const isPlain = (change.base?.encoding ?? 'utf8') === 'utf8' && !change.text.includes('\r');
    if (capabilities.writeTextFile !== true || !isEditors(change.path) || !isPlain) return own.writeText(change);
    if (change.realPath !== undefined && (await own.realPath(change.path)) !== change.realPath)
      return own.writeText(change);
    const before = await readText(change.path, maxBytes);
    if (before.outcome === 'refused' && before.code !== 'not_found') return own.writeText(change);
    const current = before.outcome === 'read' ? before.file : undefined;
    if (current?.hash !== change.base?.hash) return { outcome: 'changed', current };
    try {
      await mkdir(path.dirname(change.path), { recursive: true });
      await client.request('fs/write_text_file', { sessionId, path: change.path, content: change.text });
    } catch (error) {
      return {
        outcome: 'refused',
        code: 'failed',
        message: `The editor did not write ${change.path}: ${messageOf(error)}`,
      };
    }
    return written(change, await readText(change.path, maxBytes));
  };
  return { ...own, readText, writeText };
}

const maxBytes = 256 * 1024 * 1024;

/** The file with the text of a buffer. Line endings are no difference: buffers often have but one kind. */
function withText(file: TextFile, text: string | undefined): TextFile {
  if (text === undefined || plain(text) === plain(file.text)) return file;
  const same = file.text.includes('\r\n') && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
  return { ...file, text: same, hash: contentHash(file.encoding, same), unsaved: true };
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

function written(change: TextChange, after: Awaited<ReturnType<FileSystem['readText']>>): WriteOutcome {
  if (after.outcome !== 'read')
    return { outcome: 'refused', code: 'failed', message: `The editor did not write ${change.path}. ${after.message}` };
  const { file } = after;
  const notes = [
    ...(file.text === change.text ? [] : [`The editor changed ${change.path} when it was written: read it again.`]),
    ...(file.unsaved ? [`The editor has not saved ${change.path} yet.`] : []),
  ];
  return { outcome: 'written', file, notes };
}
