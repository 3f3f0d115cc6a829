// A VS Code window for a test that clicks: opened on files of its own, with the settings, theme and size it asks for.
import { defined } from '../../../src/shared/defined';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Dialog, FrameLocator, Locator, Page } from 'playwright-core';
import { within } from '../../support/within';
import { startBrowser } from '../../rig/browser';
import { temporaryFolder } from '../../rig/cleanup';
import { startServer, type Server } from '../../rig/server';
import { THEMES, type Settings, type Theme } from '../../rig/settings';
import {
  fileNameOf,
  openWorkbench,
  reloadWorkbench,
  runCommand,
  screenshot,
  webviewFrame,
  type Workspace,
} from '../../rig/workbench';

export type WindowOptions = {
  /** Files of the workspace, by their path from its folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A folder that is copied into the workspace before `files`. */
  readonly copyOf?: string;
  /** False opens a window without a folder. */
  readonly folder?: boolean;
  /** Opens this `.code-workspace` file, by its path from the folder, instead of the folder. */
  readonly workspaceFile?: string;
  readonly settings?: Settings;
  /** Variables of the extension host, such as ANTHROPIC_BASE_URL. Windows with the same variables share a server. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of an extension to install in addition to Deft. */
  readonly extraExtension?: string;
  /** English by default. */
  readonly language?: string;
  /** True opens the folder in restricted mode, as VS Code does by default. Default: everything is trusted. */
  readonly workspaceTrust?: boolean;
  readonly theme?: Theme;
  readonly viewport?: { readonly width: number; readonly height: number };
};

export type TestWindow = {
  readonly page: Page;
  readonly server: Server;
  /** The workspace's folder; a temporary one also where no folder is opened. */
  readonly folder: string;
  /** Runs a command by its title in the palette. */
  command(title: string): Promise<void>;
  /** The document of Deft's webview; `index` counts them where several are open. */
  chat(index?: number): FrameLocator;
  /** Text of a file of the workspace, as it is on the disk. */
  read(file: string): string;
  write(file: string, content: string | Uint8Array): void;
  /** Changes the user settings on top of those that the window was opened with. */
  configure(settings: Settings): void;
  /** Reloads the window, as "Developer: Reload Window" does. */
  reload(): Promise<void>;
  screenshot(name: string): Promise<string>;
  /** A screenshot of a state for people to look at: only with `DEFT_PICTURES=1`, as no test compares it. */
  picture(name: string): Promise<void>;
  close(): Promise<void>;
};

const DESCRIBE_MILLISECONDS = 2_000;
const DESCRIBED_CHARACTERS = 3_000;
const FOLDERS_MILLISECONDS = 15_000;
const LEAVE_MILLISECONDS = 10_000;

const servers = new Map<string, Promise<Server>>();
const open = new Set<TestWindow>();
/**
 * The context of the windows that are open alone, one after the other, and their page: what VS Code's own files cost is paid once, and a
 * page that had a window opens the next one in two thirds of the time.
 */
let reused: Promise<BrowserContext> | undefined;
let reusedPage: Page | undefined;
let reusedTaken = false;
let browser: Promise<Browser> | undefined;

/** Pictures for people are made: in more themes than what tests look at. */
export const isForPictures = process.env['DEFT_PICTURES'] === '1';

/** `always`: contrast in each theme is a matter of the page, whose own tests look at it in all of them. */
export function lookedAt(always: readonly Theme[], forPictures: readonly Theme[]): readonly Theme[] {
  return isForPictures ? [...always, ...forPictures] : always;
}

