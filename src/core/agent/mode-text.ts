// What the model is told when the permission mode is another one.
import { type PermissionMode } from '../../shared/permission';

export const modeText: Record<PermissionMode, string> = {
  default: 'The permission mode is now Manual: edits and commands are shown to the person first.',
  acceptEdits: 'The permission mode is now Edit automatically: edits inside the workspace are applied at once and reviewed afterwards.',
  plan: 'The permission mode is now Plan: look only, change nothing, and answer with a plan.',
  bypassPermissions: 'The permission mode is now Bypass permissions: nothing is asked first. Be careful.',
};
