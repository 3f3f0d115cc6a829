// Which addresses a page may open unasked: those that lead to this machine whatever a name server says.
import assert from 'node:assert/strict';
import { judge } from '../../../../src/core/permissions/decide';
import { isLocalAddress } from '../../../../src/core/permissions/rules/local-addresses';
import { type PermissionContext } from '../../../../src/core/permissions/rules/verdict';
import { type PermissionRule } from '../../../../src/shared/permission';

const local = [
  'http://localhost/',
  'https://localhost:3000/a?b#c',
  'http://LOCALHOST.:80/',
  'http://app.localhost:5173/',
  'http://127.0.0.1:8080/',
  'http://127.255.255.254/',
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://[::1]:3000/',
  'about:blank',
];
const elsewhere = [
  'http://example.com/',
  'http://localhost.example.com/',
  'http://notlocalhost/',
  'http://127.0.0.1.nip.io/',
  'http://0.0.0.0:3000/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::]/',
  'http://user@localhost/',
  'http://user:word@127.0.0.1/',
  'file:///etc/passwd',
  'ftp://localhost/',
  'ws://localhost/',
  'javascript:alert(1)',
  'about:config',
  'localhost',
  '',
];

describe('local addresses', () => {
  it('are those of this machine alone', () => {
    assert.deepEqual(
      local.filter((url) => !isLocalAddress(url)),
      [],
    );
    assert.deepEqual(elsewhere.filter(isLocalAddress), []);
  });

  const rule = (behavior: PermissionRule['behavior'], toolName: string, ruleContent?: string): PermissionRule => ({
    behavior,
    source: 'userSettings',
    root: '/h',
    value: { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) },
  });
  const verdict = (tool: string, url: string, rules: PermissionRule[] = [], more: Partial<PermissionContext> = {}) =>
    judge(
      { tool, access: 'DangerFullAccess', readOnly: true, targets: [{ kind: 'url', url }] },
      {
        mode: 'default',
        rules,
        folders: ['/w'],
        ownFolders: [],
        cwd: '/w',
        home: '/h',
        ignoreCase: false,
        trusted: true,
        ...more,
      },
    ).behavior;

  it('open unasked in Page alone, unless a rule or the mode says otherwise', () => {
    assert.equal(verdict('Page', 'http://localhost:3000/'), 'allow');
    assert.equal(verdict('WebFetch', 'http://localhost:3000/'), 'ask');
    assert.equal(verdict('Page', 'https://example.com/'), 'ask');
    assert.equal(verdict('Page', 'https://nodejs.org/'), 'ask', 'documentation is for WebFetch');
    assert.equal(verdict('Page', 'http://localhost:3000/', [rule('deny', 'Page', 'domain:localhost')]), 'deny');
    assert.equal(verdict('Page', 'http://localhost:3000/', [rule('ask', 'Page', 'domain:localhost')]), 'ask');
    assert.equal(verdict('Page', 'http://localhost:3000/', [rule('deny', 'Page')]), 'deny');
    assert.equal(verdict('Page', 'http://localhost:3000/', [], { trusted: false }), 'deny');
    assert.equal(verdict('Page', 'https://example.com/', [rule('allow', 'Page', 'domain:example.com')]), 'allow');
    assert.equal(verdict('Page', 'https://example.com/', [rule('allow', 'WebFetch', 'domain:example.com')]), 'ask');
    assert.equal(verdict('Page', 'https://example.com/', [rule('allow', 'Page', 'domain:*.example.com')]), 'ask');
  });
});
