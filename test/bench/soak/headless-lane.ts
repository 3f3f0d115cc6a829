// The headless half of a soak: one session over the control protocol, compacted, killed at random points and resumed, now and then on a full disk.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startControlProgram, type ControlProgram } from '../../support/control-program';
import { createHeadlessPlace, type HeadlessPlace } from '../../support/headless-run';
import { startSoakApi, type SoakApi } from './replies';
import { randomFrom } from '../../support/seeded';
import { filesBelow, Growth, processFigures } from './sample';
import { soakFiles, soakTurn } from './turn';
import type { Lane, SoakOptions } from './main';

const turnsPerSample = 20;
const turnsPerCompaction = 100;
/** One turn in so many is killed; long lives are what growth is measured in. */
const turnsPerKill = 500;
const options = ['--permission-mode', 'bypassPermissions', '--verbose'];
const fullDisk = `exec unshare -rm bash -c 'mount -t tmpfs -o size=64k tmpfs "$TMPDIR" && exec "$@"' bash "$@"`;

/** Throws where a turn fails, an answer is missing or a request is one that the API would refuse. */
export async function headlessLane({ until, seed, pause }: SoakOptions): Promise<Lane> {
  const place = await createHeadlessPlace();
  const soak = await startSoakApi('h');
  const lane = new HeadlessLane(place, soak, randomFrom(seed));
  try {
    while (Date.now() < until) {
      await lane.turn();
      await pause();
    }
    return await lane.end();
  } finally {
    await soak.api.close();
    await place.remove();
  }
}

class HeadlessLane {
  readonly #place: HeadlessPlace;
  readonly #soak: SoakApi;
  readonly #random: () => number;
  readonly #growth = new Growth();
  readonly #events = { turns: 0, kills: 0, compactions: 0, 'runs on a full disk': 0 };
  readonly #mayMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
  #program: ControlProgram | undefined;
  #session: string | undefined;
  /** Turns of the process that runs. */
  #own = 0;

  constructor(place: HeadlessPlace, soak: SoakApi, random: () => number) {
    this.#place = place;
    this.#soak = soak;
    this.#random = random;
    for (const [file, content] of Object.entries(soakFiles)) {
      mkdirSync(path.dirname(path.join(place.workspace, file)), { recursive: true });
      writeFileSync(path.join(place.workspace, file), content);
    }
  }

  async turn(): Promise<void> {
    const program = (this.#program ??= this.#start());
    const turn = ++this.#events.turns;
    const words = `Turn ${turn} is done.`;
    this.#soak.script(soakTurn(this.#place.workspace, turn, words, this.#random));
    const before = this.#soak.api.requests.length;
    program.say(`Do turn ${turn}.`);
    if (this.#session !== undefined && this.#random() < 1 / turnsPerKill) return this.#kill(before);
    const result = await program.next(({ type }) => type === 'result');
    if (result['is_error'] === true || result['result'] === undefined)
      throw new Error(`Turn ${turn} failed: ${JSON.stringify(result)}`);
    if (!String(result['result']).includes(words))
      throw new Error(`Turn ${turn} has another answer: ${JSON.stringify(result['result'])}`);
    this.#session ??= String(result['session_id']);
    this.#own++;
    this.#checkApi();
    if (turn % turnsPerCompaction === 0) await this.#compact(program);
    if (this.#own % turnsPerSample === 0) this.#sample(program);
  }

  async end(): Promise<Lane> {
    const end = await this.#program?.close();
    if (end !== undefined && end.code !== 0) throw new Error(`The runner ended with ${end.code}: ${end.stderr}`);
    return { events: this.#events, growth: this.#growth };
  }

  #start(): ControlProgram {
    const resumed = this.#session === undefined ? [] : ['--resume', this.#session];
    this.#own = 0;
    this.#growth.restart();
    return startControlProgram(this.#place, { url: this.#soak.api.url }, ...options, ...resumed);
  }

  /** In the middle of the turn; the session answers when it is resumed. */
  async #kill(before: number): Promise<void> {
    const run = this.#program?.run;
    await this.#soak.api.waitForRequest(before + 1);
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 200));
    run?.child.kill('SIGKILL');
    await run?.ended.catch(() => undefined);
    this.#program = undefined;
    this.#events.kills++;
    if (this.#mayMount && this.#random() < 0.5) await this.#runOnFullDisk();
  }

  async #runOnFullDisk(): Promise<void> {
    this.#soak.script([]);
    const end = await this.#place.run([...options, '-p', 'Go on.', '--resume', this.#session ?? ''], {
      url: this.#soak.api.url,
      shell: fullDisk,
    });
    if (end.code !== 0) throw new Error(`A run on a full disk ended with ${end.code}: ${end.stderr}`);
    this.#events['runs on a full disk']++;
  }

  async #compact(program: ControlProgram): Promise<void> {
    program.say('/compact');
    const result = await program.next(({ type }) => type === 'result');
    if (result['is_error'] === true) throw new Error(`The session was not compacted: ${JSON.stringify(result)}`);
    this.#events.compactions++;
  }

  #sample({ run }: ControlProgram): void {
    const log = filesBelow(this.#place.sessions);
    this.#growth.add({
      turn: this.#own,
      figures: {
        ...processFigures(run.child.pid ?? 0),
        'temporary files': filesBelow(this.#place.temporary).files,
        'session files': log.files,
        'log MB': log.bytes / 1e6,
      },
    });
  }

  #checkApi(): void {
    const [violation] = this.#soak.api.violations;
    if (violation !== undefined) throw new Error(`The API would refuse: ${JSON.stringify(violation)}`);
  }
}
