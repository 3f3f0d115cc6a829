// kill -9 at random points: whatever was written is still there, the histories of the session and of its agents are accepted, nothing runs twice.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unendedAgents } from '../../../src/core/sessions/started-agents';
import { readRecords } from '../../../src/node/sessions/session-reader';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { gate, reply, text, toolUse, type ScriptedReply } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';

const runs = Number(process.env['DEFT_KILL_RUNS'] ?? 200);
/** At once, each with a workspace and an API of its own: a run is mostly the start of a process, and machines have more than one core. */
const lanes = Math.min(2, runs);
const seed = Number(process.env['DEFT_KILL_SEED'] ?? Date.now() % 1_000_000);
/** A new session now and then: the history is sent with every request. */
const runsPerSession = 10;
/** Of the agents' system prompt: only their requests hold it. */
const agentMark = 'You are the worker.';

interface FinishedCall {
  name: string;
  input: Record<string, unknown>;
}

describe(`kill -9 of the headless runner, ${runs} times`, function () {
  this.timeout(20_000 + runs * 10_000);

  it('is resumed every time, and loses and repeats nothing', async () => {
    const killed = await Promise.all(
      Array.from({ length: lanes }, (_, lane) => killAndResume(Math.ceil((runs - lane) / lanes), seed + lane)),
    );
    assert.equal(
      killed.reduce((sum, count) => sum + count, 0),
      runs,
    );
  });
});

