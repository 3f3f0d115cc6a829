// Starts a browser with a profile of its own, which is removed with it.
import { type BrowserContext } from 'playwright-core';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../core/text/errors';
import { atExit } from '../at-exit';
import { browserCandidates, isExecutable, lookedFor } from './browser-places';
import { deniedHostSwitches, withoutProxyFor } from './denied-hosts';
import { NoBrowser } from './no-browser';

export interface BrowserSearch {
  /** The program that the user chose; empty where they chose none. */
  chosen: string;
  /** Complete, and without credentials. */
  environment: NodeJS.ProcessEnv;
}

export interface OpenBrowser {
  context: BrowserContext;
  close(): Promise<void>;
}

const launchMs = 30_000;
/** Programs that are tried where one does not start: a name may stand for a script that only says how to get the real one. */
const maxTried = 3;
const profilePrefix = 'deft-page-';

/** `deniedHosts` as rules name them: nothing in the browser connects to them. */
export async function openBrowser(
  { chosen, environment }: BrowserSearch,
  deniedHosts: readonly string[],
): Promise<OpenBrowser> {
  const found =
    chosen === '' ? unlike(browserCandidates(process.platform, environment)).filter(isExecutable) : [chosen];
  if (found.length === 0)
    throw new NoBrowser(
      `There is no browser. Deft looked for ${lookedFor(process.platform)}, and downloads none. Install Chrome, Edge or Chromium, or name the program in the setting deft.page.browser (headless: the variable CHROME_PATH).`,
    );
  if (!found.some(isExecutable))
    throw new NoBrowser(`${chosen}, which the setting deft.page.browser names, is not a program that can be run.`);
  const denied = deniedHostSwitches(deniedHosts);
  await removeOldProfiles();
  const failures: string[] = [];
  for (const program of found.slice(0, maxTried)) {
    try {
      return await launch(program, withoutProxyFor(deniedHosts, environment), denied);
    } catch (error) {
      failures.push(`${program}: ${shortReason(messageOf(error))}`);
    }
  }
  throw new NoBrowser(`No browser could be started. ${failures.join(' ')}`);
}

async function launch(
  program: string,
  environment: NodeJS.ProcessEnv,
  furtherSwitches: readonly string[],
): Promise<OpenBrowser> {
  const { default: playwright } = await import('playwright-core');
  const profile = await mkdtemp(path.join(tmpdir(), `${profilePrefix}${process.pid}-`));
  const forget = atExit(() => {
    try {
      rmSync(profile, { recursive: true, force: true });
    } catch {
      // The next browser is told to look for it.
    }
  });
  const remove = async (): Promise<void> => {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    forget();
  };
  try {
    const context = await playwright.chromium.launchPersistentContext(profile, {
      executablePath: program,
      headless: true,
      args: [...switches, ...furtherSwitches],
      // Chromium's own sandbox does not work for root.
      chromiumSandbox: process.getuid?.() !== 0,
      artifactsDir: path.join(profile, 'artifacts'),
      acceptDownloads: false,
      viewport: { width: 1_280, height: 800 },
      timeout: launchMs,
      // Whoever made the session ends it, in an order of its own.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      env: definedOnly(environment),
    });
    return {
      context,
      async close() {
        await context.close().catch(() => undefined);
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const switches = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/** What a process left that was killed: nobody else can have removed it. */
async function removeOldProfiles(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const pid = new RegExp(`^${profilePrefix}(\\d+)-`).exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) return;
      await rm(path.join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The library's messages end with a log of what the browser printed. */
function shortReason(message: string): string {
  if (/No usable sandbox/i.test(message))
    return 'its sandbox does not work here. Allow user namespaces, or run as root, for whom Deft starts it without a sandbox.';
  const [first = ''] = message.split('\n');
  return `${first.replace(/^browserType\.\w+: /, '').replace(/\.$/, '')}.`;
}

function unlike(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
