// Opens Deft in a test window against the scripted Messages API, and finds its parts by role and name.
import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import type { Settings } from '../../rig/settings';
import { within } from '../../support/within';
import { openWindow, type TestWindow, type WindowOptions } from './window';

const STEP_MILLISECONDS = 30_000;

/** A message of a request, as the wire carries it. */
export interface SentMessage {
  role: string;
  content: unknown;
}

export interface DeftWindow {
  readonly window: TestWindow;
  readonly api: MessagesApi;
  /** What the API answers from now on; requests are counted anew. */
  script(...replies: ScriptedReply[]): void;
  /** The messages of the n-th request since `script`, counted from 1, as soon as it is in. */
  request(n: number): Promise<SentMessage[]>;
  /** Requests since `script`. */
  requests(): number;
  chat(): FrameLocator;
  composer(): Locator;
  /** Types a message and sends it. */
  send(text: string): Promise<void>;
  /** The approval dock's group. */
  approval(name?: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
  /** A card of the conversation: a tool call, a notice. */
  card(name: string | RegExp): Locator;
  conversation(): Locator;
  /** Waits until `text` is in the conversation. */
  says(text: string | RegExp): Promise<void>;
  /** Waits until no turn runs. */
  idle(): Promise<void>;
  /**
   * Changes the user settings on top of those that the window was opened with, and reloads it: a VS Code that runs in a
   * browser stops following the file after a few changes.
   */
  configure(settings: Settings): Promise<void>;
  /** Answers what the project's settings would allow, as Deft asks once for each project. */
  reviewGrants(answer: 'Agree' | 'Keep Off'): Promise<void>;
  /** An empty conversation. */
  newSession(): Promise<void>;
  /** Closes the window; fails where the API was sent something that it refuses. */
  close(): Promise<void>;
}

export type DeftOptions = WindowOptions & {
  /** False opens the window alone: for windows in which the chat opens by itself, or must not. */
  readonly openChat?: boolean;
};

let shared: Promise<MessagesApi> | undefined;

/** The API that all windows without an `env` of their own use: so they share a server too. */
export function sharedApi(): Promise<MessagesApi> {
  return (shared ??= startMessagesApi([]));
}

const opened = new Set<DeftWindow>();

/** Resets every open window to a state in which a test can be tried again: reloaded, the chat open. */
export async function recoverAll(): Promise<void> {
  await Promise.allSettled(
    [...opened].map(async (deft) => {
      await deft.window.reload();
      await openChat(deft);
    }),
  );
}

/** What the scripted API was last asked and what it refused, for a test that failed. */
export async function describeApi(): Promise<string> {
  const api = await sharedApi();
  const last = api.requests.at(-1);
  const messages = (last?.body['messages'] ?? []) as SentMessage[];
  const lastMessages = messages
    .slice(-2)
    .map(({ role, content }) => `${role}: ${JSON.stringify(content)}`.slice(0, 2_000));
  return [`requests: ${api.requests.length}; refused: ${JSON.stringify(api.violations)}`, ...lastMessages].join('\n');
}

/** A window with the chat open, ready to type. */
export async function openDeft(options: DeftOptions = {}): Promise<DeftWindow> {
  const api = await sharedApi();
  const refusedBefore = api.violations.length;
  let scriptedAt = api.requests.length;
  api.setScript([]);
  const window = await openWindow({
    ...options,
    // Text of a terminal that is drawn by the graphics card cannot be read.
    settings: { 'terminal.integrated.gpuAcceleration': 'off', ...options.settings },
    env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', ...options.env },
  });
  const chat = (): FrameLocator => window.chat();
  const composer = (): Locator => chat().getByRole('textbox', { name: 'Message' });
  const conversation = (): Locator => chat().getByRole('log', { name: 'Conversation' });
  const deft: DeftWindow = {
    window,
    api,
    script(...replies) {
      scriptedAt = api.requests.length;
      api.setScript(replies);
    },
    async request(n) {
      const { body } = await within(
        api.waitForRequest(scriptedAt + n),
        STEP_MILLISECONDS,
        `Request ${n} did not come.`,
      );
      return body['messages'] as SentMessage[];
    },
    requests: () => api.requests.length - scriptedAt,
    chat,
    composer,
    async send(text) {
      await composer().fill(text);
      await composer().press('Enter');
    },
    approval: (name = /^Approve: /) => chat().getByRole('group', { name, exact: true }),
    button: (name) => chat().getByRole('button', { name, exact: true }),
    card: (name) => conversation().getByRole('group', { name, exact: true }),
    conversation,
    says: (text) => conversation().getByText(text).last().waitFor({ timeout: STEP_MILLISECONDS }),
    idle: () =>
      chat()
        .getByRole('button', { name: 'Stop', exact: true })
        .waitFor({ state: 'detached', timeout: STEP_MILLISECONDS }),
    async configure(settings) {
      window.configure(settings);
      await window.reload();
      await composer().waitFor({ timeout: 60_000 });
    },
    async reviewGrants(answer) {
      const notice = conversation().getByRole('group', {
        name: "This project's settings would allow more.",
        exact: true,
      });
      await notice.getByRole('button', { name: 'Review' }).click({ timeout: STEP_MILLISECONDS });
      const dialog = window.page
        .getByRole('dialog')
        .filter({ hasText: "Agree to what this project's settings allow?" });
      await dialog.getByRole('button', { name: answer, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await notice.waitFor({ state: 'detached', timeout: STEP_MILLISECONDS });
    },
    async newSession() {
      const shown = (): Promise<string | null> => conversation().getAttribute('data-session');
      // A page that has just opened names no session yet: its own first one is none that the button opened.
      let before: string | null = '';
      await eventually(async () => ((before = await shown()) ?? '') !== '', 'The chat shows no session.');
      await window.page.locator('.part.sidebar').getByRole('button', { name: 'New Session' }).click();
      // What a test has left at work may be left.
      const leave = window.page.getByRole('dialog').getByRole('button', { name: /^(?:Stop and )?Leave$/ });
      await eventually(async () => {
        if ((await leave.count()) > 0) await leave.click();
        return (await shown()) !== before;
      }, 'No new session was opened.');
      await composerFocused(deft);
    },
    async close() {
      opened.delete(deft);
      await window.close();
      assert.deepEqual(api.violations.slice(refusedBefore), [], 'the API was sent something it refuses');
    },
  };
  opened.add(deft);
  if (options.openChat !== false) await openChat(deft);
  return deft;
}

/** Shows the chat and waits until one can type. */
export async function openChat(deft: DeftWindow): Promise<void> {
  // The palette offers what was registered when it opened: each one that comes too early costs seconds.
  await deft.window.page
    .locator('.part.activitybar')
    .getByRole('tab', { name: 'Deft', exact: true })
    .waitFor({ timeout: 2 * STEP_MILLISECONDS });
  await deft.window.command('Deft: Focus Chat');
  await deft.composer().waitFor({ timeout: STEP_MILLISECONDS });
  await composerFocused(deft);
}

async function composerFocused(deft: DeftWindow): Promise<void> {
  const focused = () =>
    deft
      .composer()
      .evaluate((element) => element === element.ownerDocument.activeElement && element.ownerDocument.hasFocus());
  await eventually(focused, 'The composer does not get the focus.');
}

/** What fits to the "@" that was typed last: until its answer is there, Enter sends the message. */
export function mentionOptions(deft: DeftWindow): Locator {
  return deft.chat().locator('#mention-list[aria-busy="false"]').getByRole('option');
}

/** All text of a message, tool results included. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block !== 'object' || block === null) return [];
    if ('text' in block && typeof block.text === 'string') return [block.text];
    return 'content' in block ? textsOf(block.content) : [];
  });
}

/** The text of the newest message of a request. */
export function lastText(messages: readonly SentMessage[]): string {
  return textsOf(messages.at(-1)?.content).join('\n');
}

/** Asks again and again until the answer is yes; fails with `what` after half a minute. */
export async function eventually(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + STEP_MILLISECONDS;
  while (!(await check())) {
    if (Date.now() > deadline) assert.fail(what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
