// What a run leaves running: nothing without saying so, however it ends.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeadlessEnd, type HeadlessPlace, type HeadlessProcess } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { withLongSleeps } from '../../support/long-sleeps';
import { processesWith } from '../../support/machine-processes';
import { reply, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';
import { skipUnless } from '../../support/skip-unless';

describe('processes of a headless run', function () {
  skipUnless(process.platform === 'linux', 'processes are found in /proc, on Linux only.');
  this.timeout(120_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));
  const sleeping = withLongSleeps(3000);

  const start = (): HeadlessProcess =>
    place.start(['-p', 'Go', '--permission-mode', 'bypassPermissions'], { url: server.url });
  const { running } = sleeping;

  /** From the first process that goes to the last. */
  async function endingMs(run: HeadlessProcess): Promise<number> {
    let over = false;
    void run.ended.then(() => (over = true));
    let most = 0;
    let began: number | undefined;
    for (let now = running(); !over && (began === undefined || now > 0); now = running()) {
      most = Math.max(most, now);
      if (now < most) began ??= Date.now();
      await sleep(20);
    }
    return Date.now() - (began ?? Date.now());
  }

  for (const count of [25, 100])
    it(`${count} background commands are ended, and said to be so`, async () => {
      const call = { command: `sleep ${sleeping.nap}`, run_in_background: true };
      server.setScript([reply(...Array.from({ length: count }, () => toolUse('Bash', call))), reply('Started.')]);
      const run = start();
      console.log(`      ${count} background commands end within ${await endingMs(run)} ms`);
      const end = await run.ended;
      assert.equal(end.code, 0, end.stderr);
      assert.equal(end.stderr.split('was ended with the run').length - 1, count, end.stderr);
      assert.equal(running(), 0);
    });

  it('what a command left behind is named', async () => {
    const command = `setsid sleep ${sleeping.nap} >/dev/null 2>&1 & echo started`;
    server.setScript([reply(toolUse('Bash', { command })), reply('Done.')]);
    const end = await start().ended;
    const [pid] = processesWith(`sleep ${sleeping.nap}`);
    assert.ok(
      end.stderr.includes(`Still running after the run, started by ${command}: ${pid} (sleep ${sleeping.nap})`),
      end.stderr,
    );
  });

  async function endedBy(...signals: NodeJS.Signals[]): Promise<HeadlessEnd> {
    server.setScript([
      reply(
        toolUse('Bash', {
          command: `trap '' TERM; sleep ${sleeping.nap}; sleep ${sleeping.nap}`,
          run_in_background: true,
        }),
      ),
      reply(toolUse('Bash', { command: `trap '' TERM; touch started; sleep ${sleeping.nap}; sleep ${sleeping.nap}` })),
    ]);
    const run = start();
    while (!existsSync(path.join(place.workspace, 'started')) || running() < 2) await sleep(20);
    for (const signal of signals) {
      run.child.kill(signal);
      await sleep(50);
    }
    return run.ended;
  }

  function nothingIsLeft(): void {
    assert.equal(running(), 0);
    assert.deepEqual(
      readdirSync(place.sessions).filter((name) => name.endsWith('.lock')),
      [],
    );
  }

  it('a second Ctrl+C leaves no command and no lock', async () => {
    assert.equal((await endedBy('SIGINT', 'SIGINT')).code, 130);
    nothingIsLeft();
  });

  it('SIGQUIT leaves no command and no lock', async () => {
    assert.equal((await endedBy('SIGQUIT')).code, 131);
    nothingIsLeft();
  });

  it('a second SIGHUP leaves no command and no lock', async () => {
    assert.equal((await endedBy('SIGHUP', 'SIGHUP')).code, 129);
    nothingIsLeft();
  });
});
