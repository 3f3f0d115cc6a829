// What will happen when the user accepts: the whole command, or the change.
import { type DiffHunk, type ToolView } from '../../src/shared/tool-view';
import { post } from '../host/vscode-api';
import { CommandText } from '../tools/command-text';
import { ViewBody } from '../tools/view-body';

/** `approvalId`: of an edit whose changes can be taken back one by one. */
export function Preview({ view, toolUseId, approvalId }: { view: ToolView; toolUseId: string; approvalId?: string }) {
  if (view.kind === 'terminal') {
    return (
      <>
        <pre
          class={isLong(view.command) ? 'approval-command approval-long' : 'approval-command'}
          tabIndex={0}
          role="region"
          aria-label="Command"
        >
          <code>
            <CommandText command={view.command} />
          </code>
        </pre>
        {view.sandboxed && <div class="approval-reason">It runs in the sandbox.</div>}
      </>
    );
  }
  return (
    <div class="approval-preview">
      <ViewBody
        view={view}
        toolUseId={toolUseId}
        onTakeBack={approvalId === undefined ? undefined : takeBack(approvalId)}
      />
    </div>
  );
}

/** The lines of a hunk include those around it that stay. */
function takeBack(approvalId: string): (hunk: DiffHunk) => void {
  return ({ newStart, newLines }) => {
    const start = Math.max(0, newStart - 1);
    post({ type: 'takeBackHunk', approvalId, start, end: Math.max(start + 1, newStart - 1 + newLines) });
  };
}

/** More than a few lines, at any width. */
function isLong(command: string): boolean {
  return command.length > 400 || command.split('\n', 4).length > 3;
}
