// Runs a command of the user's settings that prints a credential or signs in anew: its output goes to nobody else.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../home-folder';
import { type RunCredentialCommand } from '../../core/model/credential-commands';
import { messageOf } from '../../core/text/errors';
import { findBash } from './command-environment';
import { createProcessFamily } from './process-family';
import { endProcesses } from './process-tree';

export interface CredentialCommandOptions {
  /** Whole, with credentials: the command may need some to get others. */
  environment: () => NodeJS.ProcessEnv;
  /** A sign-in waits for a browser; default three minutes. */
  limitMs?: number;
}

const maxOutput = 64 * 1024;

export function createCredentialCommand({
  environment,
  limitMs = 180_000,
}: CredentialCommandOptions): RunCredentialCommand {
  return (command, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const mark = `credential-${randomBytes(9).toString('hex')}`;
      // Windows looks for a program in the current folder first unless this variable is set; other systems ignore it.
      const env = { ...environment(), DEFT_RUN: mark, NoDefaultCurrentDirectoryInExePath: '1' };
      const bash = process.platform === 'win32' ? undefined : findBash(env);
      const options = {
        cwd: ownFolder(),
        env,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
        detached: process.platform !== 'win32',
      };
      const child =
        bash === undefined ? spawn(command, { ...options, shell: true }) : spawn(bash, ['-c', command], options);
      const chunks: Buffer[] = [];
      let size = 0;
      let late = false;
      child.stdout.on('data', (chunk: Buffer) => {
        if ((size += chunk.length) <= maxOutput) chunks.push(chunk);
      });
      const end = (): void => {
        const group = child.pid;
        if (group === undefined) return;
        const family = createProcessFamily();
        void family.look(group).then(() => endProcesses({ mark, group, family }));
      };
      const timer = setTimeout(() => {
        late = true;
        end();
      }, limitMs);
      const stop = (): void => {
        end();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', stop, { once: true });
      const finish = (result: { output: string } | { problem: string }): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve(result);
      };
      child.once('error', (error) => finish({ problem: `the command could not be started (${messageOf(error)}).` }));
      child.once('close', (code, by) => {
        if (late) return finish({ problem: `the command did not end within ${limitMs / 1000} seconds.` });
        if (code !== 0)
          return finish({
            problem:
              code === null
                ? `the command was ended by ${by ?? 'a signal'}.`
                : `the command ended with exit code ${code}. Run it in a terminal to see why.`,
          });
        finish(
          size > maxOutput
            ? { problem: 'the command printed more than 64 KB.' }
            : { output: Buffer.concat(chunks).toString('utf8') },
        );
      });
    });
}

/** Never a project's folder: a program or a relative path of the command must not be found in what somebody has cloned. */
function ownFolder(): string {
  const home = homeFolder();
  return existsSync(home) ? home : path.parse(process.execPath).root;
}
