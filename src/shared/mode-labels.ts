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
  default: 'Every edit and command is shown to you first.',
  acceptEdits: 'Edits in the workspace are applied at once; you review them afterwards.',
  plan: 'Deft looks, changes nothing, and answers with a plan.',
  auto: 'Edits in the workspace are applied at once; a small model checks what else would be asked, and blocks what is dangerous.',
  dontAsk: 'What would be asked is denied. Rules and reading are all that is allowed.',
  bypassPermissions: 'Nothing is asked. Only where nothing can be lost.',
};
