// The chat's page alone, with its host played: what costs seconds in a real window is checked here in many states and themes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser } from 'playwright-core';
import { startBrowser } from '../rig/browser';
import { allChecks, runCheck } from '../support/webview-harness/check';
import { type SharedTab } from '../support/webview-harness/harness';
import { startHarnessServer, type HarnessServer } from '../support/webview-harness/server';

describe('the page', () => {
  let browser: Browser;
  let server: HarnessServer;
  const tab: SharedTab = {};
  before(async () => {
    const dist = path.resolve('dist');
    assert.ok(existsSync(path.join(dist, 'webview.js')), 'The webview is not built: npm run build.');
    [browser, server] = await Promise.all([startBrowser(), startHarnessServer(dist)]);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  for (const check of allChecks) it(check.name, () => runCheck(check, browser, server, tab));
});
