// Finds a browser of the Chromium family, installs Debian's where that is possible, and starts it for the tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { browserCandidates, isExecutable } from '../../src/node/page/browser-places';
import { onEnd, temporaryFolder } from './cleanup';
import { RigError } from './rig-error';

const FONTS = ['fonts-liberation', 'fonts-dejavu-core'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The first installed browser that starts, or undefined. */
export function findBrowser(): string | undefined {
  return browserCandidates(process.platform, process.env).find(
    (candidate) => isExecutable(candidate) && answers(candidate),
  );
}

/** The path of a browser; installs Debian's Chromium when root. Throws a sentence that says what to do. */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (isDebian() && process.getuid?.() === 0) {
    installFromDebian();
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new RigError(
    'No browser found for the tests. Install Chrome, Edge or Chromium ' +
      '(on Debian and Ubuntu: sudo apt-get install chromium), or set CHROME_PATH to the program.',
  );
}

/** Starts the browser without a window. It ends with the process, or by `browser.close()`. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    headless: true,
    args: ARGUMENTS,
    // The rig ends everything itself, in its own order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...definedOnly(process.env), HOME: temporaryFolder('browser-home') },
  });
  const forget = onEnd({ now: () => undefined, later: () => browser.close() });
  browser.once('disconnected', forget);
  return browser;
}

function installFromDebian(): void {
  console.log("Installing Debian's Chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...args: string[]): string | undefined => {
    const result = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (result.status === 0) return undefined;
    return result.error?.message ?? `${result.stdout}\n${result.stderr}`.trim().split('\n').slice(-5).join('\n');
  };
  const install = (browser: string): string | undefined =>
    run('install', '-y', '-qq', '--no-install-recommends', browser, ...FONTS);
  // A new machine has no package lists yet. Older systems do not have the shell.
  const reason =
    run('update', '-qq') ?? (install('chromium-headless-shell') === undefined ? undefined : install('chromium'));
  if (reason !== undefined)
    throw new RigError(`Debian's Chromium could not be installed, so there is no browser for the tests:\n${reason}`);
}

function isDebian(): boolean {
  return (
    existsSync('/etc/os-release') &&
    /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8')) &&
    existsSync('/usr/bin/apt-get')
  );
}

/** Ubuntu has a `chromium-browser` that only says how to get the real one. On Windows `--version` opens a window. */
function answers(browser: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    return /\d+\.\d+/.test(
      execFileSync(browser, ['--version'], { encoding: 'utf8', timeout: 20_000, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return false;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
