// Three chats that stream at the same time, one in the side bar and two in tabs: what the host and the composer feel of it.
import type { FrameLocator } from 'playwright-core';
import { reply, text } from '../../support/messages-api/script';
import type { BenchOptions } from '../main';
import type { Report } from '../report';
import { createHostProbe } from './extension-host';
import { openBenchWindow } from './open';
import { typedToPaint } from './webview-probe';

const area = 'VS Code';
const chats = 3;
const keys = 40;

export async function measureChats(report: Report, { quick }: BenchOptions): Promise<void> {
  const parts = quick ? 1_500 : 4_000;
  const probe = createHostProbe();
  const deft = await openBenchWindow(
    () => reply(text(...Array.from({ length: parts }, () => 'and **so** on, '), '\n\nThat is all.')),
    { api: { keepBodies: false, interDeltaMs: 5 }, ...probe.options },
  );
  try {
    for (let count = 1; count < chats; count++) {
      await deft.window.command('Deft: New Chat in Editor');
      await composerOf(deft.window.chat(count)).waitFor({ timeout: 60_000 });
    }
    const all = Array.from({ length: chats }, (_, index) => deft.window.chat(index));
    await probe.read(deft);
    for (const chat of all) {
      await composerOf(chat).fill('Say much.');
      await composerOf(chat).press('Enter');
    }
    for (const chat of all) await chat.getByRole('log').getByText('so on,').first().waitFor({ timeout: 60_000 });
    const paint = await typedToPaint(deft.composer(), keys);
    for (const chat of all) await chat.getByRole('log').getByText('That is all.').waitFor({ timeout: 120_000 });
    const { longest, busiest, blocks } = await probe.read(deft);
    const name = `${chats} chats stream`;
    report.add({ area, name: `${name}: key to paint, p95`, unit: 'ms', target: 50 }, [paint]);
    const note = `${blocks.length} of 30 ms and more; the thread worked at most ${busiest.toFixed(0)} ms in one`;
    report.add({ area, name: `${name}: longest block of the extension host`, unit: 'ms', target: 50, note }, [longest]);
  } finally {
    await deft.close();
  }
}

function composerOf(chat: FrameLocator) {
  return chat.getByRole('textbox', { name: 'Message', exact: true });
}