/** Kills a session's work again and again, and resumes it; resolves with the number of kills. */
async function killAndResume(runs: number, seed: number): Promise<number> {
  const place: HeadlessPlace = await createHeadlessPlace();
  const server: MessagesApi = await startMessagesApi([], { idPrefix: 'k', keepBodies: false });
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
        toolUse('Bash', {
          command: `${effectLine()}; sleep 0.1; echo "end ${calls}" >> effects.log`,
          run_in_background: true,
        }),
        effect(),
        text('It runs', gate(random() * 20), ' behind.'),
      ),
    () =>
      reply(
        text('And', gate(random() * 20), ' more.'),
        toolUse('Bash', { command: `${effectLine()}; sleep 0.05; echo done` }),
      ),
  ];
  /** One that is waited for, and two more behind the work that goes on. */
  const agentSteps: (() => ScriptedReply)[] = [
    () => reply(text('One', gate(random() * 20), ' for it.'), agent(false), effect()),
    () => reply(agent(true), text('And', gate(random() * 20), ' two.'), agent(true), effect()),
  ];
  const agent = (behind: boolean) =>
    toolUse('Agent', {
      description: 'Work',
      prompt: `Work on ${++calls}`,
      subagent_type: 'worker',
      ...(behind ? { run_in_background: true } : {}),
    });
  const effectLine = (): string => `echo "call ${++calls}" >> effects.log`;
  const effect = () => toolUse('Bash', { command: effectLine() });
  const anyOf = (from: readonly (() => ScriptedReply)[]): ScriptedReply =>
    (from[Math.floor(random() * from.length)] ?? assert.fail())();
  /** Agents end after a few replies; what started them never does. */
  const anyStep = (isAgent: boolean): ScriptedReply => {
    if (!isAgent) return anyOf(random() < 0.4 ? agentSteps : steps);
    return random() < 0.35 ? reply(text('My', gate(random() * 20), ' report.')) : anyOf(steps);
  };
  const isAgentRequest = (request: { body: Record<string, unknown> }): boolean =>
    JSON.stringify(request.body['system']).includes(agentMark);

  await writeFile(path.join(place.workspace, 'a.txt'), 'line 0\n');
  await writeFile(effects(), '');
  await mkdir(path.join(place.workspace, '.claude/agents'), { recursive: true });
  await writeFile(
    path.join(place.workspace, '.claude/agents/worker.md'),
    `---\nname: worker\ndescription: Works\n---\n${agentMark}\n`,
  );
  try {
    let id: string | undefined;
    let killed = 0;
    let early = 0;
    let goneOnWith = 0;
    for (let run = 0; run < runs; run++) {
      const where = `run ${run} of seed ${seed}`;
      if (run % runsPerSession === 0) id = undefined;
      // The work: never ends by itself.
      server.setScript((request) => {
        lastResults = JSON.stringify((request.body['messages'] as unknown[]).at(-1));
        return anyStep(isAgentRequest(request));
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
      const before = await logsOf(id);
      const lost = unendedAgents(readRecords(Buffer.from(`${(before.get('') ?? []).join('\n')}\n`)).records);
      // Every other time one that was lost goes on from its own log.
      let goesOn = random() < 0.5 ? lost[Math.floor(random() * lost.length)]?.id : undefined;
      if (goesOn !== undefined) goneOnWith++;
      server.setScript((request) => {
        if (isAgentRequest(request)) return reply('My report.');
        if (goesOn === undefined) return reply(`Fine ${run}.`);
        const send = toolUse('SendMessage', { to: goesOn, message: 'Go on.' });
        goesOn = undefined;
        return reply(send);
      });
      const resumed = await place.run([...options, '-p', `what now ${run}?`, '--resume', id], { url: server.url });
      assert.deepEqual(server.violations, [], where);
      assert.equal(resumed.code, 0, `${where}: ${resumed.stderr}`);
      assert.equal(resumed.stdout, `Fine ${run}.\n`, where);
      const after = await logsOf(id);
      for (const [name, lines] of before)
        assert.deepEqual(
          after.get(name)?.slice(0, lines.length),
          lines,
          `${where}: records of ${name || 'the session'} were lost`,
        );
    }
    const done = (await readFile(effects(), 'utf8')).split('\n').filter((line) => line !== '');
    const edits = (await readFile(path.join(place.workspace, 'a.txt'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '');
    for (const lines of [done, edits]) {
      const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
      assert.deepEqual(twice, [], `seed ${seed}: ran twice`);
    }
    const logs = (await Promise.all([...known].map((name) => logsOf(name.replace('.jsonl', ''))))).flatMap((of) => [
      ...of,
    ]);
    const finished = logs.flatMap(([, lines]) => finishedCalls(lines));
    const agents = logs.filter(([name]) => name !== '').length;
    for (const { name, input } of finished) {
      const effect = await readEffect(name, input, done, edits);
      assert.ok(
        effect,
        `seed ${seed}: the log says that ${name} ${JSON.stringify(input)} was done, and nothing shows it`,
      );
    }
    const count = (name: string): number => finished.filter((call) => call.name === name).length;
    console.log(
      `      ${killed} kills, ${early} before a request; done and there: ${count('Bash')} commands, ${count('Edit')} edits, ${count('Write')} files, by the session and ${agents} agents (${count('Agent')} calls answered, ${goneOnWith} lost ones went on); seed ${seed}`,
    );
    assert.equal(killed, runs);
    assert.ok(
      done.length > runs / 4,
      `only ${done.length} commands ran in ${runs} runs; the last results: ${lastResults}`,
    );
    assert.ok(agents >= Math.floor(runs / 10), `only ${agents} agents began in ${runs} runs`);
    assert.ok(early < runs, 'every run was killed before its first request');
    return killed;
  } finally {
    await server.close();
    await place.remove();
  }

  /** The id of a session that was not there before. */
  async function newestSession(): Promise<string | undefined> {
    const names = (await readdir(place.sessions).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
    const found = names.find((name) => !known.has(name));
    known = new Set(names);
    return found?.replace('.jsonl', '');
  }

  /** The calls that a log says are done. */
  function finishedCalls(lines: readonly string[]): FinishedCall[] {
    const { records } = readRecords(Buffer.from(`${lines.join('\n')}\n`));
    const calls = records.flatMap((record) =>
      record.type === 'assistant' ? record.message.content.filter((block) => block.type === 'tool_use') : [],
    );
    const done = new Set(
      records.flatMap((record) =>
        record.type === 'user' && record.toolState === 'done' && typeof record.message.content !== 'string'
          ? record.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
          : [],
      ),
    );
    return calls
      .filter(({ id }) => done.has(id))
      .map((call) => ({ name: call.name, input: call.input as Record<string, unknown> }));
  }

  async function readEffect(
    name: string,
    input: Record<string, unknown>,
    done: readonly string[],
    edits: readonly string[],
  ): Promise<boolean> {
    if (name === 'Edit') return edits.includes(String(input['new_string']).trimEnd().split('\n').at(-1) ?? '');
    if (name === 'Write')
      return (await readFile(String(input['file_path']), 'utf8').catch(() => undefined)) === input['content'];
    // One in the background is done as soon as it has begun.
    if (name !== 'Bash' || input['run_in_background'] === true) return true;
    return done.includes(/"(call \d+)"/.exec(String(input['command']))?.[1] ?? '');
  }

  /** The session's under '', its agents' by their files. Whole lines; the last one of each may be torn. */
  async function logsOf(session: string): Promise<Map<string, string[]>> {
    const folder = path.join(place.sessions, session, 'subagents');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
    const files = [
      ['', path.join(place.sessions, `${session}.jsonl`)],
      ...names.map((name) => [name, path.join(folder, name)]),
    ] as const;
    return new Map(
      await Promise.all(
        files.map(
          async ([name, file]) => [name ?? '', (await readFile(file ?? '', 'utf8')).split('\n').slice(0, -1)] as const,
        ),
      ),
    );
  }
}

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
