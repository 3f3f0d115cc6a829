// The managed strategy: Deft's own process for each command, shown in a terminal that the user can type into.
import { execFile } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import { type CommandEnd } from '../../core/ports/command-end';
import { type Launch, type LaunchEnd, type LaunchRequest, type ProcessLaunch } from '../../node/terminal/launcher';
import { hasScript, launchShownProcess, launchTerminalProcess } from '../../node/terminal/process-launcher';
import { waitsForInput } from '../../node/terminal/process-input';
import { send } from '../../node/terminal/process-tree';
import { readSmallFile } from '../../node/terminal/run-files';
import { commandTitle, createDisplayText } from './display-text';
import { createShownTerminal, type ShownCommand, type ShownTerminal, type TerminalSize } from './shown-terminal';

const NAME = 'Deft';
/** After a command's end its last output may still be on the way; something that it left behind may write for ever. */
const LAST_OUTPUT_MS = 300;
const INPUT_CHECK_MS = 1000;
const SILENCE_MS = 2000;
const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

export interface ManagedTerminals {
  launch(request: LaunchRequest): Promise<Launch>;
  /** Moves the terminal of this call to the front, false where it is gone; without one the first, false where there is none. */
  show(id?: string): boolean;
  dispose(): void;
}

/** `onWaiting` is called once for a command that seems to wait for the user's input. */
export function createManagedTerminals(onWaiting: (command: string, show: () => void) => void): ManagedTerminals {
  const terminals: ShownTerminal[] = [];
  let revealed = false;
  /** Where the command of a call ran, by its id. */
  const homes = new Map<string, ShownTerminal>();

  const take = (): ShownTerminal => {
    const free = terminals.find((terminal) => terminal.isFree());
    if (free) return free;
    const name = terminals.length === 0 ? NAME : `${NAME} ${terminals.length + 1}`;
    const made = createShownTerminal(name, () => {
      terminals.splice(terminals.indexOf(made), 1);
      for (const [id, home] of homes) if (home === made) homes.delete(id);
    });
    terminals.push(made);
    // Once, without taking the focus: the user should see that there is a terminal. Afterwards it is theirs to show or hide.
    if (!revealed) made.show();
    revealed = true;
    return made;
  };

  return {
    launch: (request) => {
      const terminal = take();
      if (request.id !== undefined) homes.set(request.id, terminal);
      return launchIn(terminal, request, onWaiting);
    },
    show: (id) => {
      const terminal = id === undefined ? terminals[0] : homes.get(id);
      terminal?.show();
      return terminal !== undefined;
    },
    dispose: () => [...terminals].forEach((terminal) => terminal.dispose()),
  };
}

async function launchIn(
  terminal: ShownTerminal,
  request: LaunchRequest,
  onWaiting: (command: string, show: () => void) => void,
): Promise<Launch> {
  let process: ProcessLaunch | undefined;
  let close: (end: LaunchEnd) => void = () => undefined;
  const closed = new Promise<LaunchEnd>((resolve) => (close = resolve));
  const typing = { refused: false };
  const shown: ShownCommand = {
    type: (text) => {
      if (text.includes('\u0003')) request.onInterrupt();
      if (process?.takesKeys) process.type(withoutSuspend(text));
      else if (text.includes('\u0003')) void interrupt(request);
      else if (!typing.refused) {
        typing.refused = true;
        turn.write(`${DIM}[commands take no input on this system; Ctrl+C ends the command]${PLAIN}\r\n`);
      }
    },
    resize: (size) => void resize(request, size),
    closed: () => close({ kind: 'closed' }),
  };
  // Claimed before anything is awaited: another command that starts now takes another terminal.
  const turn = terminal.claim(shown);
  turn.write(`${commandTitle(request.command).replaceAll('\n', '\r\n')}\r\n`);
  try {
    process =
      request.shell === 'bash' && (await hasScript())
        ? await launchTerminalProcess(request, terminal.size())
        : await launchShownProcess(request);
  } catch (error) {
    turn.end();
    terminal.release(shown);
    throw error;
  }
  const display = createDisplayText();
  let heardAt = Date.now();
  process.output?.on('data', (chunk: Buffer) => {
    heardAt = Date.now();
    turn.write(display.push(chunk));
  });
  const drained = new Promise<void>((resolve) => void (process?.output?.once('close', resolve) ?? resolve()));
  const watch = setInterval(() => {
    if (Date.now() - heardAt < SILENCE_MS) return;
    void waiting(request).then((yes) => {
      if (!yes) return;
      clearInterval(watch);
      onWaiting(request.command, () => terminal.show());
    });
  }, INPUT_CHECK_MS);
  watch.unref();

  return {
    over: Promise.race([process.over, closed]),
    abandon: process.abandon,
    finished: (end, durationMs) => {
      clearInterval(watch);
      terminal.release(shown);
      void Promise.race([drained, after(LAST_OUTPUT_MS)]).then(() => {
        turn.write(`${display.end()}${DIM}[${summary(end, durationMs)}]${PLAIN}\r\n\r\n`);
        turn.end();
      });
    },
  };
}

function summary(end: CommandEnd, durationMs: number): string {
  const code = 'code' in end && end.code !== undefined ? ` ${end.code}` : '';
  return `${end.state === 'exited' ? 'exit' : end.state}${code}, ${(durationMs / 1000).toFixed(1)} s`;
}

/** Ctrl+Z would stop the command for good: there is no shell to take it back. */
const withoutSuspend = (text: string) => text.replaceAll('\u001a', '');

async function interrupt({ files }: LaunchRequest): Promise<void> {
  const group = Number(await readSmallFile(files.pid));
  if (group > 1) send(-group, 'SIGINT');
}

async function resize({ files }: LaunchRequest, { columns, rows }: TerminalSize): Promise<void> {
  const pid = Number(await readSmallFile(files.pid));
  const terminal = pid > 1 ? await readlink(`/proc/${pid}/fd/0`).catch(() => '') : '';
  if (!terminal.startsWith('/dev/pts/')) return;
  execFile('stty', ['-F', terminal, 'cols', String(columns), 'rows', String(rows)], () => undefined);
}

async function waiting({ files }: LaunchRequest): Promise<boolean> {
  const group = Number(await readSmallFile(files.pid));
  return group > 1 && waitsForInput(group);
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
