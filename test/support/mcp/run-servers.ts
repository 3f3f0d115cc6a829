// Runs MCP servers for tests through Deft's own client, and ends them.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { mcpTimes } from '../../../src/core/mcp/limits';
import { type McpServerConfig, type McpServerEntry, type McpServerStatus } from '../../../src/core/ports/mcp';
import { createMcpServers, type RunningMcpServers } from '../../../src/node/mcp/create-mcp-servers';
import { type McpServersOptions } from '../../../src/node/mcp/server-set';

const require = createRequire(path.resolve('package.json'));

/** The program of a reference server. */
export function referenceServer(name: 'everything' | 'filesystem' | 'memory', ...args: string[]): McpServerConfig {
  const folder = path.dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`));
  return { type: 'stdio', command: process.execPath, args: [path.join(folder, 'dist/index.js'), ...args], env: {} };
}

/** A small server that does something wrong. */
export function oddServer(...args: string[]): McpServerConfig {
  return {
    type: 'stdio',
    command: process.execPath,
    args: [path.resolve('test/support/mcp/odd-server.mjs'), ...args],
    env: {},
  };
}

/** A server of the official SDK's own class. */
export function sdkServer(env: Record<string, string> = {}): Extract<McpServerConfig, { type: 'stdio' }> {
  return {
    type: 'stdio',
    command: process.execPath,
    args: [path.resolve('test/support/mcp/sdk-server.mjs')],
    env,
  };
}

export function entryOf(name: string, config: McpServerConfig, more: Partial<McpServerEntry> = {}): McpServerEntry {
  return { name, scope: 'user', config, alwaysLoad: false, written: JSON.stringify(config), ...more };
}

const open: RunningMcpServers[] = [];
const listening: Server[] = [];

export function openServers(
  servers: Record<string, McpServerConfig> | McpServerEntry[],
  options: Partial<McpServersOptions> = {},
): RunningMcpServers {
  const entries = Array.isArray(servers)
    ? servers
    : Object.entries(servers).map(([name, config]) => entryOf(name, config));
  const running = createMcpServers({
    configuration: async () => ({ entries, problems: [] }),
    standing: () => ({ kind: 'allowed' }),
    times: mcpTimes,
    projectFolder: process.cwd(),
    folders: () => [process.cwd()],
    environment: async () => process.env,
    version: '0.0.0-test',
    ...options,
  });
  open.push(running);
  return running;
}

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  await Promise.all(open.splice(0).map((servers) => servers.dispose()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of listening.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

export const never = new AbortController().signal;

export async function settled(servers: RunningMcpServers): Promise<void> {
  await servers.settled(60_000, never);
}

export function statusOf(servers: RunningMcpServers, name: string): McpServerStatus {
  const found = servers.list().find(({ entry }) => entry.name === name);
  assert.ok(found, `There is no server ${name}.`);
  return found;
}

/** Resolves once `holds` does, looked at whenever something changes. */
export async function until(servers: RunningMcpServers, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const stop = servers.onChange(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });
}

/** An address that answers as the test says; ended by `closeServers`. */
export async function listenAs(
  listener: RequestListener,
): Promise<{ type: 'http'; url: string; headers: Record<string, string> }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  listening.push(server);
  await once(server, 'listening');
  return { type: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, headers: {} };
}

const children: ChildProcess[] = [];

/** The reference server over HTTP, on this machine alone; ended by `closeServers`. */
export async function overHttp(
  kind: 'streamableHttp' | 'sse',
): Promise<{ config: McpServerConfig; process: ChildProcess }> {
  const config = referenceServer('everything', kind);
  assert.ok(config.type === 'stdio');
  const child = spawn(
    config.command,
    ['--import', pathToFileURL(path.resolve('test/support/mcp/on-loopback.mjs')).href, ...config.args],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  children.push(child);
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server ended.')));
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /port (\d+)/.exec(chunk.toString());
      if (found?.[1] !== undefined) resolve(found[1]);
    });
  });
  return {
    config: {
      type: kind === 'sse' ? 'sse' : 'http',
      url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
      headers: {},
    },
    process: child,
  };
}
