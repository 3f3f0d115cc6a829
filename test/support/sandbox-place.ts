// What tests of the real sandbox begin with: the sandbox, a workspace outside of the temporary folder, and a terminal; skipped where no sandbox can be had.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type CommandSandbox } from '../../src/core/ports/command-sandbox';
import { createNodeTerminal } from '../../src/node/terminal/node-terminal';
import { testSandbox } from './sandbox-worker';

export interface SandboxPlace {
  sandbox: CommandSandbox;
  /** Holds the workspace, which lies in no temporary folder: part of that may be written. */
  base: string;
  workspace: string;
  terminal: ReturnType<typeof createNodeTerminal>;
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** To be called in a `describe`. `use` is not called where the tests are skipped. */
export function withSandboxPlace(
  environment: NodeJS.ProcessEnv,
  use: (place: SandboxPlace) => void | Promise<void>,
): void {
  let place: Partial<SandboxPlace> = {};
  before(async function () {
    const sandbox = await testSandbox();
    place = { sandbox };
    const found = await sandbox.available();
    if (!found.ok) {
      console.log(`      skipped: ${found.reason}`);
      this.skip();
    }
    mkdirSync('out', { recursive: true });
    const base = realpathSync(mkdtempSync(path.resolve('out/sandboxed-')));
    const workspace = path.join(base, 'workspace');
    mkdirSync(workspace);
    const whole = { sandbox, base, workspace, terminal: createNodeTerminal({ log: silent, environment }) };
    place = whole;
    await use(whole);
  });
  after(async () => {
    await place.terminal?.dispose();
    await place.sandbox?.close();
    if (place.base !== undefined) rmSync(place.base, { recursive: true, force: true });
  });
}
