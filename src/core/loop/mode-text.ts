// What the model is told when the permission mode is another one.
import { type PermissionMode } from '../../shared/permission';

export const modeText: Record<PermissionMode, string> = {
  default: 'The permission mode is now Manual: edits and commands are shown to the person first.',
  acceptEdits:
    'The permission mode is now Edit automatically: edits inside the workspace are applied at once and reviewed afterwards.',
  plan: 'The permission mode is now Plan: look only and change nothing, whatever else you were told. When you know enough, call ExitPlanMode with the plan: there the person accepts it. Where that tool is missing, answer with the plan.',
  auto: 'The permission mode is now Auto: edits inside the workspace are applied at once, and a reviewer that sees your actions but no results checks the rest. What it blocks, do not try another way: say what was blocked, and why you need it.',
  dontAsk:
    "The permission mode is now Don't ask: what would need a question is denied. Do not try to get around it; say what was not allowed.",
  bypassPermissions: 'The permission mode is now Bypass permissions: nothing is asked first. Be careful.',
};

/** An agent's plan is its report, where it is to make one at all. */
export const agentModeText: Record<PermissionMode, string> = {
  ...modeText,
  plan: 'You may only look: nothing may be written or changed.',
};

/** In front of each further prompt in that mode. */
export const stillPlanText =
  'The permission mode is still Plan: look only, change nothing, and end with ExitPlanMode where there is something to be done.';
