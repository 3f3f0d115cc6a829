// The terminal as one session's tools see it: a window runs commands of several, and none reads or ends another's.
import { type Terminal } from '../ports/terminal';
import { callRecord } from '../sessions/call-records';
import { type SessionRecord } from '../ports/record';

/** Background commands are those that calls of these records have started. */
export function ownCommands(terminal: Terminal, records: readonly SessionRecord[]): Terminal {
  const background: Terminal['background'] = () =>
    terminal.background().filter(({ toolUseId }) => callRecord(records, toolUseId) !== undefined);
  const owns = (id: string): boolean => background().some(({ taskId }) => taskId === id);
  const { shells } = terminal;
  return {
    run: (request, onProgress, signal) => terminal.run(request, onProgress, signal),
    background,
    output: async (taskId, maxBytes) => (owns(taskId) ? terminal.output(taskId, maxBytes) : undefined),
    moveToBackground: (toolUseId) => terminal.moveToBackground(toolUseId),
    stop: async (taskId, by) => owns(taskId) && terminal.stop(taskId, by),
    onBackgroundEnd: (listener) => terminal.onBackgroundEnd(listener),
    ...(shells === undefined ? {} : { shells: () => shells.call(terminal) }),
    dispose: () => terminal.dispose(),
  };
}
