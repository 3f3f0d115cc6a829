// What a session does for its checkpoints: marks each prompt, and has kept what a call may change before it runs.
import { type PermissionTarget } from '../permissions/rules/verdict';
import { type Terminal } from '../ports/terminal';
import { type SessionCheckpoints } from '../ports/checkpoints';
import { type AnyTool } from '../tool/tool';
import { type Emit } from '../events/session-event';
import { type ToolCall } from './tool-call';

/** Given what the call was judged by; returns what is to be called once it has ended. */
export type GuardCall = (
  call: ToolCall,
  tool: AnyTool,
  targets: readonly PermissionTarget[],
) => Promise<() => Promise<void>>;

export function createCallGuard(checkpoints: SessionCheckpoints, terminal: Pick<Terminal, 'background'>): GuardCall {
  return async ({ id }, tool, targets) => {
    // A link is written through: what it leads to is what changes.
    const files = targets.flatMap((target) =>
      target.kind === 'file' && target.access === 'write' ? [target.realPath] : [],
    );
    const anything = tool.access === 'DangerFullAccess' && !targets.some(({ kind }) => kind === 'url');
    if (files.length === 0 && !anything) return async () => undefined;
    const othersRun = terminal.background().some(({ end }) => end === undefined);
    return checkpoints.before({ id, files, anything, othersRun });
  };
}

/** Informs the checkpoints of each prompt that is logged. */
export function markingPrompts(checkpoints: SessionCheckpoints | undefined, emit: Emit): Emit {
  if (checkpoints === undefined) return emit;
  return (event) => {
    if (event.type === 'record' && event.record.type === 'user' && event.record.display !== undefined) {
      checkpoints.prompt(event.record.uuid, event.record.display.text);
    }
    emit(event);
  };
}
