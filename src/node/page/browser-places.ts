// Where a browser of the Chromium family may be on this machine. None is ever downloaded.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

// A shell without a browser around it takes a third less processor time for each window.
const names = [
  'chromium-headless-shell',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];
const macApps = ['Google Chrome', 'Microsoft Edge', 'Chromium'];
const windowsPaths = [
  'Google/Chrome/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
  'Chromium/Application/chrome.exe',
];

/** In the order of preference. `CHROME_PATH` wins over all. */
export function browserCandidates(platform: string, env: NodeJS.ProcessEnv): string[] {
  const chosen = env['CHROME_PATH'] ? [env['CHROME_PATH']] : [];
  if (platform === 'darwin') {
    return [
      ...chosen,
      ...macApps.flatMap((app) =>
        ['/Applications', `${env['HOME'] ?? ''}/Applications`].map(
          (folder) => `${folder}/${app}.app/Contents/MacOS/${app}`,
        ),
      ),
    ];
  }
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter(
      (root) => root !== undefined,
    );
    return [...chosen, ...roots.flatMap((root) => windowsPaths.map((file) => path.win32.join(root, file)))];
  }
  const folders = [
    ...(env['PATH'] ?? '').split(':'),
    '/usr/bin',
    '/usr/local/bin',
    '/snap/bin',
    '/opt/google/chrome',
  ].filter((folder) => folder !== '');
  return [...chosen, ...names.flatMap((name) => folders.map((folder) => path.posix.join(folder, name)))];
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** For a sentence: what was looked for, each place once. */
export function lookedFor(platform: string): string {
  if (platform === 'darwin') return `${macApps.join(', ')} in /Applications and ~/Applications`;
  if (platform === 'win32') return 'Chrome, Edge and Chromium in the folders for programs';
  return `${names.join(', ')} on the PATH, in /usr/bin, /usr/local/bin, /snap/bin and /opt/google/chrome`;
}
