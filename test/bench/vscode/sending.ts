// Send to first request: the key press in the composer to the request at the API.
import { openBenchWindow } from './open';
import { reply } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { requestNumber } from './wait';
import { readProbe, sinceEpoch, startProbe } from './webview-probe';

const area = 'VS Code';

export async function measureSending(report: Report, { quick }: BenchOptions): Promise<void> {
  const first: number[] = [];
  const opening: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const deft = await openBenchWindow(() => reply('Hello.'));
    const send = async (): Promise<number> => {
      const expected = deft.api.requests.length + 1;
      await deft.send('Say hello, please.');
      const { receivedAt } = await requestNumber(deft.api, expected);
      const { acted } = await readProbe(deft.chat());
      await deft.idle();
      return sinceEpoch(receivedAt) - acted;
    };
    try {
      await startProbe(deft.chat());
      first.push(await send());
      for (let message = 0; message < 5; message++) later.push(await send());
      for (let session = 0; session < 5; session++) {
        await deft.window.command('Deft: New Session');
        // The command takes a way of its own to the host, which a message sent at once may overtake.
        await deft.chat().getByRole('log').getByRole('article').first().waitFor({ state: 'detached' });
        opening.push(await send());
      }
    } finally {
      await deft.close();
    }
  }
  const target = { target: 60, peer: '634 ms' };
  report.add({ area, name: 'Send to request, first message in a fresh window', unit: 'ms', ...target }, first);
  report.add({ area, name: 'Send to request, first message of a session', unit: 'ms', ...target }, opening);
  report.add({ area, name: 'Send to request, later messages', unit: 'ms', ...target }, later);
}
