// The content of the scripts that hooks name: files are hashed, and what is not a file never hangs a hook.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { maxScriptBytes, readHookScripts, tooLongToHash } from '../../../../src/node/hooks/hook-script-files';
import { temporaryFolder } from '../../../rig/cleanup';

describe('the scripts of hooks on disk', () => {
  const folder = temporaryFolder('hook-scripts');
  const read = (command: string) =>
    readHookScripts([{ handler: { type: 'command', command }, root: folder }], {
      project: folder,
      workspace: [folder],
    });
  const hash = async (command: string): Promise<string | undefined> => Object.values(await read(command))[0];

  it('are told apart by what they hold', async () => {
    writeFileSync(path.join(folder, 'check.sh'), 'echo 1\n');
    const before = await hash('./check.sh');
    assert.match(before ?? '', /^[0-9a-f]{64}$/);
    writeFileSync(path.join(folder, 'check.sh'), 'echo 2\n');
    assert.notEqual(await hash('./check.sh'), before);
  });

  it('are not looked at where they are too long', async () => {
    writeFileSync(path.join(folder, 'long.sh'), Buffer.alloc(maxScriptBytes + 1));
    assert.equal(await hash('./long.sh'), tooLongToHash);
  });

  it('are none where there is a folder, a FIFO or nothing', async () => {
    mkdirSync(path.join(folder, 'folder.sh'));
    execFileSync('mkfifo', [path.join(folder, 'fifo.sh')]);
    for (const command of ['./folder.sh', './fifo.sh', './nothing.sh']) assert.deepEqual(await read(command), {});
  });
});
