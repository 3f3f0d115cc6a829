// Reads Deft's settings, typed and with their defaults; the names are those of package.json.
import * as vscode from 'vscode';
import { type ProviderSetting, providerSettings } from '../../core/model/provider-choice';
import { type ContextManagement } from '../../core/wire/context-edits';
import { type ApiFeatures } from '../../core/wire/model-capabilities';
import { type Effort } from '../../core/wire/wire';
import { defaultSessionsDirectory } from '../../node/sessions/sessions-directory';
import { type PermissionMode } from '../../shared/permission';
import { type ChatSettings } from '../../shared/surroundings';

/** Tools of other extensions: all, or those of these names. */
export type OfferedTools = 'all' | ReadonlySet<string>;

export interface Configuration extends ChatSettings {
  model: string;
  effort: Effort | undefined;
  provider: ProviderSetting;
  /** How long the API keeps what requests have in common. */
  cacheLifetime: '5m' | '1h';
  contextManagement: ContextManagement;
  strictTools: boolean;
  /** Dollars a session; 0 for no limit. */
  sessionBudget: number;
  baseUrl: string;
  apiFeatures: ApiFeatures;
  /** Undefined where the user has not set it. */
  initialPermissionMode: PermissionMode | undefined;
  terminalStrategy: 'managed' | 'shell';
  location: 'sidebar' | 'editor';
  notifications: 'off' | 'whenAway' | 'always';
  allowBypass: boolean;
  reveal: 'automatic' | 'onRequest';
  diagnosticsDelay: number;
  extensionTools: OfferedTools;
  /** The program of the browser; empty where Deft looks for one. */
  pageBrowser: string;
  sessionsDirectory: string;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

let current: Configuration | undefined;
let watching: vscode.Disposable | undefined;

/** Kept until a setting changes: VS Code copies its whole configuration for every look. */
export function readConfiguration(): Configuration {
  watching ??= vscode.workspace.onDidChangeConfiguration(() => (current = undefined));
  return (current ??= read());
}

function read(): Configuration {
  const settings = vscode.workspace.getConfiguration('deft');
  const effort = settings.get<string>('effort', 'default');
  return {
    model: settings.get('model', ''),
    effort: effort === 'default' ? undefined : (effort as Effort),
    provider: providerSettings.find((one) => one === personal(settings, 'provider', 'auto')) ?? 'auto',
    cacheLifetime: personal<string>(settings, 'cacheLifetime', '5m') === '1h' ? '1h' : '5m',
    contextManagement: settings.get('contextManagement', 'default'),
    strictTools: settings.get('strictTools', false),
    sessionBudget: personal(settings, 'budget.session', 0),
    baseUrl: personal(settings, 'baseUrl', ''),
    apiFeatures: personal(settings, 'apiFeatures', 'auto'),
    initialPermissionMode: settings.inspect<PermissionMode>('initialPermissionMode')?.globalValue,
    terminalStrategy: settings.get('terminal.strategy', 'managed'),
    sendWith: settings.get('chat.sendWith', 'enter'),
    foldTurns: settings.get('chat.foldTurns', false),
    location: settings.get('chat.location', 'sidebar'),
    notifications: settings.get('notifications', 'whenAway'),
    sound: settings.get('notificationSound', false),
    allowBypass: personal(settings, 'allowBypassPermissions', false),
    reveal: settings.get('review.reveal', 'automatic'),
    diagnosticsDelay: settings.get('diagnostics.delay', 200),
    extensionTools: offeredTools(settings),
    pageBrowser: personal(settings, 'page.browser', ''),
    // Left empty it would be the home folder itself.
    sessionsDirectory: personal(settings, 'sessions.directory', '') || defaultSessionsDirectory,
    logLevel: settings.get('log.level', 'info'),
  };
}

/** Anything that is not known means none. `true` and `false` are what the setting was before it could name tools. */
function offeredTools(settings: vscode.WorkspaceConfiguration): OfferedTools {
  const which = personal<unknown>(settings, 'extensionTools', 'off');
  if (which === 'all' || which === true) return 'all';
  if (which !== 'listed') return new Set();
  const names = personal<unknown>(settings, 'listedExtensionTools', []);
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
}

/** What holds for one file: a folder of the workspace may have its own. */
export function writeSettings(file: vscode.Uri): { autosave: boolean } {
  return { autosave: vscode.workspace.getConfiguration('deft', file).get('autosave', true) };
}

/** The user's own value: a workspace must not redirect requests, or choose how much is asked. */
function personal<Value>(settings: vscode.WorkspaceConfiguration, name: string, fallback: Value): Value {
  const values = settings.inspect<Value>(name);
  return values?.globalValue ?? values?.defaultValue ?? fallback;
}
