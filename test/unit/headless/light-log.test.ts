// A long headless run that is compacted again and again: how many results it still holds is counted in a snapshot of its heap.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startControlProgram } from '../../support/control-program';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { reply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

const turns = 120;
const turnsPerCompaction = 30;

describe('a long headless run', function () {
  this.timeout(240_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  beforeEach(async () => (place = await createHeadlessPlace()));
  afterEach(async () => {
    await server.close();
    await place.remove();
    assert.deepEqual(server.violations, []);
  });

  it('holds the results since its last compaction, and its log all of them', async function () {
    if (process.platform === 'win32') this.skip();
    server = await startMessagesApi(
      (request) => {
        const text = JSON.stringify((request.body['messages'] as unknown[]).at(-1));
        if (text.includes('is about to be replaced by a summary')) return reply('The sum.');
        if (text.includes('tool_result')) return reply('Shown.');
        const turn = /Show part (\d+)\./.exec(text)?.[1];
        return turn === undefined ? reply('Yes.') : reply(toolUse('Bash', { command: `cat part-${turn}.txt` }));
      },
      { keepBodies: false },
    );
    for (let turn = 1; turn <= turns; turn++)
      await writeFile(path.join(place.workspace, `part-${turn}.txt`), `content-of-${turn}-${'x'.repeat(2_000)}\n`);
    const program = startControlProgram(
      place,
      { url: server.url, env: { NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' } },
      '--permission-mode',
      'bypassPermissions',
      '--verbose',
    );
    for (let turn = 1; turn <= turns; turn++) {
      program.say(`Show part ${turn}.`);
      const result = await program.next(({ type }) => type === 'result');
      assert.equal(result['is_error'], false, JSON.stringify(result));
      if (turn % turnsPerCompaction !== 0) continue;
      program.say('/compact');
      assert.equal((await program.next(({ type }) => type === 'result'))['is_error'], false);
    }
    program.say('Go on.');
    await program.next(({ type }) => type === 'result');
    program.run.child.kill('SIGUSR2');
    const heap = await snapshotIn(place.workspace);
    const held = contentsIn(heap);
    assert.ok(held.size >= 1, 'the snapshot was taken of something else');
    assert.ok(held.size <= turnsPerCompaction, `${held.size} of ${turns} results are held`);
    const session = String((await place.transcript())[0]?.['sessionId']);
    assert.equal((await program.close()).code, 0);
    const log = await readFile(path.join(place.sessions, `${session}.jsonl`), 'utf8');
    assert.equal(contentsIn(log).size, turns);
  });

  function contentsIn(text: string): Set<string> {
    return new Set([...text.matchAll(/content-of-(\d+)-x/g)].map(([, turn = '']) => turn));
  }

  async function snapshotIn(folder: string): Promise<string> {
    for (;;) {
      const name = (await readdir(folder)).find((one) => one.endsWith('.heapsnapshot'));
      const text = name === undefined ? '' : await readFile(path.join(folder, name), 'utf8');
      if (text.endsWith('}')) return text;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
});
