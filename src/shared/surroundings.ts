// What the chat shows apart from the conversation: the set-up, the settings that it obeys, the model, the selection.
import { type PermissionMode } from './permission';

export interface SelectionChip {
  /** "src/a.ts:12-30" or "src/a.ts". */
  label: string;
  path: string;
}

/** The worktree that the chat's session works in. */
export interface WorktreeChip {
  /** What is checked out there. */
  branch: string;
  /** Beside what the user has checked out; left out until git has said so. */
  state?: { ahead: number; behind: number; files: number };
  path: string;
}

/** The settings that the chat shows or obeys. The host reads each under the same name in its configuration. */
export interface ChatSettings {
  sendWith: 'enter' | 'ctrlEnter';
  /** A sound at the end of a turn. */
  sound: boolean;
  /** Finished turns are shown as one line each. */
  foldTurns: boolean;
}

/** They hold until the host has sent the chat its own. */
export const defaultChatSettings: ChatSettings = { sendWith: 'enter', sound: false, foldTurns: false };

/** Only those that the chat needs. */
export function chatSettings(all: ChatSettings): ChatSettings {
  const names = Object.keys(defaultChatSettings) as (keyof ChatSettings)[];
  return Object.assign({}, ...names.map((name) => ({ [name]: all[name] }))) as ChatSettings;
}

/** What the composer and the empty chat need to know apart from the chat itself. */
export interface ChatSurroundings extends ChatSettings {
  /** No key and no other way to a model yet. */
  needsSetup: boolean;
  /** What the set-up may offer: `deft.provider`, and whether VS Code itself has models. */
  setUp?: { provider: string; vscodeModels: boolean };
  /** The scripted demo model answers; named as such everywhere. */
  demo: boolean;
  trusted: boolean;
  /** Three things to try, taken from this workspace. */
  suggestions: string[];
  /** That the user's settings offer. */
  modes: PermissionMode[];
  modelLabel: string;
  selection: SelectionChip | null;
  worktree?: WorktreeChip;
  platform: 'mac' | 'other';
}

/** Until the host has sent them to the chat. */
export const unknownSurroundings: ChatSurroundings = {
  ...defaultChatSettings,
  needsSetup: false,
  demo: false,
  trusted: true,
  suggestions: [],
  modes: [],
  modelLabel: '',
  selection: null,
  platform: 'other',
};
