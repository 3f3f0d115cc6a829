// Activation: what VS Code itself reports for loading and activating the extension.
import { createHostProbe, type HostProbe } from './extension-host';
import { openBenchWindow } from './open';
import { openWindow, type TestWindow } from '../../e2e/support/window';
import { reply } from '../../support/messages-api/script';
import { startMessagesApi } from '../../support/messages-api/server';
import type { BenchOptions } from '../main';
import type { Report } from '../report';

const area = 'VS Code';

/** Until nothing loads any more in a window that was just opened. */
const restMilliseconds = 6_000;

/** Opens the chat in windows at rest, as a user does, and in windows that open with it, while everything else loads too. */
export async function measureActivation(report: Report, { quick }: BenchOptions): Promise<void> {
  const probe = createHostProbe();
  const rounds = quick ? 2 : 7;
  await addActivation(report, 'activation', 60, async (read) => {
    const api = await startMessagesApi(() => reply('Hello.'));
    // The first host of a server also fills the page cache and VS Code's own caches.
    for (let round = 0; round <= rounds; round++) {
      const window = await openWindow({
        ...probe.options,
        env: { ...probe.options.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'bench-key' },
      });
      await new Promise((resolve) => setTimeout(resolve, restMilliseconds));
      await window.command('Deft: Focus Chat');
      await window.chat().getByRole('textbox', { name: 'Message', exact: true }).waitFor({ timeout: 60_000 });
      if (round > 0) await read(window, probe);
      await window.close();
    }
    await api.close();
  });
  await addActivation(report, 'activation while the window opens', undefined, async (read) => {
    const deft = await openBenchWindow(() => reply('Hello.'), probe.options);
    for (let round = 0; round <= rounds; round++) {
      if (round > 0) await deft.window.reload();
      await deft.composer().waitFor({ timeout: 60_000 });
      if (round > 0) await read(deft.window, probe);
    }
    await deft.close();
  });
}

type ReadActivation = (window: TestWindow, probe: HostProbe) => Promise<void>;

/** VS Code's "Activation: 12ms" in the list of running extensions: reading and running the code, and the call of activate(). */
async function addActivation(
  report: Report,
  name: string,
  target: number | undefined,
  rounds: (read: ReadActivation) => Promise<void>,
): Promise<void> {
  const times: number[] = [];
  const load: number[] = [];
  const activate: number[] = [];
  await rounds(async (window, probe) => {
    await window.command('Developer: Show Running Extensions');
    const row = window.page.locator('.runtime-extensions-editor .extension', { hasText: /Deft/ });
    const text = await row.locator('.activation-time').textContent({ timeout: 20_000 });
    const time = /(\d+)\s*ms/.exec(text ?? '')?.[1];
    if (time === undefined) throw new Error(`VS Code shows no activation time: ${text}`);
    times.push(Number(time));
    const { own } = await probe.read({ window });
    if (own.load !== null) load.push(own.load);
    if (own.activate !== null) activate.push(own.activate);
  });
  report.add({ area, name, unit: 'ms', ...(target === undefined ? {} : { target, peer: '2.7 s' }) }, times);
  if (load.length > 0) report.add({ area, name: `${name}: its code is loaded`, unit: 'ms' }, load);
  if (activate.length > 0) report.add({ area, name: `${name}: until activate() is done`, unit: 'ms' }, activate);
}
