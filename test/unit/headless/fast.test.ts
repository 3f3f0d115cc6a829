// Fast mode of a headless run: by the setting and by the flag; not asked for where the address does not have it.
import assert from 'node:assert/strict';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('fast mode of a headless run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('is chosen by the setting and by --fast, which a resumed session keeps', async () => {
    server.setScript(() => reply('Done.'));
    const run = async (...args: string[]): Promise<void> => {
      const end = await place.run([...args, '-p', 'Go'], { url: server.url });
      assert.deepEqual([end.code, end.stderr], [0, '']);
    };
    await run('--settings', JSON.stringify({ fastMode: true }));
    const chosen = async (): Promise<unknown[]> =>
      (await place.transcript()).flatMap(({ subtype, name, value }) =>
        subtype === 'setting' && name === 'speed' ? [value] : [],
      );
    assert.deepEqual(await chosen(), [], 'a default is no choice of the session');
    await run('-c', '--fast');
    assert.deepEqual(await chosen(), ['fast']);
    for (const { body } of server.requests) assert.equal(body['speed'], undefined, 'a gateway has no fast mode');
  });
});
