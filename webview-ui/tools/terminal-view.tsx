// A command, the end of what it writes while it runs, and all of it on demand.
import { type TerminalView } from '../../src/shared/tool-view';
import { post } from '../host/vscode-api';
import { CopyButton } from '../parts/copy-button';
import { TextLink } from '../parts/file-link';
import { Hidden } from '../parts/disclosure';
import { loadWholeOutput, outputs } from '../state/call-details';
import { useRowState } from '../state/row-state';
import { CommandText } from './command-text';
import { lastLines, terminalText } from '../../src/shared/terminal-text';
import { sizeText } from './tool-words';

const TAIL_LINES = 8;

export interface TerminalBodyProps {
  view: TerminalView;
  toolUseId: string;
  /** The whole command is already shown above. */
  commandShown: boolean;
}

export function TerminalBody({ view, toolUseId, commandShown }: TerminalBodyProps) {
  const [wanted, setWanted] = useRowState(`output ${toolUseId}`, false);
  const output = outputs.value.get(toolUseId);
  const running = view.state === 'running';
  const whole = wanted && output !== undefined;
  const end = terminalText(view.tail).trimEnd();
  const tail = lastLines(end, TAIL_LINES);
  const shown = whole ? terminalText(output.text).trimEnd() : tail;
  const hasMore = new TextEncoder().encode(view.tail).length < view.bytes || end.split('\n').length > TAIL_LINES;
  const showAll = () => {
    setWanted(!whole);
    if (!whole) void loadWholeOutput(toolUseId);
  };
  return (
    <div class="terminal">
      {!commandShown && <Command command={view.command} />}
      {(shown !== '' || running) && (
        <pre
          class={whole ? 'terminal-output terminal-whole' : 'terminal-output'}
          tabIndex={0}
          role="region"
          aria-label={whole ? 'Whole output' : 'End of the output'}
        >
          {shown}
        </pre>
      )}
      {whole && output.truncated && (
        <div class="terminal-note">Only a part is shown: the output is {sizeText(view.bytes)} long.</div>
      )}
      {view.note && <div class="terminal-note">{view.note}</div>}
      <div class="terminal-foot">
        {view.sandboxed && (
          <span title="It writes only in the workspace and reaches only allowed hosts">Sandboxed</span>
        )}
        {shown === '' && !running && <span>No output</span>}
        {(hasMore || whole) && <WholeOutputLink whole={whole} bytes={view.bytes} onOpen={showAll} />}
        {whole && view.outputPath !== undefined && <OutputFileLink path={view.outputPath} />}
        <TextLink title="Show this command's terminal" onOpen={() => post({ type: 'showTerminal', toolUseId })}>
          Show terminal
        </TextLink>
      </div>
    </div>
  );
}

function WholeOutputLink({ whole, bytes, onOpen }: { whole: boolean; bytes: number; onOpen: () => void }) {
  return (
    <TextLink
      title={whole ? 'Show only the end of the output' : `Show all output (${sizeText(bytes)})`}
      onOpen={onOpen}
    >
      {whole ? 'Show less' : 'Show all output'}
    </TextLink>
  );
}

function OutputFileLink({ path }: { path: string }) {
  return (
    <TextLink title={path} onOpen={() => post({ type: 'openFile', path })}>
      Open as a file
    </TextLink>
  );
}

function Command({ command }: { command: string }) {
  return (
    <div class="terminal-command">
      <span class="terminal-prompt" aria-hidden="true">
        $
      </span>
      <code>
        <Hidden>Command: </Hidden>
        <CommandText command={command} />
      </code>
      <CopyButton text={() => command} label="Copy command" />
    </div>
  );
}
