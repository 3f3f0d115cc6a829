// Runs the tests inside VS Code's extension host: in code-server with a browser, or in a downloaded VS Code.
import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser';
import { cleanUp, temporaryFolder } from './cleanup';
import { downloadVscode, launchArguments } from './electron';
import { quietEnvironment } from './environment';
import { installExtension } from './extension-folder';
import {
  parseRecords,
  REQUEST_VARIABLE,
  tally,
  tallyLine,
  unfinishedTest,
  type RunRecord,
  type RunRequest,
} from './in-host-records';
import { bundleSuites, findSuites, type Suite } from './in-host-suites';
import { rigUnavailable } from './install';
import { startGroup } from './process-group';
import { startServer, type Server } from './server';
import { QUIET_SETTINGS } from './settings';
import { workbenchUrl, type Workspace } from './workbench';

const POLL_MILLISECONDS = 150;
const DEFAULT_TIMEOUT_SECONDS = 900;

/** Opens a window for a suite and resolves when it has ended by itself. */
type Host = (suite: Suite, workspace: Workspace, over: AbortSignal) => Promise<void>;

/** `[--electron] [--filter expression] [--grep expression]`; resolves with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const option = (name: string): string => (args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : '');
  const electron = args.includes('--electron') || rigUnavailable() !== undefined;
  const suites = findSuites(option('--filter'));
  const extension = installExtension(temporaryFolder('extension'));
  // Inside the project, so that the bundle finds mocha.
  const folder = temporaryFolder('integration', path.resolve('out'));
  try {
    const bundle = path.join(folder, 'index.js');
    await bundleSuites(suites, bundle);
    const requestFile = path.join(folder, 'request.json');
    const host = electron
      ? await electronHost(extension, bundle, requestFile)
      : await serverHost(extension, bundle, requestFile);
    const total = { passed: 0, failed: 0, skipped: 0 };
    for (const suite of suites) {
      const request: RunRequest = {
        suite: suite.name,
        filter: option('--filter'),
        records: path.join(folder, `${suite.name || 'main'}.jsonl`),
        ...(option('--grep') ? { grep: option('--grep') } : {}),
      };
      writeFileSync(requestFile, JSON.stringify(request));
      writeFileSync(request.records, '');
      const counted = tally(await runSuite(suite, request.records, host));
      total.passed += counted.passed;
      total.failed += counted.failed;
      total.skipped += counted.skipped;
    }
    console.log(tallyLine(total));
    return total.failed > 0 ? 1 : 0;
  } finally {
    await cleanUp();
  }
}

async function runSuite(suite: Suite, recordsFile: string, host: Host): Promise<RunRecord[]> {
  const seconds = suite.window.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const over = new AbortController();
  const follow = followRecords(recordsFile, printRecord);
  const timer = setTimeout(() => over.abort(), seconds * 1000);
  try {
    await host(suite, makeWorkspace(suite), over.signal);
  } catch (error) {
    console.error(`  VS Code failed: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
  const records = follow.stop();
  const hanging = unfinishedTest(records);
  if (over.signal.aborted)
    console.error(`  Stopped after ${seconds} s${hanging ? ` in "${hanging}"` : ' before the first test'}.`);
  else if (!records.some(({ type }) => type === 'end'))
    console.error(`  VS Code ended before the tests did${hanging ? `, in "${hanging}"` : ''}.`);
  else if (!records.some(({ type }) => type === 'pass' || type === 'fail')) console.error('  No test ran.');
  return records;
}

/** Registers tools for language models. */
const toolExtension = path.resolve('test/support/tool-extension');

