// What VS Code itself needs: a host in which Deft was not asked for yet, and a window that shows a view with one line of text.
import { openWindow } from '../../e2e/support/window';
import { webviewFrame } from '../../rig/workbench';
import { createHostProbe, readExtensionHost, type HostReading, type ProbeReading } from './extension-host';
import { reloadUntil } from './reload';

const extension = 'deft-bench.host-probe';
const text = 'There it is.';
const restMilliseconds = 5_000;

export interface BlankWindow {
  /** As the window opened and stood still for a moment. */
  readonly opening: ProbeReading;
  readonly host: HostReading | undefined;
  /** Milliseconds from the reload until the text is there. */
  readonly reloads: readonly number[];
}

export async function measureBlankWindow(rounds: number): Promise<BlankWindow> {
  const probe = createHostProbe();
  const window = await openWindow({ ...probe.options, files: { 'note.txt': 'a note\n' } });
  try {
    await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
    const opening = await probe.read({ window });
    const host = readExtensionHost({ window });
    await window.command('Blank: Focus on Blank View');
    await webviewFrame(window.page, extension).getByText(text).waitFor();
    // VS Code notes a moment later which view is open.
    await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
    const reloads: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { shown } = await reloadUntil(window.page, extension, [
        `document.body?.textContent.includes(${JSON.stringify(text)}) === true`,
      ]);
      reloads.push(...shown);
    }
    return { opening, host, reloads };
  } finally {
    await window.close();
    await window.server.stop();
  }
}
