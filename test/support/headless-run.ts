// Runs the headless runner as users do: the built file, in a process of its own, with a home and a folder of its own.
import { build, type BuildOptions, type BuildResult } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sessionsDirectory } from '../../src/node/sessions/sessions-directory';

export interface HeadlessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface HeadlessProcess {
  child: ChildProcess;
  ended: Promise<HeadlessEnd>;
  /** Resolves when standard output holds the text; rejects when the process ends without it. */
  said(text: string): Promise<void>;
}

export interface HeadlessOptions {
  /** Base URL of a scripted server. */
  url?: string;
  env?: Record<string, string>;
  /** Written to standard input, which is then closed; `'open'` leaves it to the caller; without it there is none. */
  stdin?: string;
  cwd?: string;
  /** A shell line in which `"$@"` is the runner's command, for limits. */
  shell?: string;
  /** Runs a copy of the runner that lies outside the project. */
  copied?: boolean;
  /** Runs this one of the programs that are built together; the headless runner where it is left out. */
  program?: 'acp';
  /** Runs this script in place of Deft's: a program of others, which starts the runner itself. */
  script?: string;
}

/** A home, a workspace, and the runner in them. */
export interface HeadlessPlace {
  readonly home: string;
  readonly workspace: string;
  /** Where this workspace's sessions are. */
  readonly sessions: string;
  /** What other runs leave behind is none of its business, and the other way round. */
  readonly temporary: string;
  start(args: readonly string[], options?: HeadlessOptions): HeadlessProcess;
  run(args: readonly string[], options?: HeadlessOptions): Promise<HeadlessEnd>;
  /** The lines of the only session, or of the one with this id. */
  transcript(id?: string): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

let built: Promise<string> | undefined;

/** The bundle, made once for all tests of this run, as the product makes it. */
export function headlessBundle(): Promise<string> {
  return (built ??= buildOnce());
}

async function buildOnce(): Promise<string> {
  const url = pathToFileURL(path.resolve('esbuild.mjs')).href;
  const { bundles, writeAsCommonJs } = (await import(url)) as {
    bundles: Record<'browser' | 'extension' | 'late' | 'markdown' | 'sdks' | 'workers', BuildOptions>;
    writeAsCommonJs: (parts: BuildResult) => Promise<void>;
  };
  await mkdir('out', { recursive: true });
  const outdir = await mkdtemp(path.resolve('out/headless-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const { browser, extension, late, markdown, sdks, workers } = bundles;
  const [parts, clouds] = await Promise.all([
    build({
      ...extension,
      entryPoints: { headless: 'src/headless/entry/start.ts', acp: 'src/headless/acp/start.ts' },
      outdir,
    }),
    build({ ...sdks, outdir }),
    ...[browser, late, markdown, workers].map((bundle) => build({ ...bundle, outdir, sourcemap: false })),
  ]);
  for (const made of [parts, clouds]) await writeAsCommonJs(made);
  return path.join(outdir, 'headless.js');
}

/** `from` is copied into the workspace. */
export async function createHeadlessPlace(from?: string): Promise<HeadlessPlace> {
  const script = await headlessBundle();
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-headless-')));
  const home = path.join(root, 'home');
  const workspace = path.join(root, 'work');
  const temporary = path.join(root, 'tmp');
  for (const folder of [home, workspace, temporary]) await mkdir(folder);
  if (from !== undefined) await cp(from, workspace, { recursive: true });
  const copy = path.join(root, 'copy', 'headless.js');
  const sessions = sessionsDirectory(home, workspace);
  const start = (args: readonly string[], options: HeadlessOptions = {}): HeadlessProcess => {
    if (options.copied === true) cpSync(path.dirname(script), path.dirname(copy), { recursive: true });
    const file = options.program === undefined ? script : path.join(path.dirname(script), `${options.program}.js`);
    const command = [process.execPath, options.script ?? (options.copied === true ? copy : file), ...args];
    const [program = '', ...rest] =
      options.shell === undefined ? command : ['/bin/bash', '-c', options.shell, 'bash', ...command];
    const child = spawn(program, rest, {
      cwd: options.cwd ?? workspace,
      env: {
        ...cleanEnvironment(home),
        TMPDIR: temporary,
        // A user has one home for all runs; the tests have one for each.
        NODE_COMPILE_CACHE: path.join(path.dirname(script), 'code-cache'),
        ...(options.url === undefined ? {} : { ANTHROPIC_BASE_URL: options.url, ANTHROPIC_API_KEY: 'key-of-the-test' }),
        ...options.env,
      },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    // The runner may be gone before it has read anything.
    child.stdin?.on('error', () => undefined);
    if (options.stdin !== undefined && options.stdin !== 'open') child.stdin?.end(options.stdin);
    return follow(child);
  };
  return {
    home,
    workspace,
    sessions,
    temporary,
    start,
    run: (args, options) => start(args, options).ended,
    async transcript(id) {
      const [file] =
        id === undefined ? (await readdir(sessions)).filter((name) => name.endsWith('.jsonl')) : [`${id}.jsonl`];
      const text = await readFile(path.join(sessions, file ?? ''), 'utf8');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    // Processes that are just ending may still write into it.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Output of json and stream-json, line by line. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function follow(child: ChildProcess): HeadlessProcess {
  let stdout = '';
  let stderr = '';
  const waiting = new Set<{ text: string; found: () => void; gone: (error: Error) => void }>();
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    for (const waiter of waiting) if (stdout.includes(waiter.text)) waiter.found();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = new Promise<HeadlessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const { text, gone } of waiting)
        gone(new Error(`The runner ended without saying ${JSON.stringify(text)}. It said: ${stdout}\n${stderr}`));
      resolve({ code, signal, stdout, stderr });
    });
  });
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (stdout.includes(text)) resolve();
      else waiting.add({ text, found: resolve, gone: reject });
    });
  return { child, ended, said };
}

/** Nothing of the user's or the machine's own set-up: no keys, no settings, no proxies. */
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ['PATH', 'LANG', 'SystemRoot', 'TEMP'].includes(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, SHELL: '/bin/bash', NO_PROXY: '127.0.0.1' };
}
