// Which servers of which projects the user has approved on this machine, each by its exact entry; and which they have switched off.
import { createHash } from 'node:crypto';
import path from 'node:path';
import type * as vscode from 'vscode';
import { type McpServerEntry } from '../../core/ports/mcp';

type Entry = Pick<McpServerEntry, 'name' | 'scope' | 'written'>;
type Memory = Pick<vscode.Memento, 'get' | 'update'>;

export interface McpConsent {
  isApproved(project: string, entry: Entry): boolean;
  approve(project: string, entry: Entry): Promise<void>;
  isOff(entry: Entry): boolean;
  switchOff(entry: Entry, off: boolean): Promise<void>;
}

const approvedKey = 'deft.approvedMcpServers';
const offKey = 'deft.mcpServersOff';

/** Approvals are of the machine; what is off is off in this workspace. */
export function createMcpConsent(machine: Memory, workspace: Memory): McpConsent {
  const approved = (): Record<string, Record<string, string>> =>
    machine.get<Record<string, Record<string, string>>>(approvedKey, {});
  const off = (): string[] => workspace.get<string[]>(offKey, []);
  const nameOf = ({ scope, name }: Entry): string => `${scope}:${name}`;
  return {
    isApproved: (project, entry) =>
      Object.hasOwn(approved(), project) && approved()[project]?.[nameOf(entry)] === entryFingerprint(entry),
    async approve(project, entry) {
      await machine.update(approvedKey, {
        ...approved(),
        [project]: { ...approved()[project], [nameOf(entry)]: entryFingerprint(entry) },
      });
    },
    isOff: (entry) => off().includes(nameOf(entry)),
    async switchOff(entry, isOff) {
      const others = off().filter((one) => one !== nameOf(entry));
      await workspace.update(offKey, isOff ? [...others, nameOf(entry)] : others);
    },
  };
}

export function entryFingerprint({ name, scope, written }: Entry): string {
  return createHash('sha256').update(`${scope}\0${name}\0${written}`).digest('base64url');
}

/** Approvals are kept by the folder whose file names the server. */
export function projectOf({ file, scope }: Pick<McpServerEntry, 'file' | 'scope'>): string {
  if (file === undefined) return '';
  return path.posix.dirname(scope === 'editor' ? path.posix.dirname(file) : file);
}
