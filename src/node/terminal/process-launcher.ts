// Starts the capture wrapper as a process of its own, behind util-linux `script` where a terminal is wanted.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { messageOf } from '../../core/text/errors';
import { quote } from './capture-wrapper';
import { type LaunchEnd, type Launcher, type LaunchRequest, type ProcessLaunch } from './launcher';
import { launchPowerShell } from './power-shell-launcher';
import { send } from './process-tree';

/** No display, no input: for hosts without terminals. */
export const launchPlainProcess: Launcher = async (request) => {
  if (request.shell === 'powershell') return launchPowerShell(request, false);
  await request.prepare({ input: 'nothing', display: 'nothing' });
  return startWrapper(request, 'ignore');
};

/** Output goes to `output` as well. The command reads nothing. */
export async function launchShownProcess(request: LaunchRequest): Promise<ProcessLaunch> {
  if (request.shell === 'powershell') return launchPowerShell(request, true);
  await request.prepare({ input: 'nothing', display: 'all' });
  return startWrapper(request, 'pipe');
}

/** As above, and the command has a terminal that `type` writes to. Needs `hasScript()`. */
export async function launchTerminalProcess(
  request: LaunchRequest,
  size: { columns: number; rows: number },
): Promise<ProcessLaunch> {
  // `script` starts its command with $SHELL, whose start-up files are not wanted here.
  const variables = { SHELL: request.environment['SHELL'] ?? null, TERM: 'xterm-256color' };
  await request.prepare({ input: 'terminal', display: 'all', size, variables });
  const line = `exec ${quote(request.bash)} ${quote(request.files.wrapper)}`;
  const child = spawn('script', ['-q', '-e', '-f', '-c', line, '/dev/null'], {
    env: { ...request.environment, SHELL: request.bash },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // A program that ends while keys are on their way closes this pipe.
  child.stdin.on('error', () => undefined);
  return { ...launchOf(child), takesKeys: true, type: (text) => void child.stdin.write(text) };
}

let script: Promise<boolean> | undefined;

/** True where `script` is the one of util-linux, whose options these are. Asked once. */
export function hasScript(): Promise<boolean> {
  script ??= new Promise((resolve) => {
    if (process.platform !== 'linux') return resolve(false);
    execFile('script', ['--version'], { timeout: 5000 }, (error, stdout) =>
      resolve(!error && stdout.includes('util-linux')),
    );
  });
  return script;
}

function startWrapper(request: LaunchRequest, output: 'ignore' | 'pipe'): ProcessLaunch {
  const child = spawn(request.bash, [request.files.wrapper], {
    env: request.environment,
    detached: true,
    stdio: ['ignore', output, 'ignore'],
  });
  return launchOf(child);
}

function launchOf(child: ChildProcess): ProcessLaunch {
  const over = new Promise<LaunchEnd>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', message: messageOf(error) }));
    child.once('exit', () => resolve({ kind: 'ended' }));
  });
  // Its end is awaited through files and `over`; a survivor's hold on the pipe must not keep the host alive.
  child.unref();
  return {
    pid: child.pid,
    output: child.stdout ?? undefined,
    over,
    takesKeys: false,
    type: () => undefined,
    abandon: () => void (child.pid !== undefined && child.exitCode === null && send(-child.pid, 'SIGKILL')),
    finished: () => undefined,
  };
}
