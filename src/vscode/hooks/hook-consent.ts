// Which hooks of which projects the user has allowed on this machine: a fingerprint of their exact text, and of each script.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { type HookConsent } from '../../core/hooks/hook-settings';

const key = 'deft.approvedHooks';

interface Approval {
  hooks: string;
  scripts: Readonly<Record<string, string>>;
}

export function createHookConsent(memory: Pick<vscode.Memento, 'get' | 'update'>): HookConsent {
  // A bare fingerprint, as versions before this one kept it, says nothing of scripts: it is asked again.
  const approved = (): Record<string, Approval | string> => memory.get<Record<string, Approval | string>>(key, {});
  const approvalOf = (project: string): Approval | undefined => {
    const approval = approved()[project];
    return typeof approval === 'string' ? undefined : approval;
  };
  return {
    isApproved: (project, hooks) => approvalOf(project)?.hooks === fingerprint(project, hooks),
    scripts: (project) => approvalOf(project)?.scripts ?? {},
    async approve(project, hooks, scripts) {
      await memory.update(key, { ...approved(), [project]: { hooks: fingerprint(project, hooks), scripts } });
    },
  };
}

function fingerprint(project: string, hooks: string): string {
  return createHash('sha256').update(`${project}\0${hooks}`).digest('hex');
}
