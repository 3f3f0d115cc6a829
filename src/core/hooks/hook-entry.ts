// One hook as a settings file names it: when it runs, and what is run.
import { type PermissionRuleValue, type RuleSource } from '../../shared/permission';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type HookEvent } from '../ports/hook-events';

export type HookHandler =
  /** With `args` the command is a program that is started as it is; without, a line for a shell. */
  | {
      type: 'command';
      command: string;
      args?: string[];
      shell?: 'bash' | 'powershell';
      async?: boolean;
      asyncRewake?: boolean;
      /** Variables that look like credentials, which it gets although its text does not name them. */
      allowedEnvVars?: string[];
    }
  | { type: 'http'; url: string; headers?: Record<string, string>; allowedEnvVars?: string[] }
  | { type: 'mcp_tool'; server: string; tool: string; input?: Record<string, unknown> }
  | { type: 'prompt'; prompt: string; model?: string; continueOnBlock?: boolean }
  | { type: 'agent'; prompt: string; model?: string }
  /** From the program that runs Deft; no settings file can name one. */
  | { type: 'callback'; id: string };

export interface HookEntry {
  event: HookEvent;
  /** The key of the settings that names it, where it belongs to no event: shown instead. */
  label?: string;
  /** As written; empty where none is. */
  matcher: string;
  handler: HookHandler;
  /** `if`: runs only where this rule covers the call. */
  condition?: PermissionRuleValue;
  timeoutSeconds?: number;
  /** Shown while it runs. */
  statusMessage?: string;
  /** For a skill: it runs one time, then never again. */
  once?: boolean;
  /** If it fails, what it guards does not happen. */
  failClosed?: boolean;
  source: RuleSource;
  /** The settings file, and the folder that it belongs to. */
  file: string;
  root: string;
  /** The project's agent or skill file that contains it: agreed to by itself, in addition to the hooks of settings files. */
  owner?: string;
  /** The plugin that supplies it. */
  plugin?: PluginIdentity;
}

/** What the user's permission covers: all hooks of one project's settings, or all hooks that one of its files contains. */
export function agreedWith({ owner, root }: Pick<HookEntry, 'owner' | 'root'>): string {
  return owner ?? root;
}

/** Both files are in the folder: whoever wrote the project may have written them. */
export function isProjectHook({ source }: Pick<HookEntry, 'source'>): boolean {
  return source === 'projectSettings' || source === 'localSettings';
}

/** What is run, on one line. */
export function handlerText(handler: HookHandler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? []).map((arg) => JSON.stringify(arg))].join(' ');
    case 'http':
      return `POST ${handler.url}`;
    case 'mcp_tool':
      return `${handler.server}: ${handler.tool}`;
    case 'callback':
      return handler.id;
    case 'prompt':
    case 'agent':
      return `${handler.type}: ${handler.prompt}`;
  }
}