/** code-server and a browser, started once, with a window for each suite. A suite that hangs takes its server with it. */
async function serverHost(extension: string, bundle: string, requestFile: string): Promise<Host> {
  const start = (): Promise<Server> =>
    startServer({
      extension: 'none',
      extraExtension: toolExtension,
      testsInHost: true,
      env: { [REQUEST_VARIABLE]: requestFile },
    });
  const [first, browser] = await Promise.all([start(), startBrowser()]);
  let server: Server | undefined = first;
  return async (suite, workspace, over) => {
    server ??= await start();
    server.configure(suite.window.settings ?? {});
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    try {
      const page = await context.newPage();
      const ended = new Promise<void>((resolve) => {
        over.addEventListener('abort', () => resolve(), { once: true });
        void server?.exited.then(() => resolve());
        page.once('crash', () => resolve());
        void page.exposeFunction('codeAutomationExit', () => resolve());
      });
      await page.exposeFunction('codeAutomationLog', () => undefined);
      await page.goto(
        workbenchUrl(server.port, { ...workspace, extensionDevelopmentPath: extension, extensionTestsPath: bundle }),
      );
      await ended;
    } finally {
      await context.close();
      if (over.aborted) {
        await server.stop();
        server = undefined;
      }
    }
  };
}

/** A desktop VS Code of @vscode/test-electron, started for each suite. */
async function electronHost(extension: string, bundle: string, requestFile: string): Promise<Host> {
  const executable = await downloadVscode();
  return async (suite, workspace, over) => {
    const userData = temporaryFolder('user');
    mkdirSync(path.join(userData, 'User'), { recursive: true });
    writeFileSync(
      path.join(userData, 'User', 'settings.json'),
      JSON.stringify({ ...QUIET_SETTINGS, ...suite.window.settings }),
    );
    const extensions = temporaryFolder('extensions');
    installExtension(extensions, toolExtension);
    const opened = workspace.folder ?? workspace.workspaceFile;
    const trust = suite.window.settings?.['security.workspace.trust.enabled'] === true;
    const args = [
      ...(opened ? [opened] : []),
      ...launchArguments(userData, extensions, trust),
      `--extensionDevelopmentPath=${extension}`,
      `--extensionTestsPath=${bundle}`,
    ];
    const group = await startGroup(executable, args, {
      stdio: 'ignore',
      env: quietEnvironment({ [REQUEST_VARIABLE]: requestFile }),
    });
    over.addEventListener('abort', () => void group.end(), { once: true });
    await group.exited;
    await group.end();
  };
}

function makeWorkspace({ name, window }: Suite): Workspace {
  if (window.workspace === 'empty') return {};
  const folder = temporaryFolder(`workspace-${name || 'main'}`);
  if (window.workspace !== 'multi-root') return { folder };
  for (const part of ['first', 'second']) mkdirSync(path.join(folder, part));
  const workspaceFile = path.join(folder, 'both.code-workspace');
  writeFileSync(workspaceFile, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
  return { workspaceFile };
}

/** Reads what is appended to a file; `stop` reads the last of it and returns all records. */
function followRecords(file: string, seen: (record: RunRecord) => void): { stop(): RunRecord[] } {
  const all: RunRecord[] = [];
  const buffer = Buffer.alloc(64 * 1024);
  const descriptor = openSync(file, 'r');
  let bytes = Buffer.alloc(0);
  const poll = (): void => {
    for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer)) {
      bytes = Buffer.concat([bytes, buffer.subarray(0, count)]);
    }
    const end = bytes.lastIndexOf(0x0a) + 1;
    const { records } = parseRecords(bytes.subarray(0, end).toString('utf8'));
    bytes = bytes.subarray(end);
    for (const record of records) {
      all.push(record);
      seen(record);
    }
  };
  const timer = setInterval(poll, POLL_MILLISECONDS);
  return {
    stop() {
      clearInterval(timer);
      poll();
      closeSync(descriptor);
      return all;
    },
  };
}

function printRecord(record: RunRecord): void {
  if (record.type === 'pass') console.log(`  ✔ ${record.title} (${record.milliseconds} ms)`);
  else if (record.type === 'fail') console.log(`  ✘ ${record.title}\n${indent(record.error)}`);
  else if (record.type === 'skip') console.log(`  - ${record.title} (skipped)`);
  else if (record.type === 'log') console.log(indent(record.text));
  else if (record.type === 'crash' && !/^Error: \d+ failed/.test(record.error))
    console.log(`  ✘ The run broke off\n${indent(record.error)}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '      ');
}
