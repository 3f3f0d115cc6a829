// Activation: what VS Code itself reports for loading and activating the extension.
import { openBenchWindow } from './open';
import { reply } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';

const area = 'VS Code';

/** Reads "Activation: 12ms" in the list of running extensions, once in each of several fresh extension hosts. */
export async function measureActivation(report: Report, { quick }: BenchOptions): Promise<void> {
  const deft = await openBenchWindow(() => reply('Hello.'));
  try {
    const times: number[] = [];
    for (let round = 0; round <= (quick ? 2 : 7); round++) {
      if (round > 0) await deft.window.reload();
      await deft.composer().waitFor({ timeout: 60_000 });
      await deft.window.command('Developer: Show Running Extensions');
      const row = deft.window.page.locator('.runtime-extensions-editor .extension', { hasText: /Deft/ });
      const text = await row.locator('.activation-time').textContent({ timeout: 20_000 });
      const time = /(\d+)\s*ms/.exec(text ?? '')?.[1];
      if (time === undefined) throw new Error(`VS Code shows no activation time: ${text}`);
      // The first host of a server also fills the page cache and VS Code's own caches.
      if (round > 0) times.push(Number(time));
    }
    report.add({ area, name: 'activation (load and activate)', unit: 'ms', target: 60, peer: '2.7 s' }, times);
  } finally {
    await deft.close();
  }
}
