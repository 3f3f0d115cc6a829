// Into which permission mode whoever drives a run may switch it.
import { type PermissionMode } from '../../shared/permission';

export interface ModeLimits {
  /** Why the settings files forbid a mode. */
  switchedOff(mode: PermissionMode): string | undefined;
  /** The run was started so that all questions may be switched off. */
  bypassStarted: boolean;
}

/** A sentence; undefined where the run may switch to it. */
export function refusedMode(mode: PermissionMode, { switchedOff, bypassStarted }: ModeLimits): string | undefined {
  const off = switchedOff(mode);
  if (off !== undefined) return off;
  return mode === 'bypassPermissions' && !bypassStarted
    ? 'A run can switch to bypassPermissions only if it was started with --permission-mode bypassPermissions or --allow-dangerously-skip-permissions.'
    : undefined;
}
