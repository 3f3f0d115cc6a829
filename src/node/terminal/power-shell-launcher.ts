// Starts PowerShell on its capture wrapper: its output is the run's file, which is followed where somebody looks.
import { spawn } from 'node:child_process';
import { appendFile, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { messageOf } from '../../core/text/errors';
import { type LaunchEnd, type LaunchRequest, type ProcessLaunch } from './launcher';
import { readFrom } from './output-file';
import { POWER_SHELL_ARGUMENTS } from './power-shell';
import { endWindowsTree, send } from './process-tree';

const FOLLOW_MS = 100;
const CHUNK_BYTES = 256 * 1024;

/** The command reads nothing. `shown` gives the launch an output to look at. */
export async function launchPowerShell(request: LaunchRequest, shown: boolean): Promise<ProcessLaunch> {
  await request.prepare({ input: 'nothing', display: 'nothing' });
  const file = await open(request.files.output, 'a');
  const child = spawn(request.bash, [...POWER_SHELL_ARGUMENTS, '-File', request.files.wrapper], {
    env: request.environment,
    // On Windows a detached process would open a window of its own.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', file.fd, file.fd],
  });
  const over = new Promise<LaunchEnd>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', message: messageOf(error) }));
    // What it printed is in the file by now, since nothing is between the two.
    child.once(
      'exit',
      () =>
        void appendFile(request.files.output, request.endMark).then(
          () => resolve({ kind: 'ended' }),
          () => resolve({ kind: 'ended' }),
        ),
    );
  });
  await file.close();
  child.unref();
  return {
    pid: child.pid,
    output: shown ? follow(request.files.output, over) : undefined,
    over,
    takesKeys: false,
    type: () => undefined,
    abandon: () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      if (process.platform === 'win32') void endWindowsTree(child.pid);
      else send(-child.pid, 'SIGKILL');
    },
    finished: () => undefined,
  };
}

function follow(file: string, over: Promise<LaunchEnd>): NodeJS.ReadableStream {
  const stream = new PassThrough();
  let offset = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const { bytes, next } = await readFrom(file, offset, CHUNK_BYTES);
    offset = next;
    if (bytes.length > 0) stream.write(bytes);
    if (bytes.length === CHUNK_BYTES) await read();
  };
  const look = (): void => void (reading = reading.then(read).catch(() => undefined));
  const timer = setInterval(look, FOLLOW_MS);
  timer.unref();
  void over.then(() => {
    clearInterval(timer);
    look();
    void reading.then(() => stream.end());
  });
  return stream;
}
