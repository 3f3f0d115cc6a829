// Opens Deft in the best VS Code that this machine offers and keeps it open until Ctrl+C.
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanUp, temporaryFolder } from './cleanup';
import { downloadVscode, launchArguments } from './electron';
import { rigUnavailable } from './install';
import { findInstalledVscode, type InstalledVscode } from './installed-vscode';
import { startGroup } from './process-group';
import { RigError } from './rig-error';
import { startServer } from './server';
import { workbenchUrl } from './workbench';

const SAMPLE = 'media/sample';
/** Keys, layout and settings of earlier starts are kept here, apart from the user's own VS Code. */
const PROFILE = 'out/start';

/**
 * In the root of the copy: wakes the extension there, which shows its chat and, with no key, the demo in it. It counts
 * because it holds the token that the extension host gets too: a repository may contain a file of that name.
 */
const SAMPLE_MARK = '.deft-sample';
const SAMPLE_TOKEN = randomUUID();

export type Machine = {
  readonly platform: string;
  readonly architecture: string;
  readonly display: boolean;
  readonly root: boolean;
};

/** Which ways to a VS Code are open, in order; the reason where none is. */
export function waysToOpen(machine: Machine): readonly ('installed' | 'download' | 'server')[] {
  return [
    ...(machine.display && !machine.root ? (['installed', 'download'] as const) : []),
    ...(rigUnavailable(machine.platform, machine.architecture) === undefined ? (['server'] as const) : []),
  ];
}

/** Resolves with the exit code when VS Code is closed; Ctrl+C ends it too. */
export async function main(): Promise<number> {
  const machine: Machine = {
    platform: process.platform,
    architecture: process.arch,
    display: process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']),
    root: process.getuid?.() === 0,
  };
  const workspace = sampleCopy();
  const reasons: string[] = [];
  try {
    for (const way of waysToOpen(machine)) {
      if (way === 'server') return await openInServer(workspace);
      const vscode = way === 'installed' ? findInstalledVscode() : await downloaded(reasons);
      if (vscode) return await openInDesktop(vscode, workspace);
      if (way === 'installed') reasons.push('No installed VS Code was found ("code" is not on PATH).');
    }
    throw new RigError(`${reasons.join(' ')} ${whatToDo(machine)}`.trim());
  } finally {
    await cleanUp();
  }
}

/** A copy of the sample workspace, so that what the agent changes there is gone with it. */
function sampleCopy(): string {
  const folder = path.join(temporaryFolder('start'), 'sample');
  mkdirSync(folder);
  cpSync(SAMPLE, folder, { recursive: true });
  writeFileSync(path.join(folder, SAMPLE_MARK), SAMPLE_TOKEN);
  return folder;
}

async function openInDesktop({ program, isCommand }: InstalledVscode, workspace: string): Promise<number> {
  const userData = path.resolve(PROFILE, 'desktop');
  mkdirSync(userData, { recursive: true });
  const args = [
    ...launchArguments(userData, path.join(userData, 'extensions')),
    ...(isCommand ? ['--wait'] : []),
    `--extensionDevelopmentPath=${process.cwd()}`,
    workspace,
  ];
  // Variables of a VS Code in whose terminal this runs would make the new one talk to that.
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name))),
    DEFT_SAMPLE_TOKEN: SAMPLE_TOKEN,
  };
  const group = await startGroup(program, args, { stdio: 'ignore', env });
  console.log(`Deft is open in VS Code on ${workspace}. Close the window or press Ctrl+C to end.`);
  const code = await group.exited;
  await group.end();
  return code ?? 1;
}

async function openInServer(workspace: string): Promise<number> {
  const home = process.env['HOME'];
  const server = await startServer({
    userData: path.resolve(PROFILE, 'server'),
    settings: { 'security.workspace.trust.enabled': false },
    // A user's own start: their home, keys and tools, as in a desktop VS Code.
    env: {
      ...ownEnvironment(),
      DEFT_SAMPLE_TOKEN: SAMPLE_TOKEN,
      npm_config_offline: undefined,
      ...(home ? { HOME: home } : {}),
    },
  });
  console.log(
    `\nDeft is open in a VS Code in the browser:\n\n  ${workbenchUrl(server.port, { folder: workspace })}\n\nPress Ctrl+C to end.`,
  );
  const code = await server.exited;
  console.error(`The server ended by itself (exit code ${String(code)}).`);
  return 1;
}

/** The user's keys and Deft's own variables, which a test's environment would leave out. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(ANTHROPIC_|CLAUDE_|DEFT_|AWS_|GOOGLE_|CLOUD_ML_|AZURE_|XDG_|GIT_)/.test(name),
    ),
  );
}

async function downloaded(reasons: string[]): Promise<InstalledVscode | undefined> {
  try {
    return { program: await downloadVscode(), isCommand: false };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(reason);
    reasons.push(reason);
    return undefined;
  }
}

function whatToDo({ display, root }: Machine): string {
  if (root) return 'VS Code does not start as root here: run "npm start" as an ordinary user, or on Linux x64.';
  if (!display)
    return 'There is no display here: run "npm start" on a desktop, or on Linux x64, where it opens in a browser.';
  return 'Install VS Code (its "code" command must be on PATH), then run "npm start" again.';
}
