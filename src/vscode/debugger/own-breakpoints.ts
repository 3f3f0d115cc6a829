// Breakpoints that Deft adds to VS Code's list: only for as long as its program runs, and never in place of the user's.
import * as vscode from 'vscode';
import { type Breakpoint } from '../../core/ports/debugger';
import { uriOf } from '../host/uri-path';

const storeKey = 'deft.debugBreakpoints';

/** VS Code keeps breakpoints for the next window: ids of those that this one has not removed. */
export type BreakpointStore = Pick<vscode.Memento, 'get' | 'update'>;

export interface OwnBreakpoints {
  /** In place of those before. */
  set(breakpoints: readonly Breakpoint[]): void;
  all(): readonly (Breakpoint & { users: boolean })[];
}

export function createOwnBreakpoints(store: BreakpointStore): OwnBreakpoints {
  let added: vscode.Breakpoint[] = [];
  let all: (Breakpoint & { users: boolean })[] = [];
  return {
    all: () => all,
    set(breakpoints) {
      if (added.length > 0) vscode.debug.removeBreakpoints(added);
      const gone = added;
      all = breakpoints.map((breakpoint) => ({ ...breakpoint, users: isThere(breakpoint) }));
      added = all.filter(({ users }) => !users).map(sourceBreakpoint);
      remember(store, gone, added);
      if (added.length > 0) vscode.debug.addBreakpoints(added);
    },
  };
}

function remember(
  store: BreakpointStore,
  gone: readonly vscode.Breakpoint[],
  added: readonly vscode.Breakpoint[],
): void {
  const ids = new Set(store.get<string[]>(storeKey, []));
  gone.forEach(({ id }) => ids.delete(id));
  added.forEach(({ id }) => ids.add(id));
  void store.update(storeKey, ids.size === 0 ? undefined : [...ids]);
}

function sourceBreakpoint({ path, line, condition, hitCondition, logMessage }: Breakpoint): vscode.SourceBreakpoint {
  const location = new vscode.Location(uriOf(path), new vscode.Position(line - 1, 0));
  return new vscode.SourceBreakpoint(location, true, condition, hitCondition, logMessage);
}

/** The user has the same one: a second would only be one more in the list. */
function isThere({ path, line, condition, hitCondition, logMessage }: Breakpoint): boolean {
  const uri = uriOf(path).toString();
  return vscode.debug.breakpoints.some(
    (one) =>
      one instanceof vscode.SourceBreakpoint &&
      one.enabled &&
      one.location.uri.toString() === uri &&
      one.location.range.start.line === line - 1 &&
      (one.condition ?? '') === (condition ?? '') &&
      (one.hitCondition ?? '') === (hitCondition ?? '') &&
      (one.logMessage ?? '') === (logMessage ?? ''),
  );
}

/** What a window that went away in the middle of a run has left. VS Code tells of its list a little later. */
export function removeLeftBreakpoints(store: BreakpointStore): vscode.Disposable | undefined {
  const left = new Set(store.get<string[]>(storeKey, []));
  if (left.size === 0) return undefined;
  const remove = (): void => {
    const found = vscode.debug.breakpoints.filter(({ id }) => left.has(id));
    if (found.length === 0) return;
    subscription.dispose();
    remember(store, found, []);
    vscode.debug.removeBreakpoints(found);
  };
  const subscription = vscode.debug.onDidChangeBreakpoints(remove);
  remove();
  return subscription;
}
