// Which hooks of which projects the person has allowed on this machine: a fingerprint of their exact text.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { type HookConsent } from '../../core/hooks/hook-settings';

const key = 'deft.approvedHooks';

export function createHookConsent(memory: Pick<vscode.Memento, 'get' | 'update'>): HookConsent {
  const approved = (): Record<string, string> => memory.get<Record<string, string>>(key, {});
  return {
    isApproved: (project, hooks) => approved()[project] === fingerprint(project, hooks),
    async approve(project, hooks) {
      await memory.update(key, { ...approved(), [project]: fingerprint(project, hooks) });
    },
  };
}

function fingerprint(project: string, hooks: string): string {
  return createHash('sha256').update(`${project}\0${hooks}`).digest('hex');
}
