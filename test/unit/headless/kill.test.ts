// kill -9 at random points: whatever was written is still there, the history is accepted, nothing runs twice.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { gate, reply, text, toolUse, type ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

const runs = Number(process.env['DEFT_KILL_RUNS'] ?? 30);
const seed = Number(process.env['DEFT_KILL_SEED'] ?? Date.now() % 1_000_000);
/** A new session now and then: the history is sent with every request. */
const runsPerSession = 10;

describe(`kill -9 of the headless runner, ${runs} times`, function () {
  this.timeout(20_000 + runs * 10_000);
  let place: HeadlessPlace;
  let server: MessagesApi;
  const random = mulberry32(seed);
  const effects = (): string => path.join(place.workspace, 'effects.log');
  let calls = 0;
  let lastResults = '';
  let known = new Set<string>();
  const options = ['--permission-mode', 'bypassPermissions'];

  /** Reads, edits and commands with an effect that can be counted, with pauses in which a kill may fall. */
  const steps: (() => ScriptedReply)[] = [
    () =>
      reply(
        text('I look', gate(random() * 20), ' at it.'),
        toolUse('Read', { file_path: path.join(place.workspace, 'a.txt') }),
        effect(),
      ),
    () => reply(effect(), effect(), toolUse('Grep', { pattern: 'line', path: place.workspace })),
    () => {
      const file = path.join(place.workspace, 'a.txt');
      const edit = { file_path: file, old_string: readFileSync(file, 'utf8'), new_string: `line ${calls}\n` };
      return reply(toolUse('Read', { file_path: file }), toolUse('Edit', edit), text('That is it.'));
    },
    () =>
      reply(
        toolUse('Write', { file_path: path.join(place.workspace, `new-${calls}.txt`), content: 'line\n' }),
        effect(),
      ),
    () =>
      reply(
        text('And', gate(random() * 20), ' more.'),
        toolUse('Bash', { command: `echo "call ${++calls}" >> effects.log; sleep 0.05; echo done` }),
      ),
  ];
  const effect = () => toolUse('Bash', { command: `echo "call ${++calls}" >> effects.log` });
  const anyStep = (): ScriptedReply => (steps[Math.floor(random() * steps.length)] ?? assert.fail())();

  before(async () => {
    place = await createHeadlessPlace();
    await writeFile(path.join(place.workspace, 'a.txt'), 'line 0\n');
    await writeFile(effects(), '');
    server = await startMessagesApi([], { idPrefix: 'k', keepBodies: false });
  });
  after(async () => {
    await server.close();
    await place.remove();
  });

  it('is resumed every time, and loses and repeats nothing', async () => {
    let id: string | undefined;
    let killed = 0;
    let early = 0;
    for (let run = 0; run < runs; run++) {
      const where = `run ${run} of seed ${seed}`;
      if (run % runsPerSession === 0) id = undefined;
      // The work: never ends by itself.
      server.setScript((request) => {
        lastResults = JSON.stringify((request.body['messages'] as unknown[]).at(-1));
        return anyStep();
      });
      const first = server.requests.length;
      const work = place.start([...options, '-p', `work ${run}`, ...(id === undefined ? [] : ['--resume', id])], {
        url: server.url,
      });
      // Some die before their first request, most in the middle of their work.
      if (random() < 0.15) early++;
      else await Promise.race([server.waitForRequest(first + 1 + Math.floor(random() * 4)), work.ended]);
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      work.child.kill('SIGKILL');
      const end = await work.ended;
      assert.equal(end.signal, 'SIGKILL', `${where}: ended by itself: ${end.stderr}`);
      killed++;

      id ??= await newestSession();
      // Killed before there was a session.
      if (id === undefined) continue;
      const before = await linesOf(id);
      server.setScript([reply(`Fine ${run}.`)]);
      const resumed = await place.run([...options, '-p', `what now ${run}?`, '--resume', id], { url: server.url });
      assert.deepEqual(server.violations, [], where);
      assert.equal(resumed.code, 0, `${where}: ${resumed.stderr}`);
      assert.equal(resumed.stdout, `Fine ${run}.\n`, where);
      assert.deepEqual((await linesOf(id)).slice(0, before.length), before, `${where}: records were lost`);
    }
    const done = (await readFile(effects(), 'utf8')).split('\n').filter((line) => line !== '');
    const twice = done.filter((line, index) => done.indexOf(line) !== index);
    assert.deepEqual(twice, [], `seed ${seed}: ran twice`);
    assert.equal(killed, runs);
    assert.ok(
      done.length > runs / 4,
      `only ${done.length} commands ran in ${runs} runs; the last results: ${lastResults}`,
    );
    assert.ok(early < runs, 'every run was killed before its first request');
  });

  /** The id of a session that was not there before. */
  async function newestSession(): Promise<string | undefined> {
    const names = (await readdir(place.sessions).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
    const found = names.find((name) => !known.has(name));
    known = new Set(names);
    return found?.replace('.jsonl', '');
  }

  /** Whole lines; the last one may be torn. */
  async function linesOf(session: string): Promise<string[]> {
    return (await readFile(path.join(place.sessions, `${session}.jsonl`), 'utf8')).split('\n').slice(0, -1);
  }
});

/** A seeded generator, so that a failing run can be told apart by its seed. */
function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
