// Where the servers of a run start: in the folder only what was named for it.
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRunMcp } from '../../../src/headless/run-mcp';

/** Says where it is and ends. */
const teller = {
  command: process.execPath,
  args: [
    '-e',
    'process.stderr.write(JSON.stringify([process.cwd(), process.env.CLAUDE_PROJECT_DIR])); process.exit(3)',
  ],
};

describe('folders of headless mcp servers', () => {
  it("are the home for the user's own and the project for those of the command line and the folder", async () => {
    const home = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-home-')));
    const cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-cwd-')));
    const project = { mcpServers: { local: teller } };
    await writeFile(
      path.join(home, '.claude.json'),
      JSON.stringify({ mcpServers: { own: teller }, projects: { [cwd]: project } }),
    );
    const servers = createRunMcp({
      given: [JSON.stringify({ mcpServers: { given: teller } })],
      cwd,
      folders: [cwd],
      home,
      environment: { PATH: process.env['PATH'] },
      passed: [],
      settings: {},
      version: '0',
      strict: false,
      settingSources: undefined,
      ofProgram: () => ({ inside: [], named: {} }),
      switchedOff: new Set<string>(),
      program: { ask: async () => undefined, listen: () => () => undefined },
      plugins: { servers: [], refuses: async () => undefined },
    });
    await servers.settled(30_000, new AbortController().signal);
    const folders = Object.fromEntries(
      servers
        .list()
        .map(({ entry, state }) => [
          entry.name,
          state.kind === 'failed' ? (/It wrote: (\[.*\])/.exec(state.why)?.[1] ?? state.why) : state.kind,
        ]),
    );
    await servers.dispose();
    await Promise.all([home, cwd].map((folder) => rm(folder, { recursive: true })));
    assert.deepEqual(folders, {
      given: JSON.stringify([cwd, cwd]),
      local: JSON.stringify([cwd, cwd]),
      own: JSON.stringify([home, cwd]),
    });
  });
});
