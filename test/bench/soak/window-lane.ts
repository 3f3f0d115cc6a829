// The half of a soak in a real VS Code: turns in the chat, reloads, and extension hosts that are killed at random points.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeAll, openWindow, screenshotAll, type TestWindow } from '../../e2e/support/window';
import { createHostProbe, type HostProbe, newestHost } from '../vscode/extension-host';
import { extensionHosts } from '../../rig/memory';
import { startSoakApi, type SoakApi } from './replies';
import { randomFrom } from '../../support/seeded';
import { filesBelow, Growth, processFigures } from './sample';
import { soakFiles, soakTurn } from './turn';
import type { Lane, SoakOptions } from './main';

const turnsPerSample = 10;
/** Growth shows in long lives. */
const turnsPerReload = 250;
const turnsPerKill = 300;
const stepMilliseconds = 60_000;

/** Throws where an answer or a window does not come, or a request is one that the API would refuse. */
export async function windowLane({ until, seed, pause }: SoakOptions): Promise<Lane> {
  const soak = await startSoakApi('w');
  const probe = createHostProbe();
  const window = await openWindow({
    files: soakFiles,
    settings: { 'deft.initialPermissionMode': 'acceptEdits' },
    ...probe.options,
    env: { ...probe.options.env, ANTHROPIC_BASE_URL: soak.api.url, ANTHROPIC_API_KEY: 'soak-key' },
  });
  // Bypass permissions would have to be confirmed; the user's own rules are not.
  mkdirSync(path.join(window.server.home, '.claude'), { recursive: true });
  writeFileSync(
    path.join(window.server.home, '.claude/settings.json'),
    JSON.stringify({ permissions: { allow: ['Bash'] } }),
  );
  const lane = new WindowLane(window, soak, probe, randomFrom(seed + 1));
  try {
    await lane.open();
    while (Date.now() < until) {
      await lane.turn();
      await pause();
    }
    return lane.end();
  } catch (error) {
    for (const line of [...(await screenshotAll('soak')), ...(await describeAll())]) console.error(line);
    throw error;
  } finally {
    await window.close();
    await window.server.stop();
    await soak.api.close();
  }
}

class WindowLane {
  readonly #window: TestWindow;
  readonly #soak: SoakApi;
  readonly #probe: HostProbe;
  readonly #random: () => number;
  readonly #growth = new Growth();
  readonly #events = { turns: 0, reloads: 0, 'extension hosts killed': 0 };
  #own = 0;

  constructor(window: TestWindow, soak: SoakApi, probe: HostProbe, random: () => number) {
    this.#window = window;
    this.#soak = soak;
    this.#probe = probe;
    this.#random = random;
  }

  async open(): Promise<void> {
    await this.#window.command('Deft: Focus Chat');
    await this.#composer().waitFor({ timeout: stepMilliseconds });
  }

  async turn(): Promise<void> {
    const turn = ++this.#events.turns;
    const words = `Turn ${turn} is done.`;
    this.#soak.script(soakTurn(this.#window.folder, turn, words, this.#random));
    const before = this.#soak.api.requests.length;
    await this.#composer().fill(`Do turn ${turn}.`);
    await this.#composer().press('Enter');
    if (turn > 1 && this.#random() < 1 / turnsPerKill) return this.#killHost(before);
    await this.#log().getByText(words).last().waitFor({ timeout: stepMilliseconds });
    await this.#idle();
    this.#own++;
    const [violation] = this.#soak.api.violations;
    if (violation !== undefined) throw new Error(`The API would refuse: ${JSON.stringify(violation)}`);
    if (this.#own % turnsPerSample === 0) await this.#sample();
    if (turn % turnsPerReload === 0) {
      await this.#reload();
      this.#events.reloads++;
      await this.#log().getByText(words).last().waitFor({ timeout: stepMilliseconds });
    }
  }

  end(): Lane {
    return { events: this.#events, growth: this.#growth };
  }

  /** In the middle of the turn, which is interrupted; the window is loaded again, and the session goes on. */
  async #killHost(before: number): Promise<void> {
    await this.#soak.api.waitForRequest(before + 1);
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 300));
    for (const { pid } of extensionHosts(this.#window.server.pid)) process.kill(pid, 'SIGKILL');
    this.#soak.script([]);
    this.#events['extension hosts killed']++;
    await this.#reload();
  }

  async #reload(): Promise<void> {
    await this.#window.reload();
    await this.#composer().waitFor({ timeout: stepMilliseconds });
    this.#own = 0;
    this.#growth.restart();
  }

  async #sample(): Promise<void> {
    const host = newestHost({ window: this.#window });
    const { memory } = await this.#probe.read({ window: this.#window });
    const sessions = filesBelow(`${this.#window.server.home}/.deft`);
    this.#growth.add({
      turn: this.#own,
      figures: {
        ...processFigures(host?.pid ?? 0),
        'heap MiB': memory.heapUsed,
        'nodes of the page': await this.#nodes(),
        'files of sessions': sessions.files,
        'log MB': sessions.bytes / 1e6,
      },
    });
  }

  #nodes(): Promise<number> {
    return this.#window
      .chat()
      .locator('body')
      .evaluate(() => document.getElementsByTagName('*').length);
  }

  #idle(): Promise<void> {
    return this.#window
      .chat()
      .getByRole('button', { name: 'Stop', exact: true })
      .waitFor({ state: 'detached', timeout: stepMilliseconds });
  }

  #composer() {
    return this.#window.chat().getByRole('textbox', { name: 'Message', exact: true });
  }

  #log() {
    return this.#window.chat().getByRole('log');
  }
}
