// What the model is sent when the permission mode changes.
import { type PermissionMode } from '../../shared/permission';
import { type Words, words } from '../text/words';

export const modeText: Record<PermissionMode, Words> = {
  default: 'The permission mode is now Manual: the user approves edits and commands first.',
  acceptEdits:
    'The permission mode is now Edit automatically: edits inside the workspace are applied at once and reviewed afterwards.',
  plan: words`The permission mode is now Plan: only read and change nothing, whatever else you were told. When you know enough, {{ExitPlanMode: call ExitPlanMode with the plan for the user to accept}}{{!ExitPlanMode: answer with the plan}}.`,
  auto: 'The permission mode is now Auto: edits inside the workspace are applied at once, and a reviewer that sees your actions but no results checks the rest. Do not work around what it blocks: say what was blocked, and why you need it.',
  dontAsk:
    "The permission mode is now Don't ask: anything that needs approval is denied. Do not work around it; say what was not allowed.",
  bypassPermissions: 'The permission mode is now Bypass permissions: the user is not asked first. Be careful.',
};

/** An agent's plan is its report, where it is to make one at all. */
export const agentModeText: Record<PermissionMode, Words> = {
  ...modeText,
  plan: 'You may only read: write and change nothing.',
};

/** In front of each further prompt in that mode. */
export const stillPlanText = words`The permission mode is still Plan: only read, change nothing, and {{ExitPlanMode: finish with ExitPlanMode if there is something to do}}{{!ExitPlanMode: answer with the plan}}.`;
