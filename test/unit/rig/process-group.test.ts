// A started program ends with everything that it started, also with what left its process group.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { startGroup } from '../../rig/process-group';

describe('process groups of the rig', () => {
  it('end a grandchild that has its own session', async function () {
    if (process.platform !== 'linux') {
      console.log('      skipped: sessions are looked up in /proc, which only Linux has');
      this.skip();
    }
    const script = `
      const { spawn } = require('node:child_process');
      const options = { detached: true, stdio: 'ignore' };
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options);
      child.on('spawn', () => console.log(child.pid));
      setInterval(() => {}, 1000);`;
    const group = await startGroup(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.ok(group.child.stdout);
    const [output] = (await once(group.child.stdout, 'data')) as [Buffer];
    const grandchild = Number(output.toString());
    assert.ok(isAlive(grandchild));
    await group.end();
    assert.equal(isAlive(group.pid), false);
    // A killed process may stay as a zombie until its new parent has looked; it no longer has a command line.
    await untilGone(grandchild);
  });

  it('report the exit code', async () => {
    const group = await startGroup(process.execPath, ['-e', 'process.exit(7)'], { stdio: 'ignore' });
    assert.equal(await group.exited, 7);
    await group.end();
  });

  it('say when a program cannot be started', async () => {
    await assert.rejects(startGroup('/does/not/exist', []), { code: 'ENOENT' });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  const { readFileSync } = await import('node:fs');
  for (;;) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '') return;
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
