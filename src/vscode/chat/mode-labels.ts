// What the permission modes are called and what each one does, in one line.
import { type PermissionMode } from '../../shared/permission';

export const modeLabels: Record<PermissionMode, string> = {
  default: 'Manual',
  acceptEdits: 'Edit automatically',
  plan: 'Plan',
  bypassPermissions: 'Bypass permissions',
};

export const modeDescriptions: Record<PermissionMode, string> = {
  default: 'Every edit and command is shown to you first.',
  acceptEdits: 'Edits in the workspace are applied at once; you review them afterwards.',
  plan: 'Deft looks, changes nothing, and answers with a plan.',
  bypassPermissions: 'Nothing is asked. Only where nothing can be lost.',
};
