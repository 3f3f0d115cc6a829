// What a browser is started with so that nothing in it connects to hosts that rules deny.
import assert from 'node:assert/strict';
import { deniedHostSwitches, withoutProxyFor } from '../../../../src/node/page/denied-hosts';

describe('hosts that a browser may not connect to', () => {
  it('are not found by it, with a dot at their end neither', () => {
    assert.deepEqual(deniedHostSwitches(['evil.test', '*.ads.test', '127.0.0.1']), [
      '--host-resolver-rules=MAP evil.test ~NOTFOUND,MAP evil.test. ~NOTFOUND,MAP *.ads.test ~NOTFOUND,MAP *.ads.test. ~NOTFOUND,MAP 127.0.0.1 ~NOTFOUND,MAP 127.0.0.1. ~NOTFOUND',
    ]);
    assert.deepEqual(deniedHostSwitches(['[::1]']), ['--host-resolver-rules=MAP ::1 ~NOTFOUND']);
    assert.deepEqual(deniedHostSwitches([]), []);
  });

  it('add nothing where a rule names what is no host', () => {
    assert.deepEqual(deniedHostSwitches(['a,MAP * 127.0.0.1', 'a b', 'x" --remote-debugging-port=1', '']), []);
  });

  it('are not left out where they are too many: no browser is started', () => {
    const hosts = Array.from({ length: 1_000 }, (_, index) => `host-${index}.test`);
    assert.throws(() => deniedHostSwitches(hosts), /^Error: Rules deny 1000 hosts to pages, more than a browser/);
  });

  it('are not left to a proxy of the environment', () => {
    const environment = { http_proxy: 'http://proxy.test:3128', no_proxy: 'localhost' };
    const expected = { ...environment, no_proxy: 'localhost,evil.test', NO_PROXY: 'localhost,evil.test' };
    assert.deepEqual(withoutProxyFor(['evil.test'], environment), expected);
    assert.equal(withoutProxyFor([], environment), environment);
  });
});
