// Drives the built webview as its host and as a user, and checks what it shows, posts and costs.
import path from 'node:path';
import { type Browser } from 'playwright-core';
import { startBrowser } from '../../rig/browser';
import { accessChecks } from './access-checks';
import { answerChecks } from './answer-checks';
import { answerPartChecks } from './answer-part-checks';
import { approvalChecks } from './approval-checks';
import { backgroundChecks } from './background-checks';
import { agentChecks } from './agent-checks';
import { checks, type Check } from './checks';
import { composerChecks } from './composer-checks';
import { diagramChecks } from './diagram-checks';
import { droppingChecks } from './dropping-checks';
import { halfMadeChecks } from './half-made-checks';
import { errorChecks } from './error-checks';
import { faultChecks } from './fault-checks';
import { findChecks } from './find-checks';
import { historyChecks } from './history-checks';
import { externalChecks } from './external-checks';
import { longChecks } from './long-checks';
import { ledgerChecks } from './ledger-checks';
import { lookChecks } from './look-checks';
import { questionChecks } from './question-checks';
import { senseChecks } from './sense-checks';
import { serverChecks } from './server-checks';
import { rewindChecks } from './rewind-checks';
import { setUpChecks } from './set-up-checks';
import { sideChecks } from './side-checks';
import { slashChecks } from './slash-checks';
import { themeChecks } from './theme-checks';
import { usageChecks } from './usage-checks';
import { waitChecks } from './wait-checks';
import { windowChecks } from './window-checks';
import { writingChecks } from './writing-checks';
import { within } from '../within';
import { openHarness, type SharedTab } from './harness';
import { startHarnessServer, type HarnessServer } from './server';

const TIMEOUT_MS = 110_000;

export const allChecks: readonly Check[] = [
  ...checks,
  ...composerChecks,
  ...droppingChecks,
  ...halfMadeChecks,
  ...questionChecks,
  ...backgroundChecks,
  ...externalChecks,
  ...rewindChecks,
  ...senseChecks,
  ...serverChecks,
  ...setUpChecks,
  ...sideChecks,
  ...slashChecks,
  ...usageChecks,
  ...waitChecks,
  ...writingChecks,
  ...agentChecks,
  ...historyChecks,
  ...findChecks,
  ...errorChecks,
  ...faultChecks,
  ...longChecks,
  ...windowChecks,
  ...answerChecks,
  ...answerPartChecks,
  ...diagramChecks,
  ...approvalChecks,
  ...ledgerChecks,
  ...lookChecks,
  ...themeChecks,
  ...accessChecks,
];

/** In a page of its own, in `tab`; an error of the page fails it too. */
export async function runCheck(
  { options, run }: Check,
  browser: Browser,
  server: HarnessServer,
  tab: SharedTab,
): Promise<void> {
  const harness = await openHarness(browser, server, options ?? {}, tab);
  try {
    await within(run(harness), TIMEOUT_MS, `Not done after ${TIMEOUT_MS / 1_000} s.`);
    if (harness.errors.length > 0) throw new Error(harness.errors.join('\n'));
  } catch (error) {
    // Whatever state it is in, the next check does not get it.
    await tab.page?.context().close();
    delete tab.page;
    throw error;
  } finally {
    await harness.close();
  }
}

/** `names` picks checks whose names contain one of them. */
export async function main(names: string[]): Promise<number> {
  const server = await startHarnessServer(path.resolve('dist'));
  const browser = await startBrowser();
  const tab: SharedTab = {};
  let passed = 0;
  let failed = 0;
  try {
    for (const check of allChecks) {
      if (names.length > 0 && !names.some((part) => check.name.includes(part))) continue;
      try {
        await runCheck(check, browser, server, tab);
        passed++;
        console.log(`ok      ${check.name}`);
      } catch (error) {
        failed++;
        console.error(`FAILED  ${check.name}\n${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
