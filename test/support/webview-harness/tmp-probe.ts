import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { startBrowser } from '../../rig/browser';
import { longConversation, snapshot } from './conversations';
import { drawn, openHarness } from './harness';
import { startHarnessServer } from './server';
import { work } from './long-work';
export async function main(args: string[]): Promise<number> {
  const server = await startHarnessServer(path.resolve('dist'));
  const browser = await startBrowser();
  const harness = await openHarness(browser, server);
  const { page, send } = harness;
  await send(snapshot({ status: 'working', items: longConversation(1) }));
  await drawn(page);
  await work(harness, 0, 100);
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 200 });
  await session.send('Profiler.start');
  await work(harness, 100, 300);
  const { profile } = await session.send('Profiler.stop');
  const self = new Map<string, number>();
  const ids = new Map(profile.nodes.map((n) => [n.id, n]));
  profile.samples?.forEach((id, i) => {
    const n = ids.get(id);
    const name = `${n?.callFrame.functionName || '(anon)'} ${n?.callFrame.url.split('/').at(-1)}:${n?.callFrame.lineNumber}:${n?.callFrame.columnNumber}`;
    self.set(name, (self.get(name) ?? 0) + (profile.timeDeltas?.[i] ?? 0) / 1000);
  });
  console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 30).map(([n, t]) => `${t.toFixed(0)} ms ${n}`).join('\n'));
  console.log(await page.evaluate(() => { const c: Record<string, number> = {}; for (const e of document.getElementsByTagName('*')) { const k = e.tagName + '.' + e.className; c[k] = (c[k] ?? 0) + 1; } return JSON.stringify(Object.entries(c).sort((a,b)=>b[1]-a[1]).slice(0,25)); }));
  console.log(await page.evaluate(() => { const s = document.querySelector('.transcript')!; return [s.scrollTop, s.scrollHeight, s.clientHeight, [...s.querySelectorAll('.gap')].map(g=>(g as HTMLElement).style.height + ' ' + g.textContent).join(',')].join(' '); }));
  await page.screenshot({ path: '/tmp/page-shot.png' });
  console.log(harness.errors.join('\n'));
  await browser.close(); await server.close();
  return 0;
}
