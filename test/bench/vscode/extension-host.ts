// What the extension host costs: its memory, its processor time, and how long its event loop is blocked.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WindowOptions } from '../../e2e/support/window';
import { temporaryFolder } from '../../rig/cleanup';
import { extensionHosts } from '../../rig/memory';
import type { BenchWindow } from './open';

/** All in MiB. */
interface MemoryParts {
  readonly heapTotal: number;
  readonly heapUsed: number;
  readonly external: number;
  /** The part of the heap that is kept for new objects. */
  readonly young: number;
}

/** What the probe in the host has seen since its last reading. */
export interface ProbeReading {
  /** Milliseconds of the longest block. */
  readonly longest: number;
  /** Milliseconds that the thread itself worked in one block, at most: the rest of a block the machine was busy with others. */
  readonly busiest: number;
  /** All blocks of 30 ms and more. */
  readonly blocks: readonly number[];
  /** As it is, garbage and all: nothing has been collected for this reading. */
  readonly memory: MemoryParts;
  /** Milliseconds that loading and activating Deft took; null where VS Code set no marks. */
  readonly own: { readonly load: number | null; readonly activate: number | null };
}

export interface HostReading {
  /** Resident MiB. */
  readonly memory: number;
  /** Milliseconds of processor time since its start. */
  readonly processor: number;
}

export interface HostProbe {
  /** For the window whose extension hosts are probed. */
  readonly options: Pick<WindowOptions, 'env' | 'extraExtension'>;
  /** What the probe's extension writes to. */
  readonly folder: string;
  /** Reads and begins anew. */
  read(deft: Pick<BenchWindow, 'window'>): Promise<ProbeReading>;
}

const patienceMilliseconds = 20_000;

export function createHostProbe(): HostProbe {
  const folder = temporaryFolder('host-probe');
  const readings = new Map<number, number>();
  return {
    folder,
    options: { env: { DEFT_HOST_PROBE: folder }, extraExtension: probeExtension() },
    async read(deft) {
      const pid = await probedHost(deft, folder);
      const number = (readings.get(pid) ?? 0) + 1;
      readings.set(pid, number);
      const file = path.join(folder, `${pid}-${number}.json`);
      process.kill(pid, 'SIGUSR2');
      await until(() => existsSync(file), 'The probe in the extension host does not answer.');
      return JSON.parse(readFileSync(file, 'utf8')) as ProbeReading;
    },
  };
}

/** A window is there before its host is, and a signal to a host whose probe does not listen yet would end it. */
async function probedHost(deft: Pick<BenchWindow, 'window'>, folder: string): Promise<number> {
  let pid: number | undefined;
  await until(() => {
    pid = newestHost(deft)?.pid;
    return pid !== undefined && existsSync(path.join(folder, `${pid}-listens`));
  }, 'There is no extension host with a probe.');
  return pid ?? Number.NaN;
}

async function until(holds: () => boolean, orElse: string): Promise<void> {
  const started = performance.now();
  while (!holds()) {
    if (performance.now() - started > patienceMilliseconds) throw new Error(orElse);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Started before any other: VS Code takes variables that would load it from the extension host's environment. */
function probeExtension(): string {
  const folder = temporaryFolder('probe-extension');
  const manifest = {
    publisher: 'deft-bench',
    name: 'host-probe',
    version: '0.0.1',
    engines: { vscode: '^1.101.0' },
    main: './dist/host-probe.mjs',
    activationEvents: ['*'],
    contributes: {
      viewsContainers: { activitybar: [{ id: 'blank', title: 'Blank', icon: '$(circle)' }] },
      views: { blank: [{ id: 'blank.view', type: 'webview', name: 'Blank' }] },
      commands: [
        { command: 'blank.editLargeFile', title: 'Edit the Large File', category: 'Blank' },
        { command: 'blank.compareFiles', title: 'Compare Files', category: 'Blank' },
      ],
    },
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  mkdirSync(path.join(folder, 'dist'));
  copyFileSync('test/bench/vscode/host-probe.mjs', path.join(folder, 'dist/host-probe.mjs'));
  return folder;
}

/** Undefined without /proc. */
export function readExtensionHost(deft: Pick<BenchWindow, 'window'>): HostReading | undefined {
  const host = newestHost(deft);
  if (host === undefined) return undefined;
  const status = readFileSync(`/proc/${host.pid}/stat`, 'utf8');
  // User and system time, in hundredths of a second; the name before them may hold blanks.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return { memory: host.rss, processor: (Number(fields[11]) + Number(fields[12])) * 10 };
}

/** The server keeps the hosts of closed windows for a while. */
export function newestHost(deft: Pick<BenchWindow, 'window'>): ReturnType<typeof extensionHosts>[number] | undefined {
  return extensionHosts(deft.window.server.pid).sort((first, second) => second.pid - first.pid)[0];
}
