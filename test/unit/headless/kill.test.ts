// kill -9 at random points: whatever was written is still there, the histories of the session and of its agents are accepted, nothing runs twice.
import assert from 'node:assert/strict';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { reply, toolUse } from '../../support/messages-api/script';
import { startMessagesApi, type MessagesApi } from '../../support/messages-api/server';
import { randomFrom } from '../../support/seeded';
import { finishedCalls, lostAgents, SessionLogs, type Logs } from './kill-logs';
import { isAgentRequest, RandomWork, showsEffect } from './kill-work';

/** Each run of the tests has a seed of its own: what one does not meet another does. */
const runs = Number(process.env['DEFT_KILL_RUNS'] ?? 50);
/** At once, each with a workspace and an API of its own: a run is mostly the start of a process, and machines have more than one core. */
const lanes = Math.min(2, runs);
const seed = Number(process.env['DEFT_KILL_SEED'] ?? Date.now() % 1_000_000);
/** A new session now and then: the history is sent with every request. */
const runsPerSession = 10;
/** Every run's tools are allowed. */
const options = ['--permission-mode', 'bypassPermissions'];

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

/** Kills sessions' work again and again, and resumes it; resolves with the number of kills. */
async function killAndResume(runs: number, seed: number): Promise<number> {
  const place = await createHeadlessPlace();
  const server = await startMessagesApi([], { idPrefix: 'k', keepBodies: false });
  try {
    const killing = new Killing(place, server, seed);
    await killing.work.prepare();
    let id: string | undefined;
    for (let run = 0; run < runs; run++) {
      if (run % runsPerSession === 0) id = undefined;
      await killing.killAtWork(run, id);
      id ??= await killing.logs.newest();
      // Killed before there was a session.
      if (id !== undefined) await killing.resume(run, id);
    }
    await killing.checkEffects(runs);
    return killing.killed;
  } finally {
    await server.close();
    await place.remove();
  }
}

/** One workspace in which sessions are killed and resumed, and what is counted meanwhile. */
class Killing {
  readonly work: RandomWork;
  readonly logs: SessionLogs;
  killed = 0;
  readonly #place: HeadlessPlace;
  readonly #server: MessagesApi;
  readonly #seed: number;
  readonly #random: () => number;
  /** Kills that did not wait for a request. */
  #early = 0;
  /** Lost agents that were sent a message. */
  #goneOnWith = 0;
  #lastResults = '';

  constructor(place: HeadlessPlace, server: MessagesApi, seed: number) {
    this.#place = place;
    this.#server = server;
    this.#seed = seed;
    this.#random = randomFrom(seed);
    this.work = new RandomWork(place.workspace, this.#random);
    this.logs = new SessionLogs(place.sessions);
  }

  /** Starts work that never ends by itself, in a new session or this one, and kills it at a random point. */
  async killAtWork(run: number, id: string | undefined): Promise<void> {
    this.#server.setScript((request) => {
      this.#lastResults = JSON.stringify((request.body['messages'] as unknown[]).at(-1));
      return this.work.next(isAgentRequest(request));
    });
    const first = this.#server.requests.length;
    const args = [...options, '-p', `work ${run}`, ...(id === undefined ? [] : ['--resume', id])];
    const work = this.#place.start(args, { url: this.#server.url });
    // Some die before their first request, most in the middle of their work.
    if (this.#random() < 0.15) this.#early++;
    else await Promise.race([this.#server.waitForRequest(first + 1 + Math.floor(this.#random() * 4)), work.ended]);
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 120));
    work.child.kill('SIGKILL');
    const end = await work.ended;
    assert.equal(end.signal, 'SIGKILL', `${this.#where(run)}: ended by itself: ${end.stderr}`);
    this.killed++;
  }

  /** The killed session answers, its requests are accepted, and no whole line of its logs is lost. */
  async resume(run: number, id: string): Promise<void> {
    const where = this.#where(run);
    const before = await this.logs.of(id);
    this.#answerResumed(run, before);
    const resumed = await this.#place.run([...options, '-p', `what now ${run}?`, '--resume', id], {
      url: this.#server.url,
    });
    assert.deepEqual(this.#server.violations, [], where);
    assert.equal(resumed.code, 0, `${where}: ${resumed.stderr}`);
    assert.equal(resumed.stdout, `Fine ${run}.\n`, where);
    const after = await this.logs.of(id);
    for (const [name, lines] of before)
      assert.deepEqual(
        after.get(name)?.slice(0, lines.length),
        lines,
        `${where}: records of ${name || 'the session'} were lost`,
      );
  }

  /** Every other time one of the lost agents continues from its own log. */
  #answerResumed(run: number, before: Logs): void {
    const lost = lostAgents(before);
    let goesOn = this.#random() < 0.5 ? lost[Math.floor(this.#random() * lost.length)]?.id : undefined;
    if (goesOn !== undefined) this.#goneOnWith++;
    this.#server.setScript((request) => {
      if (isAgentRequest(request)) return reply('My report.');
      if (goesOn === undefined) return reply(`Fine ${run}.`);
      const send = toolUse('SendMessage', { to: goesOn, message: 'Go on.' });
      goesOn = undefined;
      return reply(send);
    });
  }

  /** Nothing ran twice, what the logs say was done is there, and the runs did enough for that to mean something. */
  async checkEffects(runs: number): Promise<void> {
    const effects = await this.work.effects();
    for (const lines of [effects.commands, effects.edits]) {
      const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
      assert.deepEqual(twice, [], `seed ${this.#seed}: ran twice`);
    }
    const logs = await this.logs.all();
    const finished = logs.flatMap(([, lines]) => finishedCalls(lines));
    for (const call of finished)
      assert.ok(
        await showsEffect(call, effects),
        `seed ${this.#seed}: the log says that ${call.name} ${JSON.stringify(call.input)} was done, and nothing shows it`,
      );
    const agents = logs.filter(([name]) => name !== '').length;
    const count = (name: string): number => finished.filter((call) => call.name === name).length;
    console.log(
      `      ${this.killed} kills, ${this.#early} before a request; done and there: ${count('Bash')} commands, ${count('Edit')} edits, ${count('Write')} files, by the session and ${agents} agents (${count('Agent')} calls answered, ${this.#goneOnWith} lost ones went on); seed ${this.#seed}`,
    );
    assert.equal(this.killed, runs);
    assert.ok(
      effects.commands.length > runs / 4,
      `only ${effects.commands.length} commands ran in ${runs} runs; the last results: ${this.#lastResults}`,
    );
    assert.ok(agents >= Math.floor(runs / 10), `only ${agents} agents began in ${runs} runs`);
    assert.ok(this.#early < runs, 'every run was killed before its first request');
  }

  #where(run: number): string {
    return `run ${run} of seed ${this.#seed}`;
  }
}
