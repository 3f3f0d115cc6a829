// What will happen when the user accepts: the whole command, or the change.
import { type ToolView } from '../../src/shared/tool-view';
import { CommandText } from '../tools/command-text';
import { ViewBody } from '../tools/view-body';

export function Preview({ view, toolUseId }: { view: ToolView; toolUseId: string }) {
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
      <ViewBody view={view} toolUseId={toolUseId} />
    </div>
  );
}

/** More than a few lines, at any width. */
function isLong(command: string): boolean {
  return command.length > 400 || command.split('\n', 4).length > 3;
}
