// Which paths deny rules hide from the model: Grep, Glob and mentions leave them out.
import { isProcessMemory } from './protected-paths';
import { isReadDenied } from '../rules/path-rules';
import { type PermissionContext } from '../rules/verdict';

/** True for a path that a Read (or bare) deny rule covers, and for the memory of processes. Cheap where no deny rule exists. */
export function hiddenPaths(context: PermissionContext): (path: string) => boolean {
  if (!context.rules.some((rule) => rule.behavior === 'deny')) return isProcessMemory;
  return (path) => isProcessMemory(path) || isReadDenied(path, context);
}

/** The same for rules that may change: they are asked once for all the paths that are checked in one go. */
export function hiddenNow(context: () => PermissionContext): (path: string) => boolean {
  let check: ((path: string) => boolean) | undefined;
  return (path) => {
    if (check === undefined) {
      check = hiddenPaths(context());
      void Promise.resolve().then(() => (check = undefined));
    }
    return check(path);
  };
}
