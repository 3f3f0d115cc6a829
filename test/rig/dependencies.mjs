// Brings a folder's node_modules in line with its lock file.
// Plain JavaScript, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LOCK_POLL_MILLISECONDS = 250;

/**
 * The packages of `folder/package-lock.json` that are not installed in the locked version. npm writes its own record
 * (`node_modules/.package-lock.json`) last, so an installation that was interrupted counts as missing. Optional and
 * platform packages are left out: npm may rightly have skipped them.
 */
export function missingPackages(folder) {
  const locked = readPackages(path.join(folder, 'package-lock.json'));
  if (!locked) throw new Error(`${path.join(folder, 'package-lock.json')} is missing or does not parse.`);
  const installed = readPackages(path.join(folder, 'node_modules', '.package-lock.json')) ?? {};
  return Object.entries(locked)
    .filter(([name, entry]) => name !== '' && !entry.optional && !entry.devOptional && !entry.os && !entry.cpu)
    .filter(([name, entry]) => installed[name]?.version !== entry.version)
    .map(([name]) => name);
}

/** Runs `npm ci` in `folder` when needed; true when it did. Two processes that ask at once install only once. */
export function ensureDependencies(folder, label) {
  if (missingPackages(folder).length === 0) return false;
  return exclusively(folder, () => {
    if (missingPackages(folder).length === 0) return false;
    console.log(`Installing ${label} …`);
    const { command, prefix, shell } = npmCommand();
    const result = spawnSync(
      command,
      [...prefix, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      {
        cwd: folder,
        stdio: 'inherit',
        shell,
      },
    );
    if (result.error) throw new Error(`npm could not be started in ${folder}: ${result.error.message}`);
    if (result.status !== 0) throw new Error(`"npm ci" failed in ${folder} (exit code ${String(result.status)}).`);
    const missing = missingPackages(folder);
    if (missing.length > 0)
      throw new Error(`"npm ci" ended, but these packages are missing in ${folder}: ${missing.join(', ')}`);
    return true;
  });
}

/** npm as it was started, else the one on PATH (a batch file on Windows, which needs a shell). */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.[cm]?js$/.test(script)) return { command: process.execPath, prefix: [script], shell: false };
  return { command: 'npm', prefix: [], shell: process.platform === 'win32' };
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Holds a lock outside of node_modules (npm ci deletes that) while `work` runs; a dead owner's lock is taken over. */
function exclusively(folder, work) {
  const key = createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16);
  const lock = path.join(tmpdir(), `deft-install-${key}`);
  const ownerFile = path.join(lock, 'pid');
  while (!takeLock(lock)) {
    if (lockIsStale(lock, ownerFile)) rmSync(lock, { recursive: true, force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MILLISECONDS);
  }
  try {
    writeFileSync(ownerFile, String(process.pid));
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function takeLock(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function lockIsStale(lock, ownerFile) {
  try {
    process.kill(Number(readFileSync(ownerFile, 'utf8')), 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    // No owner is written in the first moment of a lock's life.
    return error.code === 'ESRCH' || ageMilliseconds(lock) > 10_000;
  }
}

function ageMilliseconds(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Infinity;
  }
}
