// Runs a hook's command: JSON on its standard input, both outputs bounded, and no process of it left when it is stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { type HookResult, type HookCommand } from '../../core/ports/hook-handlers';
import { findBash, gitSettings, mergeEnvironment } from '../terminal/command-environment';
import { findPowerShell, POWER_SHELL_ARGUMENTS } from '../terminal/power-shell';
import { type HookProcesses } from './hook-processes';

/** Of each output; the rest is read and thrown away. A hook that replaces a large output has more, by the size of its input. */
export const maxHookOutput = 1024 * 1024;
/** A child that the hook left behind may hold its output open: nobody waits for that. */
const afterExitMs = 200;

export interface HookSurroundings {
  /** Complete; credentials are taken out of it. */
  environment: NodeJS.ProcessEnv;
  processes: HookProcesses;
}

export async function runHookCommand(
  hook: HookCommand,
  { environment, processes }: HookSurroundings,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<HookResult> {
  if (signal.aborted) return { kind: 'cancelled' };
  const file = hook.environmentFile;
  if (file !== undefined) await mkdir(path.dirname(file), { recursive: true }).catch(() => undefined);
  const mark = `hook-${randomBytes(9).toString('hex')}`;
  const env = {
    ...mergeEnvironment(
      environment,
      hook.variables,
      gitSettings(environment),
      file === undefined ? {} : { CLAUDE_ENV_FILE: file },
    ),
    DEFT_RUN: mark,
  };
  const start = programOf(hook, env);
  if (typeof start === 'string') return { kind: 'failed', message: start };
  const child = spawn(start.program, start.args, {
    cwd: hook.cwd,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A hook need not read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(hook.input);
  const { pid } = child;
  if (pid !== undefined) processes.started(pid);
  const result = await follow(child, maxHookOutput + 2 * Buffer.byteLength(hook.input), onLine, signal);
  if (pid !== undefined) {
    if (result.kind === 'cancelled') processes.stop(pid, mark);
    else processes.over(pid);
  }
  return result;
}

function programOf(
  { command, args, shell }: HookCommand,
  environment: NodeJS.ProcessEnv,
): { program: string; args: string[] } | string {
  if (args !== undefined) return { program: command, args: [...args] };
  const bash = shell === 'powershell' ? undefined : findBash(environment);
  if (bash !== undefined) return { program: bash, args: ['-c', command] };
  const powerShell = shell === 'bash' ? undefined : findPowerShell(environment);
  if (powerShell !== undefined) return { program: powerShell, args: [...POWER_SHELL_ARGUMENTS, '-Command', command] };
  return `There is no ${shell === 'powershell' ? 'PowerShell' : 'bash'} on this machine.`;
}

function follow(
  child: ChildProcess,
  maxBytes: number,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<HookResult> {
  const stdout = collect(child.stdout, maxBytes, firstLine(onLine));
  const stderr = collect(child.stderr, maxHookOutput, () => undefined);
  return new Promise((resolve) => {
    const finish = (result: HookResult): void => {
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void => finish({ kind: 'cancelled' });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const ended = (code: number | null, by: NodeJS.Signals | null): void => {
      // What it printed until then counts: it may have said no.
      const end = by === null ? { exitCode: code ?? 1 } : { exitCode: 128 + constants.signals[by], signal: by };
      finish({ kind: 'ended', ...end, stdout: stdout(), stderr: stderr() });
    };
    child.once('error', (error) => finish({ kind: 'failed', message: `It could not be started: ${messageOf(error)}` }));
    child.once('close', ended);
    child.once('exit', (code, by) => {
      const timer = setTimeout(() => ended(code, by), afterExitMs);
      child.once('close', () => clearTimeout(timer));
    });
  });
}

function collect(stream: ChildProcess['stdout'], maxBytes: number, chunkRead: (text: string) => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < maxBytes) chunks.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    chunkRead(chunk.toString('utf8'));
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function firstLine(onLine: (line: string) => void): (text: string) => void {
  let line: string | undefined = '';
  return (text) => {
    if (line === undefined) return;
    line += text;
    const end = line.indexOf('\n');
    if (end >= 0) onLine(line.slice(0, end));
    if (end >= 0 || line.length > 10_000) line = undefined;
  };
}
