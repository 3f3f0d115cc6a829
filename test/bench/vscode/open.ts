// A VS Code window with Deft's chat open, on a server and a scripted Messages API of its own.
import type { FrameLocator, Locator } from 'playwright-core';
import { openWindow, type TestWindow, type WindowOptions } from '../../e2e/support/window';
import {
  startMessagesApi,
  type MessagesApi,
  type MessagesApiOptions,
  type Script,
} from '../../support/messages-api/server';

const stepMilliseconds = 60_000;
/** Figures are taken at rest: longer than the chat takes to show a change of state. */
const pauseMilliseconds = 400;

export interface BenchWindow {
  readonly window: TestWindow;
  readonly api: MessagesApi;
  chat(): FrameLocator;
  composer(): Locator;
  /** Types a message and presses Enter. */
  send(text: string): Promise<void>;
  /** Waits until no turn runs and the host has had time to write down its end. */
  idle(): Promise<void>;
  /** Ends window, server and API; throws where a request was one that the real API would refuse. */
  close(): Promise<void>;
}

export async function openBenchWindow(
  script: Script,
  options: WindowOptions & { readonly api?: MessagesApiOptions } = {},
): Promise<BenchWindow> {
  const api = await startMessagesApi(script, options.api);
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'bench-key', ...options.env };
  const window = await openWindow({ ...options, env });
  const chat = (): FrameLocator => window.chat();
  const composer = (): Locator => chat().getByRole('textbox', { name: 'Message', exact: true });
  await window.command('Deft: Focus Chat');
  await composer().waitFor({ timeout: stepMilliseconds });
  return {
    window,
    api,
    chat,
    composer,
    async send(text) {
      await composer().fill(text);
      await composer().press('Enter');
    },
    async idle() {
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
      await chat()
        .getByRole('button', { name: 'Stop', exact: true })
        .waitFor({ state: 'detached', timeout: stepMilliseconds });
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    },
    async close() {
      await window.close();
      await window.server.stop();
      await api.close();
      if (api.violations.length > 0) throw new Error(`The API would refuse: ${JSON.stringify(api.violations[0])}`);
    },
  };
}
