// Betas that a user adds: each way arrives, and none takes the place of another or of Deft's own.
import assert from 'node:assert/strict';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('betas of a headless run', function () {
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  it('come from the option, the variable, a header of the user and a settings file, beside those of Deft', async () => {
    server.setScript(() => reply('Done.'));
    const sent = async (args: readonly string[], env: Record<string, string>): Promise<string[]> => {
      const end = await place.run([...args, '-p', 'Go'], { url: server.url, env });
      assert.equal(end.code, 0, end.stderr);
      return String(server.requests.at(-1)?.headers['anthropic-beta']).split(',');
    };
    const deft = { DEFT_CONTEXT_MANAGEMENT: 'clear' };
    const all = await sent(['--betas=by-option-2026-01-01'], {
      ...deft,
      ANTHROPIC_BETAS: 'by-variable-2026-01-01',
      ANTHROPIC_CUSTOM_HEADERS: 'anthropic-beta: by-header-2026-01-01',
    });
    for (const name of ['by-option-2026-01-01', 'by-variable-2026-01-01', 'by-header-2026-01-01'])
      assert.ok(all.includes(name), all.join(', '));
    assert.ok(
      all.some((name) => name.startsWith('context-management-')),
      all.join(', '),
    );
    const settings = JSON.stringify({ env: { ANTHROPIC_BETAS: 'by-settings-2026-01-01' } });
    assert.deepEqual(await sent(['--settings', settings], {}), ['by-settings-2026-01-01']);
  });
});
