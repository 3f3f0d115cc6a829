// The Debugger port: programs under VS Code's own debuggers, as the user would start them.
import * as vscode from 'vscode';
import { isObject } from '../../shared/plain-object';
import { type DebugConfiguration, type Debugger } from '../../core/ports/debugger';
import { withoutCredentials } from '../../core/text/credentials';
import { messageOf } from '../../core/text/errors';
import { pathOf, uriOf } from '../host/uri-path';
import { DebugRun, rootOf, runKey } from './debug-run';
import { type BreakpointStore, createOwnBreakpoints, removeLeftBreakpoints } from './own-breakpoints';

export function createDebugger(store: BreakpointStore, subscriptions: vscode.Disposable[]): Debugger {
  const left = removeLeftBreakpoints(store);
  if (left !== undefined) subscriptions.push(left);
  // VS Code may go on calling a session the active one that has ended, if it stopped at its very end.
  const ended = new Set<string>();
  subscriptions.push(vscode.debug.onDidTerminateDebugSession(({ id }) => void ended.add(id)));
  return {
    configurations,
    types: () => [...new Set(vscode.extensions.all.flatMap(({ packageJSON }) => debuggersOf(packageJSON)))],
    sessionOfUser() {
      const active = vscode.debug.activeDebugSession;
      const root = active && rootOf(active);
      if (root === undefined || ended.has(root.id) || ended.has(active?.id ?? '')) return undefined;
      return root.configuration[runKey] === undefined ? root.name : undefined;
    },
    async start({ configuration, breakpoints, exceptions }, signal) {
      if (!vscode.workspace.isTrusted) return { problem: 'This workspace is not trusted, so nothing was started.' };
      const id = crypto.randomUUID();
      const { name, folder } = configuration;
      const run = new DebugRun({ id, name, exceptions, breakpoints: createOwnBreakpoints(store) });
      const giveUp = (): void => void run.end().catch(() => undefined);
      signal.addEventListener('abort', giveUp);
      try {
        await run.setBreakpoints(breakpoints);
        const started = await vscode.debug.startDebugging(folderFor(folder), launchable(configuration, id), {
          suppressDebugView: true,
          // What the user has not saved is theirs to save.
          suppressSaveBeforeStart: true,
        });
        signal.throwIfAborted();
        if (started && run.began()) return run;
        giveUp();
        return { problem: `VS Code did not start "${name}". It has told the user why.` };
      } catch (error) {
        giveUp();
        if (signal.aborted) throw error;
        return { problem: `VS Code did not start "${name}": ${messageOf(error)}` };
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

function folderFor(folder: string | undefined): vscode.WorkspaceFolder | undefined {
  return folder === undefined
    ? vscode.workspace.workspaceFolders?.[0]
    : vscode.workspace.getWorkspaceFolder(uriOf(folder));
}

/** What programs get is without Deft's credentials, as in commands. A variable that the configuration sets itself stays. */
function launchable({ values, name, type, request }: DebugConfiguration, id: string): vscode.DebugConfiguration {
  const withheld = withheldValue[type];
  const given = isObject(values['env']) ? values['env'] : {};
  const env =
    withheld === undefined || request !== 'launch'
      ? {}
      : { env: { ...Object.fromEntries(credentialNames().map((variable) => [variable, withheld.value])), ...given } };
  return { internalConsoleOptions: 'neverOpen', ...values, ...env, name, type, request, [runKey]: id };
}

/** How a debugger is told to leave a variable out; debugpy can only empty it. */
const withheldValue: Readonly<Record<string, { value: null | '' }>> = {
  node: { value: null },
  'pwa-node': { value: null },
  debugpy: { value: '' },
};

function credentialNames(): string[] {
  const kept = withoutCredentials(process.env);
  return Object.keys(process.env).filter((name) => !Object.hasOwn(kept, name));
}

function configurations(): DebugConfiguration[] {
  const { workspaceFolders = [], workspaceFile } = vscode.workspace;
  const ofFolders = workspaceFolders.flatMap(({ uri }) => {
    const found = vscode.workspace.getConfiguration('launch', uri).inspect<unknown[]>('configurations');
    return readable(found?.workspaceFolderValue, pathOf(uri));
  });
  if (workspaceFile === undefined && ofFolders.length > 0) return ofFolders;
  const found = vscode.workspace.getConfiguration('launch').inspect<unknown[]>('configurations');
  return [...ofFolders, ...readable(found?.workspaceValue, undefined)];
}

function readable(list: unknown, folder: string | undefined): DebugConfiguration[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((values: unknown): DebugConfiguration[] => {
    if (!isObject(values)) return [];
    const { name, type, request } = values;
    if (typeof name !== 'string' || typeof type !== 'string' || typeof request !== 'string') return [];
    return [{ name, type, request, ...(folder === undefined ? {} : { folder }), values }];
  });
}

function debuggersOf(manifest: unknown): string[] {
  const contributed =
    isObject(manifest) && isObject(manifest['contributes']) ? manifest['contributes']['debuggers'] : [];
  return Array.isArray(contributed)
    ? contributed.flatMap((one) => (isObject(one) && typeof one['type'] === 'string' ? [one['type']] : []))
    : [];
}
