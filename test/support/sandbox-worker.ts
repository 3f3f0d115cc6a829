// The sandbox's process as it ships, built once for all tests of a run; and whether this machine can start a sandbox at all.
import { build, type BuildOptions } from 'esbuild';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CommandSandbox } from '../../src/core/ports/command-sandbox';
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { createNodeSandbox } from '../../src/node/sandbox/node-sandbox';
import { cleanEnvironment } from '../../src/node/terminal/command-environment';

let built: Promise<string> | undefined;

export async function testSandbox(environment: NodeJS.ProcessEnv = process.env): Promise<CommandSandbox> {
  return createNodeSandbox({
    file: await (built ??= buildOnce()),
    environment: async () => cleanEnvironment(environment),
    ripgrep: () => findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] }),
  });
}

async function buildOnce(): Promise<string> {
  const { bundles, copySandboxHelpers } = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as {
    bundles: { sandbox: BuildOptions };
    copySandboxHelpers: (outdir: string) => Promise<void>;
  };
  await mkdir('out', { recursive: true });
  const outdir = await mkdtemp(path.resolve('out/sandbox-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await Promise.all([build({ ...bundles.sandbox, outdir, sourcemap: false }), copySandboxHelpers(outdir)]);
  return path.join(outdir, 'sandbox-worker.js');
}
