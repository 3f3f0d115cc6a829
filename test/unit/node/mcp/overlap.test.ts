// Connecting a server twice at once: one process is left, and none after the end.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mcpTimes } from '../../../../src/core/mcp/limits';
import { createConnection } from '../../../../src/node/mcp/connection';
import { entryOf } from '../../../support/mcp/run-servers';

describe('connections to node/mcp servers that overlap', () => {
  it('leave one process, and none once closed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'deft-overlap-'));
    const pids = path.join(folder, 'pids');
    await writeFile(pids, '');
    const program = path.resolve('test/support/mcp/odd-server.mjs');
    // Notes each process, then is the server.
    const code = `require('fs').appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n'); process.argv.splice(1, 0, 'x'); import(${JSON.stringify(program)})`;
    const entry = entryOf('odd', { type: 'stdio', command: process.execPath, args: ['-e', code, 'plain'], env: {} });
    const connection = createConnection({
      entry,
      times: mcpTimes,
      changed: () => undefined,
      projectFolder: folder,
      folders: () => [],
      environment: async () => process.env,
      version: '0',
    });
    const alive = async (): Promise<string[]> =>
      (await readFile(pids, 'utf8')).split('\n').filter((pid) => pid !== '' && isRunning(Number(pid)));
    try {
      await connection.connect();
      assert.equal((await alive()).length, 1);
      await Promise.all([connection.connect(), connection.connect()]);
      assert.equal(connection.status().state.kind, 'connected');
      assert.equal((await alive()).length, 1);
      const last = connection.connect();
      await connection.close();
      await last;
      assert.deepEqual(await alive(), []);
    } finally {
      await connection.close();
      await rm(folder, { recursive: true });
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
