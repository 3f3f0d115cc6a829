// Activation: what VS Code itself reports for loading and activating the extension.
import { createHostProbe } from './extension-host';
import { openBenchWindow } from './open';
import { reply } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';

const area = 'VS Code';

/** Reads "Activation: 12ms" in the list of running extensions, once in each of several fresh extension hosts. */
export async function measureActivation(report: Report, { quick }: BenchOptions): Promise<void> {
  const probe = createHostProbe();
  const deft = await openBenchWindow(() => reply('Hello.'), probe.options);
  try {
    const times: number[] = [];
    const load: number[] = [];
    const activate: number[] = [];
    for (let round = 0; round <= (quick ? 2 : 7); round++) {
      if (round > 0) await deft.window.reload();
      await deft.composer().waitFor({ timeout: 60_000 });
      await deft.window.command('Developer: Show Running Extensions');
      const row = deft.window.page.locator('.runtime-extensions-editor .extension', { hasText: /Deft/ });
      const text = await row.locator('.activation-time').textContent({ timeout: 20_000 });
      const time = /(\d+)\s*ms/.exec(text ?? '')?.[1];
      if (time === undefined) throw new Error(`VS Code shows no activation time: ${text}`);
      // The first host of a server also fills the page cache and VS Code's own caches.
      if (round === 0) continue;
      times.push(Number(time));
      const { own } = await probe.read(deft);
      if (own.load !== null) load.push(own.load);
      if (own.activate !== null) activate.push(own.activate);
    }
    report.add({ area, name: 'activation (load and activate)', unit: 'ms', target: 60, peer: '2.7 s' }, times);
    if (load.length > 0) report.add({ area, name: 'of which the code of Deft is loaded', unit: 'ms' }, load);
    if (activate.length > 0) report.add({ area, name: 'of which Deft is activated', unit: 'ms' }, activate);
  } finally {
    await deft.close();
  }
}
