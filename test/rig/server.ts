// Starts a real VS Code (code-server) on a free port of 127.0.0.1. One server serves several windows and suites.
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { neededBuiltInExtensions } from './built-in-extensions';
import { removeFolder, temporaryFolder } from './cleanup';
import { quietEnvironment } from './environment';
import { installExtension } from './extension-folder';
import { ensureRig } from './install';
import { startGroup } from './process-group';
import { RigError } from './rig-error';
import { QUIET_SETTINGS, type Settings } from './settings';

const START_MILLISECONDS = 60_000;

export type ServerOptions = {
  /** Folder of a built extension to install; 'none' for a VS Code without one. Default: the project itself. */
  readonly extension?: string | 'none';
  /** Folder of a further extension. */
  readonly extraExtension?: string;
  readonly settings?: Settings;
  /** True leaves out those of VS Code's own extensions that tests that click do not need: windows open sooner. */
  readonly fewBuiltIn?: boolean;
  /** Variables for the extension host and its terminals; undefined takes one out. HOME is a temporary folder. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** As `vscode.env.language` names it: extensions show themselves in it. VS Code's own texts stay English. */
  readonly language?: string;
  /** Needed to run tests inside the extension host; such a server shows no notifications and rejects modal dialogs. */
  readonly testsInHost?: boolean;
  /** Keeps settings and state between runs; default is a temporary folder. */
  readonly userData?: string;
};

export type Server = {
  readonly port: number;
  readonly pid: number;
  /** Home folder of everything that runs in this server; `.deft` of the sessions is below it. */
  readonly home: string;
  readonly logFile: string;
  /** Replaces the user settings (laid over the quiet ones). VS Code watches the file; open windows follow. */
  configure(settings: Settings): void;
  /** Resolves when the server has ended by itself or by `stop`. */
  readonly exited: Promise<number | null>;
  /** Ends it with all its processes and removes its folders. */
  stop(): Promise<void>;
};

/** Resolves when the server accepts connections (2 to 3 s). */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const rig = ensureRig();
  const folder = temporaryFolder('server');
  const userData = options.userData ?? path.join(folder, 'user');
  const home = options.env?.['HOME'] ?? path.join(folder, 'home');
  const extensions = path.join(folder, 'extensions');
  const temporary = path.join(folder, 'tmp');
  for (const each of [path.join(userData, 'User'), home, extensions, temporary]) mkdirSync(each, { recursive: true });
  if (options.extension !== 'none') installExtension(extensions, options.extension);
  if (options.extraExtension !== undefined) installExtension(extensions, options.extraExtension);

  if (options.language !== undefined) installLanguage(userData, options.language);

  const settingsFile = path.join(userData, 'User', 'settings.json');
  const configure = (settings: Settings): void => {
    writeFileSync(settingsFile, JSON.stringify({ ...QUIET_SETTINGS, ...settings }, null, 2));
  };
  // In a profile that is kept, what the user has set since stays.
  if (!existsSync(settingsFile)) configure(options.settings ?? {});

  const port = await freePort();
  const configFile = path.join(folder, 'config.yaml');
  writeFileSync(configFile, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  const args = [
    rig.entry,
    '--config',
    configFile,
    '--bind-addr',
    `127.0.0.1:${port}`,
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--ignore-last-opened',
    '--disable-proxy',
    ...(options.language === undefined ? [] : ['--locale', options.language]),
    ...(options.fewBuiltIn ? ['--builtin-extensions-dir', neededBuiltInExtensions(rig.vscode)] : []),
    ...(options.testsInHost ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    '--user-data-dir',
    userData,
    '--extensions-dir',
    extensions,
  ];
  const group = await startGroup(rig.node, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: quietEnvironment({ TMPDIR: temporary, ...options.env, HOME: home }),
  });
  const logFile = path.join(folder, 'server.log');
  const log = createWriteStream(logFile);
  group.child.stdout?.pipe(log, { end: false });
  group.child.stderr?.pipe(log, { end: false });

  const stop = async (): Promise<void> => {
    await group.end();
    log.end();
    removeFolder(folder);
  };
  try {
    await listening(group.child.stdout, group.exited);
  } catch (error) {
    const output = readFileSync(logFile, 'utf8').trim();
    await stop();
    throw new RigError(`code-server did not start: ${String(error)}\n${output}`);
  }
  return { port, pid: group.pid, home, logFile, configure, exited: group.exited, stop };
}

/** VS Code takes a language where a language pack names it; this one has no text of its own. */
function installLanguage(userData: string, language: string): void {
  const texts = path.join(userData, 'texts.json');
  writeFileSync(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = {
    hash: 'tests',
    label: language,
    extensions: [{ extensionIdentifier: { id: 'deft-tests.language', uuid: '0' }, version: '1.0.0' }],
    translations: { vscode: texts },
  };
  writeFileSync(path.join(userData, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
  });
}

async function listening(output: NodeJS.ReadableStream | null, exited: Promise<number | null>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let text = '';
      output?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (/server listening on/i.test(text)) resolve();
      });
      void exited.then((code) => reject(new Error(`it ended with exit code ${String(code)}`)));
      timer = setTimeout(
        () => reject(new Error(`no answer within ${START_MILLISECONDS / 1000} s`)),
        START_MILLISECONDS,
      );
    });
  } finally {
    clearTimeout(timer);
  }
}