/** Opens a window and waits for the workbench; close it in `after`, or leave that to the end of the run. */
export async function openWindow(options: WindowOptions = {}): Promise<TestWindow> {
  const folder = temporaryFolder('workspace');
  if (options.copyOf) cpSync(options.copyOf, folder, { recursive: true });
  const write = (file: string, content: string | Uint8Array): void => {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  for (const [file, content] of Object.entries(options.files ?? {})) write(file, content);

  browser ??= startBrowser();
  const [server, running] = await Promise.all([serverFor(options), browser]);
  const settings: Settings = {
    ...(options.workspaceTrust
      ? { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' }
      : {}),
    ...(options.theme ? { 'workbench.colorTheme': THEMES[options.theme] } : {}),
    ...options.settings,
  };
  server.configure(settings);
  const alone = !reusedTaken;
  if (alone) reusedTaken = true;
  const context = await (alone ? (reused ??= newContext(running)) : newContext(running));
  const page = await (alone ? pageAlone(context) : context.newPage());
  if (alone) await forgetState(context, page, server.port);
  await page.setViewportSize(options.viewport ?? { width: 1400, height: 900 });
  // Without a graphics card each frame of an animation is drawn by the processor, which the tests need.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const window: TestWindow = {
    page,
    server,
    folder,
    command: (title) => runCommand(page, title),
    chat: (index) => webviewFrame(page, undefined, index),
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    write,
    configure: (changed) => server.configure({ ...settings, ...changed }),
    reload: () => reloadWorkbench(page),
    screenshot: (name) => screenshot(page, name),
    async picture(name) {
      if (isForPictures) await screenshot(page, name);
    },
    async close() {
      open.delete(window);
      await (alone ? leaveWindow(page) : context.close());
      if (alone) reusedTaken = false;
    },
  };
  open.add(window);
  await openWorkbench(page, server.port, opened(folder, options));
  if (options.workspaceFile !== undefined) await foldersOpened(window, options.workspaceFile);
  return window;
}

function newContext(running: Browser): Promise<BrowserContext> {
  // The clipboard of a test is the page's own.
  return running.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
}

async function pageAlone(context: BrowserContext): Promise<Page> {
  return (reusedPage = reusedPage === undefined || reusedPage.isClosed() ? await context.newPage() : reusedPage);
}

/** Ends the window, as a user who goes elsewhere in its tab and agrees to lose what is unsaved; a tab that hangs is closed. */
async function leaveWindow(page: Page): Promise<void> {
  const agree = (dialog: Dialog): void => void dialog.accept().catch(() => undefined);
  page.on('dialog', agree);
  const leave = async (): Promise<void> => {
    await page.evaluate(() => window.sessionStorage.clear());
    await page.goto('about:blank');
  };
  try {
    await within(leave(), LEAVE_MILLISECONDS, 'The tab hangs.');
    page.off('dialog', agree);
  } catch {
    await page.close();
  }
}

/** What VS Code keeps in the browser: layout, trust, the state of extensions. Its files stay in the cache. */
async function forgetState(context: BrowserContext, page: Page, port: number): Promise<void> {
  const client = await context.newCDPSession(page);
  const storageTypes = 'cookies,indexeddb,local_storage';
  await client.send('Storage.clearDataForOrigin', { origin: `http://127.0.0.1:${port}`, storageTypes });
  await client.detach();
}

/**
 * Waits until the Explorer lists the folders that a workspace file names. On a busy machine VS Code now and then reads that file before its
 * connection stands, takes it for empty and looks no more until it changes: the window is loaded again then.
 */
async function foldersOpened(window: TestWindow, workspaceFile: string): Promise<void> {
  const { folders } = JSON.parse(window.read(workspaceFile)) as { folders: { path: string; name?: string }[] };
  for (let tries = 1; ; tries++) {
    try {
      for (const { path: folder, name } of folders) {
        const row = window.page
          .locator('.explorer-folders-view .monaco-list-row')
          .filter({ hasText: name ?? path.basename(folder) });
        await row.first().waitFor({ timeout: FOLDERS_MILLISECONDS });
      }
      return;
    } catch (error) {
      if (tries === 2) throw error;
      await window.reload();
    }
  }
}

function opened(folder: string, options: WindowOptions): Workspace {
  if (options.workspaceFile !== undefined) return { workspaceFile: path.join(folder, options.workspaceFile) };
  return options.folder === false ? {} : { folder };
}

/** Pictures of every open window, for a test that failed. Returns the files. */
export async function screenshotAll(title: string): Promise<string[]> {
  const windows = [...open];
  const pictures = await Promise.allSettled(
    windows.map((window, index) => window.screenshot(windows.length > 1 ? `${fileNameOf(title)}-${index + 1}` : title)),
  );
  return pictures.flatMap((picture) => (picture.status === 'fulfilled' ? [picture.value] : []));
}

/** What every open window shows as text, for a failed test whose picture nobody can look at. */
export async function describeAll(): Promise<string[]> {
  const described = [...open].map(async ({ page, chat }) => {
    const text = async (shown: Locator): Promise<string> =>
      (
        await shown
          .first()
          .innerText({ timeout: DESCRIBE_MILLISECONDS })
          .catch(() => '(not shown)')
      ).trim();
    return [
      `window: ${await page.title().catch(() => '(closed)')} at ${page.url()}`,
      `explorer: ${await text(page.locator('.explorer-viewlet'))}`,
      `notifications: ${await text(page.locator('.notifications-toasts'))}`,
      `chat: ${(await text(chat().locator('body'))).slice(-DESCRIBED_CHARACTERS)}`,
    ].join('\n');
  });
  return Promise.all(described);
}

/** Closes the windows that a test file left open; the browser and the servers stay for the next. */
export async function closeAllWindows(): Promise<void> {
  await Promise.allSettled([...open].map((window) => window.close()));
}

/** Ends the browser and all servers. */
export async function endAll(): Promise<void> {
  await closeAllWindows();
  await browser?.then((running) => running.close()).catch(() => undefined);
  await Promise.allSettled([...servers.values()].map(async (server) => (await server).stop()));
  servers.clear();
  browser = undefined;
  reused = undefined;
  reusedPage = undefined;
  reusedTaken = false;
}

function serverFor({ env = {}, extraExtension, language }: WindowOptions): Promise<Server> {
  const key = JSON.stringify([Object.entries(env).sort(), extraExtension, language]);
  const known = servers.get(key);
  if (known) return known;
  const started = startServer({
    env,
    fewBuiltIn: process.env['ALLEXT'] === undefined,
    ...defined({ extraExtension, language }),
  });
  servers.set(key, started);
  return started;
}
