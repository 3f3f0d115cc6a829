// kill -9 at random points: whatever was written is still there, the history is accepted, nothing runs twice.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRecords } from '../../../src/node/session-reader';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { gate, reply, text, toolUse, type ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

const runs = Number(process.env['DEFT_KILL_RUNS'] ?? 30);
const seed = Number(process.env['DEFT_KILL_SEED'] ?? Date.now() % 1_000_000);
/** A new session now and then: the history is sent with every request. */
const runsPerSession = 10;

interface FinishedCall {
  name: string;
  input: Record<string, unknown>;
}

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

  /** Reads, edits, new files, commands in the foreground and the background, with an effect that can be counted, with pauses in which a kill may fall. */
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
      const last = `${readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)}\n`;
      const edit = { file_path: file, old_string: last, new_string: `${last}line ${++calls}\n` };
      return reply(toolUse('Read', { file_path: file }), toolUse('Edit', edit), text('That is it.'));
    },
    () =>
      reply(
        toolUse('Write', { file_path: path.join(place.workspace, `new-${++calls}.txt`), content: `line ${calls}\n` }),
        effect(),
      ),
    () =>
      reply(
        toolUse('Bash', { command: `${effectLine()}; sleep 0.1; echo "end ${calls}" >> effects.log`, run_in_background: true }),
        effect(),
        text('It runs', gate(random() * 20), ' behind.'),
      ),
    () =>
      reply(
        text('And', gate(random() * 20), ' more.'),
        toolUse('Bash', { command: `${effectLine()}; sleep 0.05; echo done` }),
      ),
  ];
  const effectLine = (): string => `echo "call ${++calls}" >> effects.log`;
  const effect = () => toolUse('Bash', { command: effectLine() });
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
    const edits = (await readFile(path.join(place.workspace, 'a.txt'), 'utf8')).split('\n').filter((line) => line !== '');
    for (const lines of [done, edits]) {
      const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
      assert.deepEqual(twice, [], `seed ${seed}: ran twice`);
    }
    const finished = (await Promise.all([...known].map(finishedCalls))).flat();
    for (const { name, input } of finished) {
      const effect = await readEffect(name, input, done, edits);
      assert.ok(effect, `seed ${seed}: the log says that ${name} ${JSON.stringify(input)} was done, and nothing shows it`);
    }
    const count = (name: string): number => finished.filter((call) => call.name === name).length;
    console.log(`      ${killed} kills, ${early} before a request; done and there: ${count('Bash')} commands, ${count('Edit')} edits, ${count('Write')} files; seed ${seed}`);
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

  /** The calls that a session's log says are done. */
  async function finishedCalls(name: string): Promise<FinishedCall[]> {
    const { records } = readRecords(await readFile(path.join(place.sessions, name)));
    const calls = records.flatMap((record) => (record.type === 'assistant' ? record.message.content.filter((block) => block.type === 'tool_use') : []));
    const done = new Set(
      records.flatMap((record) =>
        record.type === 'user' && record.toolState === 'done' && typeof record.message.content !== 'string'
          ? record.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
          : [],
      ),
    );
    return calls.filter(({ id }) => done.has(id)).map((call) => ({ name: call.name, input: call.input as Record<string, unknown> }));
  }

  async function readEffect(name: string, input: Record<string, unknown>, done: readonly string[], edits: readonly string[]): Promise<boolean> {
    if (name === 'Edit') return edits.includes(String(input['new_string']).trimEnd().split('\n').at(-1) ?? '');
    if (name === 'Write') return (await readFile(String(input['file_path']), 'utf8').catch(() => undefined)) === input['content'];
    // One in the background is done as soon as it has begun.
    if (name !== 'Bash' || input['run_in_background'] === true) return true;
    return done.includes(/"(call \d+)"/.exec(String(input['command']))?.[1] ?? '');
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
