// What the rig does on other machines than the one it runs on: which VS Code, which browser, which environment.
import assert from 'node:assert/strict';
import { browserCandidates } from '../../../src/node/page/browser-places';
import { quietEnvironment } from '../../rig/environment';
import { rigUnavailable } from '../../rig/install';
import { waysToOpen } from '../../rig/start';
import { fileNameOf, workbenchUrl } from '../../rig/workbench';

describe('the rig on different machines', () => {
  const linux = { platform: 'linux', architecture: 'x64', display: true, root: false };
  const mac = { platform: 'darwin', architecture: 'arm64', display: true, root: false };

  it('opens the installed VS Code on a desktop, then a downloaded one, then the server', () => {
    assert.deepEqual(waysToOpen(linux), ['installed', 'download', 'server']);
    assert.deepEqual(waysToOpen(mac), ['installed', 'download']);
  });

  it('opens the server as root or without a display', () => {
    assert.deepEqual(waysToOpen({ ...linux, root: true }), ['server']);
    assert.deepEqual(waysToOpen({ ...linux, display: false }), ['server']);
  });

  it('has no way on another Linux without a display', () => {
    assert.deepEqual(waysToOpen({ ...linux, architecture: 'arm64', display: false }), []);
  });

  it('says why the browser tests cannot run elsewhere', () => {
    assert.equal(rigUnavailable('linux', 'x64'), undefined);
    assert.match(rigUnavailable('darwin', 'arm64') ?? '', /Linux x64.*darwin arm64/);
  });

  it('looks for browsers where each system keeps them, a chosen one first', () => {
    assert.equal(browserCandidates('linux', { PATH: '/a', CHROME_PATH: '/my/chrome' })[0], '/my/chrome');
    const found = browserCandidates('linux', { PATH: '/a:/b' });
    assert.ok(found.includes('/b/chromium'));
    assert.ok(found.indexOf('/b/chromium-headless-shell') < found.indexOf('/a/google-chrome'), 'the light one first');
    assert.ok(browserCandidates('darwin', {}).includes('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'));
    assert.ok(
      browserCandidates('win32', { PROGRAMFILES: 'C:\\Program Files' }).includes(
        'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      ),
    );
  });

  it('lends no key and no variable of another VS Code to the one under test', () => {
    const base = {
      PATH: '/bin',
      LANG: 'C',
      ANTHROPIC_API_KEY: 'secret',
      VSCODE_IPC_HOOK: 'x',
      npm_config_cache: 'y',
      AWS_PROFILE: 'z',
    };
    const environment = quietEnvironment({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', LANG: undefined }, base);
    assert.deepEqual(environment, {
      PATH: '/bin',
      npm_config_offline: 'true',
      EXTENSIONS_GALLERY: '{}',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    });
  });

  it('addresses a window by its folder, its workspace file or as an empty one', () => {
    const query = (url: string): URLSearchParams => new URL(url).searchParams;
    assert.equal(query(workbenchUrl(1, { folder: '/a b/ü' })).get('folder'), '/a b/ü');
    assert.equal(query(workbenchUrl(1, { workspaceFile: '/w.code-workspace' })).get('workspace'), '/w.code-workspace');
    assert.equal(query(workbenchUrl(1)).get('ew'), 'true');
    const payload = query(workbenchUrl(1, { folder: '/a', extensionTestsPath: '/t.js' })).get('payload') ?? '';
    assert.deepEqual(JSON.parse(payload), [['extensionTestsPath', 'vscode-remote://127.0.0.1:1/t.js']]);
  });

  it('makes a file name of any title', () => {
    assert.equal(fileNameOf('Edit: "src/a.ts" → ok?'), 'Edit-src-a.ts-ok');
  });
});
