// `deft_ledger` of a headless run: what changed, what was checked behind it, what is due, and claims that the log does not bear.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonLines, type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

const test = "import test from 'node:test';\ntest('adds', () => undefined);\n";
const settings = JSON.stringify({ verify: [{ files: 'src/**', run: 'npm run lint' }] });
const args = ['--permission-mode', 'bypassPermissions', '--output-format', 'stream-json'];

describe('the ledger of a headless run', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  withHeadlessPlace((...opened) => ([place, server] = opened));

  const run = async (
    script: Parameters<MessagesApi['setScript']>[0],
    ...more: string[]
  ): Promise<Record<string, unknown>> => {
    server.setScript(script);
    const end = await place.run(['-p', 'Go', ...args, ...more], { url: server.url });
    assert.equal(end.code, 0, end.stderr);
    return (jsonLines(end.stdout).at(-1)?.['deft_ledger'] ?? {}) as Record<string, unknown>;
  };
  const file = (name: string): string => path.join(place.workspace, name);
  const write = (name: string) => toolUse('Write', { file_path: file(name), content: test });

  it('says which test ran behind the last edit, and what settings want besides', async () => {
    const found = await run(
      [
        reply(write('src/a.test.mjs')),
        reply(toolUse('Bash', { command: 'node --test src/' })),
        reply('All tests pass.'),
      ],
      '--settings',
      settings,
    );
    assert.equal(
      found['summary'],
      '1 file changed · 1 test passed after the last edit · 1 check of your settings not run',
    );
    assert.deepEqual(found['files'], [{ path: file('src/a.test.mjs'), edits: 1 }]);
    const [check] = found['checks'] as Record<string, unknown>[];
    assert.deepEqual(
      [check?.['command'], check?.['state'], check?.['exit_code'], check?.['counts'], check?.['stale_for']],
      ['node --test src/', 'passed', 0, { passed: 1, failed: 0, skipped: 0 }, []],
    );
    assert.deepEqual(found['due'], [{ run: 'npm run lint', files: [file('src/a.test.mjs')] }]);
    assert.deepEqual(found['claims'], []);
  });

  it('lists a claim that is stale, also in a session that goes on', async () => {
    await mkdir(file('src'), { recursive: true });
    await writeFile(file('src/a.test.mjs'), test);
    await run([reply(write('src/b.mjs')), reply(toolUse('Bash', { command: 'node --test src/' })), reply('Tested.')]);
    const found = await run([reply(write('src/c.mjs')), reply('Done. All tests pass.')], '--continue');
    assert.deepEqual(found['claims'], [
      {
        kind: 'tests',
        text: 'All tests pass.',
        reason: `No test ran after the last edit of ${file('src/c.mjs')}.`,
      },
    ]);
    assert.deepEqual(found['not_run'], [
      { kind: 'tests', since: file('src/c.mjs'), ran_before: true, uncertain: false },
    ]);
  });

  it('is left out where the turn neither changed nor claimed anything', async () => {
    assert.deepEqual(await run([reply('Hello.')]), {});
  });
});
