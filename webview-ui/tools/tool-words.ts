// A tool call in words and pictures: its sentence, its state, how long it took.
import { type ToolItem, type ToolState } from '../../src/shared/chat';
import { type TerminalView } from '../../src/shared/tool-view';
import { infinitive } from '../../src/shared/infinitive';
import { viewKind } from '../../src/shared/view-kinds';

/** What it does, did, or would do: what waits or never happened is described neither as under way nor as done. */
export function toolSentence(tool: ToolItem): string {
  if (tool.state === 'done') return tool.sentence.past;
  // What waits may still be on its way from the model.
  if (tool.state === 'running' || (tool.state === 'waiting' && tool.writing !== undefined)) return tool.sentence.now;
  return hasRun(tool) ? tool.sentence.past : infinitive(tool.sentence.now);
}

/** What became of it, where that is not plain from the sentence. */
export function stateWord(tool: ToolItem): string {
  return tool.state === 'stopped' && tool.message?.startsWith(notRun) === true ? 'not run' : stateWords[tool.state];
}

/** How the host says that a call never began. */
const notRun = 'This call was not run:';

/** Of one that failed or was stopped: a command that began. */
function hasRun({ state, view }: ToolItem): boolean {
  if (state !== 'failed' && state !== 'stopped') return false;
  return view?.kind === 'terminal' && view.state !== 'not-started' && (state === 'stopped' || view.state !== 'running');
}

const stateWords: Readonly<Record<ToolState, string>> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  stopped: 'stopped',
};

/** The codicon in front of the sentence: what kind of thing was done, or what went wrong. */
export function toolIcon(tool: ToolItem): { name: string; spin?: boolean } {
  switch (tool.state) {
    case 'waiting':
      return { name: 'circle-large-outline' };
    case 'running':
      return { name: 'loading', spin: true };
    case 'failed':
      return { name: 'error' };
    case 'denied':
      return { name: 'circle-slash' };
    case 'stopped':
      return { name: 'stop-circle' };
    case 'done':
      return { name: tool.view === undefined ? 'tools' : viewKind(tool.view).icon(tool.view) };
  }
}

/** "0.1s", "12s", "2m 5s". */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds < 0.05 ? '0' : seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes}m ${whole % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** How a command ended, or that it has not. Empty for a plain success. */
export function commandStateText(view: TerminalView): string {
  switch (view.state) {
    case 'running':
      return '';
    case 'exited':
      return view.exitCode === 0 || view.exitCode === undefined ? '' : `exit code ${view.exitCode}`;
    case 'signalled':
      return view.exitCode === undefined ? 'ended by a signal' : `ended by a signal, exit code ${view.exitCode}`;
    case 'background':
      return view.taskId === undefined ? 'runs in the background' : `runs in the background as ${view.taskId}`;
    case 'killed':
      return 'killed';
    case 'interrupted':
      return 'interrupted by you';
    case 'suspended':
      return 'suspended';
    case 'closed':
      return 'terminal closed by you';
    case 'not-started':
      return 'not started';
    case 'lost':
      return 'lost, exit code unknown';
    case 'incomplete-output':
      return 'output incomplete';
  }
}

/** "812 B", "14 KB", "2.3 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 * 1_024) return `${Math.round(bytes / 1_024)} KB`;
  return `${(bytes / 1_024 / 1_024).toFixed(1)} MB`;
}
