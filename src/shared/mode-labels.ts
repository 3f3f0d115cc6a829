// What the permission modes are called and what each one does, in one line.
import { type PermissionMode } from './permission';

export const modeLabels: Record<PermissionMode, string> = {
  default: 'Manual',
  acceptEdits: 'Edit automatically',
  plan: 'Plan',
  auto: 'Auto',
  dontAsk: "Don't ask",
  bypassPermissions: 'Bypass permissions',
};

export const modeDescriptions: Record<PermissionMode, string> = {
  default: 'You approve every edit and command first.',
  acceptEdits: 'Edits in the workspace are applied at once; you review them afterwards.',
  plan: 'Deft reads, changes nothing, and answers with a plan.',
  auto: 'Edits in the workspace are applied at once; a small model checks everything else that would need your approval, and blocks what is dangerous.',
  dontAsk: 'Anything that needs approval is denied. Only reads and what rules allow are possible.',
  bypassPermissions: 'Deft never asks. Use it only where nothing can be lost.',
};
