// Where sessions live.
import assert from 'node:assert/strict';
import { sessionsDirectory, workspaceKey } from '../../../../src/node/sessions/sessions-directory';

describe('the sessions directory', () => {
  const rows: [string | undefined, string][] = [
    [undefined, '/home/p/.deft/sessions/-work-my-app'],
    ['~/.deft/sessions/<workspace>', '/home/p/.deft/sessions/-work-my-app'],
    ['/var/sessions', '/var/sessions'],
    ['/var/<workspace>/s', '/var/-work-my-app/s'],
    ['~', '/home/p'],
    ['relative/<workspace>', '/home/p/relative/-work-my-app'],
    ['~other/x', '/home/p/~other/x'],
  ];
  for (const [setting, expected] of rows) {
    it(`${setting ?? 'the default'} is ${expected}`, () =>
      assert.equal(sessionsDirectory('/home/p', '/work/my.app', setting), expected));
  }

  it('keeps keys short and apart', () => {
    const long = `/work/${'deep/'.repeat(60)}`;
    const keys = [workspaceKey(`${long}a`), workspaceKey(`${long}b`)];
    assert.equal(new Set(keys).size, 2);
    for (const key of keys) assert.match(key, /^[A-Za-z0-9-]{100,120}$/);
    assert.equal(workspaceKey('C:\\code\\ü x'), 'C--code---x');
  });
});
