// A session with checkpoints on the real disk: real tools, shell and ripgrep in a folder of its own; only the model is scripted.
import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type SessionLog } from '../../src/core/ports/session-store';
import { type SessionCheckpoints } from '../../src/core/ports/checkpoints';
import { builtInAgents } from '../../src/core/subagents/built-in-agents';
import { availabilityOf } from '../../src/core/tool/availability';
import { getTools } from '../../src/core/tools/registry';
import { createNodeCheckpoints, type NodeCheckpointsOptions } from '../../src/node/checkpoints/node-checkpoints';
import { createNodeFileSystem } from '../../src/node/files/node-file-system';
import { findRipgrep } from '../../src/node/search/ripgrep-path';
import { createSystemClock } from '../../src/node/system-clock';
import { createNodeTerminal } from '../../src/node/terminal/node-terminal';
import { reply, type Reply, text, toolUse } from './messages-api/script';
import { createScriptedModel } from './scripted-model';
import { createHarness } from './session-harness';

export type Call = [tool: string, input: Record<string, unknown>];

export interface RewindPlace {
  readonly root: string;
  readonly folder: string;
  readonly sessions: string;
  remove(): void;
}

export function createRewindPlace(): RewindPlace {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'deft-rewind-')));
  const [folder, sessions] = [path.join(root, 'work'), path.join(root, 'sessions')];
  mkdirSync(folder);
  mkdirSync(sessions);
  return { root, folder, sessions, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function openCheckpoints(
  { sessions, folder }: RewindPlace,
  options: Partial<NodeCheckpointsOptions> = {},
  id = 'session-1',
): SessionCheckpoints {
  const warn = (message: string): never => {
    throw new Error(message);
  };
  return createNodeCheckpoints({
    ripgrep: () => findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] }),
    log: { debug: () => undefined, info: () => undefined, warn, error: warn },
    uuid: randomUUID,
    early: true,
    ...options,
  }).open({ id, resultsDirectory: path.join(sessions, id, 'tool-results'), folders: [folder] });
}

/** To be called in a `describe`; `use` gets both anew before each test. */
export function withCheckpoints(use: (place: RewindPlace, checkpoints: SessionCheckpoints) => void): void {
  let opened: { place: RewindPlace; checkpoints: SessionCheckpoints };
  beforeEach(() => {
    const place = createRewindPlace();
    opened = { place, checkpoints: openCheckpoints(place) };
    use(place, opened.checkpoints);
  });
  afterEach(async () => {
    await opened.checkpoints.close();
    opened.place.remove();
  });
}

/** In a turn's calls: the agent that the call before it started is done. */
export const agentDone: Call = ['', {}];

/** Each list of calls is a turn: one prompt, one reply with a call after the other. Returns the calls' results that failed. */
export async function runTurns(
  { root, folder }: RewindPlace,
  checkpoints: SessionCheckpoints,
  turns: readonly (readonly Call[])[],
): Promise<string[]> {
  const replies = turns.flatMap((calls): Reply[] => [
    ...calls.map(([tool, input]) => (tool === '' ? reply(text('A report.')) : reply(toolUse(tool, input)))),
    reply(text('Done.')),
  ]);
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const terminal = createNodeTerminal({ log, environment: process.env });
  const ports = { terminal, clock: createSystemClock(), files: createNodeFileSystem(), uuid: randomUUID, log };
  const { run, session } = createHarness({
    model: createScriptedModel(replies, { idPrefix: randomUUID().slice(0, 8) }),
    tools: getTools({
      isDenied: () => false,
      simple: false,
      availability: availabilityOf(ports, { interactive: false, platform: process.platform, names: () => false }),
    }),
    ports,
    session: {
      checkpoints,
      agents: {
        list: async () => ({ agents: [...builtInAgents], problems: [] }),
        createLog: async (id) => forgottenLog(id),
        openLog: async () => undefined,
        environment: () => ({}),
      },
      mode: 'bypassPermissions',
      environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      permission: () => ({
        rules: [],
        folders: [folder],
        ownFolders: [],
        home: root,
        ignoreCase: false,
        trusted: true,
      }),
      home: root,
      resultsDirectory: path.join(root, 'results'),
    },
  });
  for (const [index] of turns.entries()) await run(`Prompt ${index + 1}`);
  await terminal.dispose();
  return session.records.flatMap((record) =>
    record.type === 'user' && record.toolState === 'failed' ? [JSON.stringify(record.message.content)] : [],
  );
}

function forgottenLog(id: string): SessionLog {
  return {
    id,
    path: `/forgotten/${id}.jsonl`,
    append: () => undefined,
    sync: async () => undefined,
    close: async () => undefined,
  };
}

/** Every path below the folder with what is there: bytes, mode, a link's target; without `.git`. */
export function treeOf(folder: string, below = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(path.join(folder, below)).sort()) {
    if (name === '.git') continue;
    const at = path.join(below, name);
    const stats = lstatSync(path.join(folder, at));
    if (stats.isSymbolicLink()) tree[at] = `-> ${readlinkSync(path.join(folder, at))}`;
    else if (stats.isDirectory()) Object.assign(tree, { [at]: 'folder' }, treeOf(folder, at));
    else tree[at] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(path.join(folder, at)).toString('latin1')}`;
  }
  return tree;
}
