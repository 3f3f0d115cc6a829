// The same edits of a large file by an extension that does nothing else: what of a block is VS Code's own.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { openWindow } from '../../e2e/support/window';
import { openFile } from '../../rig/workbench';
import { createHostProbe, type ProbeReading } from './extension-host';

const patienceMilliseconds = 120_000;

/** `count` edits of the file's first line, each of them saved. */
export async function measureBareEdits(
  name: string,
  text: string,
  count: number,
  inTab: boolean,
): Promise<ProbeReading> {
  const probe = createHostProbe();
  const window = await openWindow({
    ...probe.options,
    env: { ...probe.options.env, DEFT_HOST_EDITS: String(count) },
    files: { [name]: text },
  });
  try {
    if (inTab) await openFile(window.page, name);
    await probe.read({ window });
    await window.command('Blank: Edit the Large File');
    const started = performance.now();
    while (!existsSync(path.join(probe.folder, 'edited'))) {
      if (performance.now() - started > patienceMilliseconds)
        throw new Error('The edits of the bare extension did not end.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return await probe.read({ window });
  } finally {
    await window.close();
    await window.server.stop();
  }
}
