// The CommandSandbox port: bubblewrap on Linux, Seatbelt on macOS. One process per set of permissions, started by its first command.
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { messageOf } from '../../core/text/errors';
import { type CommandSandbox, type SandboxAvailability, type SandboxPolicy } from '../../core/ports/command-sandbox';
import { findBash } from '../terminal/command-environment';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process';

export interface NodeSandboxOptions {
  /** The built worker. */
  file: string;
  /** Complete, and without credentials. */
  environment(): Promise<NodeJS.ProcessEnv>;
  /** The sandbox looks with it for files that need protection. */
  ripgrep(): Promise<string | undefined>;
  platform?: string;
}

const probeMs = 15_000;

export function createNodeSandbox(options: NodeSandboxOptions): CommandSandbox {
  const { platform = process.platform } = options;
  const processes = new Map<string, Promise<SandboxProcess>>();
  let newest = '';
  let availability: Promise<SandboxAvailability> | undefined;
  let closed = false;

  async function open(policy: SandboxPolicy): Promise<SandboxProcess> {
    const [environment, ripgrep] = await Promise.all([options.environment(), options.ripgrep()]);
    return startSandboxProcess({ file: options.file, policy, ripgrep, environment, onEnd: sweep });
  }

  /** Settings and rules that hold no more take their process along, once its last command is over. */
  function sweep(): void {
    for (const [key, opening] of processes) {
      if (key === newest) continue;
      const closeIdle = async (each: SandboxProcess): Promise<void> => {
        if (each.running() === 0 && processes.delete(key)) await each.close();
      };
      void opening.then(closeIdle, () => void processes.delete(key));
    }
  }

  async function processFor(policy: SandboxPolicy): Promise<SandboxProcess> {
    const key = JSON.stringify(policy);
    newest = key;
    const known = await processes.get(key)?.catch(() => undefined);
    if (known?.alive() === true) return known;
    if (known !== undefined) processes.delete(key);
    const opening = processes.get(key) ?? open(policy);
    processes.set(key, opening);
    opening.catch(() => processes.delete(key));
    return opening;
  }

  async function look(): Promise<SandboxAvailability> {
    if (platform !== 'linux' && platform !== 'darwin')
      return { ok: false, reason: 'There is no sandbox for this operating system.' };
    const nothing: SandboxPolicy = {
      root: tmpdir(),
      allowWrite: [],
      denyWrite: [],
      denyRead: [],
      allowRead: [],
      allowedDomains: [],
      deniedDomains: [],
    };
    let probe: SandboxProcess | undefined;
    try {
      probe = await open(nothing);
      const command = await probe.wrap('exit 42', AbortSignal.timeout(probeMs));
      const environment = await options.environment();
      const failure = await runsInside(findBash(environment), command.text, environment);
      await command.ended();
      return failure === undefined
        ? { ok: true }
        : { ok: false, reason: `The sandbox cannot start here: ${failure}${advice(platform)}` };
    } catch (error) {
      return { ok: false, reason: `The sandbox cannot start here: ${messageOf(error)}${advice(platform)}` };
    } finally {
      await probe?.close();
    }
  }

  return {
    available: () => (availability ??= look()),
    async wrap(command, policy, signal) {
      if (closed) throw new Error('The session has ended.');
      const sandboxed = await (await processFor(policy)).wrap(command, signal);
      sweep();
      return sandboxed;
    },
    async close() {
      closed = true;
      const all = [...processes.values()];
      processes.clear();
      await Promise.all(
        all.map((opening) =>
          opening.then(
            (each) => each.close(),
            () => undefined,
          ),
        ),
      );
    },
  };
}

/** Undefined where the command did run. */
function runsInside(bash: string | undefined, text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (bash === undefined) return Promise.resolve('there is no bash.');
  return new Promise((resolve) => {
    const child = execFile(
      bash,
      ['-c', text],
      { env, timeout: probeMs, killSignal: 'SIGKILL' },
      (_error, _stdout, stderr) => {
        const [line = ''] = stderr.trim().split('\n');
        resolve(child.exitCode === 42 ? undefined : line || `a first command ended with exit code ${child.exitCode}.`);
      },
    );
  });
}

function advice(platform: string): string {
  return platform === 'linux' ? ' It needs bubblewrap, socat, and permission to create user namespaces.' : '';
}
