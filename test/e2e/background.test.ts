// Commands in the background: moved there by the user, seen to their end, reported to the model.
import assert from 'node:assert/strict';
import path from 'node:path';
import { reply, toolUse } from '../support/messages-api/script';
import { lastText, openDeft, textsOf, type DeftWindow } from './support/deft';
import { answers, runs } from './support/replies';

const settings = JSON.stringify({
  permissions: { allow: ['Bash', 'REPL'] },
  env: { BASH_MAX_OUTPUT_LENGTH: '500', BASH_MAX_TIMEOUT_MS: 'long' },
});

describe('the background', () => {
  let deft: DeftWindow;
  let serial = 0;
  before(async () => {
    deft = await openDeft({ files: { '.claude/settings.json': settings } });
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  /** A command that prints nothing and waits until the test lets it end. */
  function held(then: string): { command: string; release(): void } {
    const name = `go-${++serial}`;
    const file = path.posix.join(deft.window.folder, name);
    return {
      command: `until [ -e ${file} ]; do sleep 0.05; done; ${then}`,
      release: () => deft.window.write(name, ''),
    };
  }
  const moves = () => deft.conversation().getByRole('button', { name: /^Move to background: until/ });

  it('takes a running command on a click, and the model goes on', async () => {
    const { command, release } = held('echo built; exit 3');
    deft.script(runs(command), answers('It goes on without me.'), answers('It failed.'));
    await deft.send('Build it');
    await moves().click();
    await deft.says('It goes on without me.');
    assert.match(
      lastText(await deft.request(2)),
      /^Command was manually backgrounded by user with ID: bash_\d+\. Output is being written to: \/.*\.out$/m,
    );
    const card = deft.card(/^Ran until/);
    await card.getByText('in the background', { exact: true }).waitFor();
    assert.equal(await moves().count(), 0, 'there is nothing to move any more');
    await deft.idle();

    release();
    await card.getByText('ended in the background, exit 3').waitFor();
    await deft.says(/has ended with exit code 3/);
    await card.getByRole('button', { name: /^Details of/ }).click();
    await card.getByText('built').first().waitFor();
    await deft.send('And?');
    await deft.says('It failed.');
    const sent = (await deft.request(3)).flatMap(({ content }) => textsOf(content));
    assert.equal(
      sent.filter((text) => /Background command bash_\d+ .* has ended with exit code 3/s.test(text)).length,
      1,
    );

    await deft.window.reload();
    await deft.composer().waitFor({ timeout: 60_000 });
    await card.getByText('ended in the background, exit 3').waitFor();
  });

  it('takes it by the keyboard, and tells its end while the agent works', async () => {
    const { command, release } = held('echo over');
    const second = held('echo second');
    deft.script(runs(command), runs(second.command), answers('Both are done.'));
    await deft.send('Build it');
    await moves().focus();
    await deft.window.page.keyboard.press('Enter');
    await deft.request(2);
    release();
    await deft.says(/has ended without an error/);
    second.release();
    await deft.says('Both are done.');
    assert.match(lastText(await deft.request(3)), /Background command bash_\d+ .* has ended without an error/s);
  });

  it('is read and ended by the model', async () => {
    const { command } = held('true');
    deft.script(
      reply(toolUse('Bash', { command: `echo serving; ${command}`, run_in_background: true })),
      answers('It serves.'),
    );
    await deft.send('Serve');
    await deft.says('It serves.');
    const id = /Command running in background with ID: (bash_\d+)\./.exec(lastText(await deft.request(2)))?.[1] ?? '';
    await deft.idle();
    deft.script(
      reply(toolUse('BashOutput', { bash_id: id, block: false })),
      reply(toolUse('KillShell', { shell_id: id })),
      answers('Stopped the server.'),
    );
    await deft.send('Look and stop');
    await deft.says('Stopped the server.');
    assert.match(lastText(await deft.request(2)), /runs\. Its output, also in .*:\nserving$/);
    assert.match(
      lastText(await deft.request(3)),
      /Stopped bash_\d+ \(echo serving; until .* and every process that it started/,
    );
    await deft
      .card(/^Started echo serving/)
      .getByText('killed in the background')
      .waitFor();
  });

  it('and the foreground keep to the limits of the settings', async () => {
    deft.script(runs('seq 1 400'), answers('Long.'));
    await deft.send('Count');
    await deft.says('Long.');
    assert.match(lastText(await deft.request(2)), /lines left out here; all /);
  });

  it('holds an interpreter where a rule names it', async () => {
    const python = (code: string) => reply(toolUse('REPL', { language: 'python', code }));
    const javascript = (code: string) => reply(toolUse('repl', { language: 'javascript', code }));
    deft.script(
      python('kept = 6 * 7'),
      python('kept'),
      javascript('const own = await 5'),
      javascript('[own, process.env.ANTHROPIC_API_KEY]'),
      answers('Both remember.'),
    );
    await deft.send('Explore');
    await deft.says('Both remember.');
    assert.deepEqual([lastText(await deft.request(3)), lastText(await deft.request(5))], ['42', '[ 5, undefined ]']);
  });
});

describe('the background, where the user wants none', () => {
  let deft: DeftWindow;
  before(async () => {
    const off = { permissions: { allow: ['Bash'] }, env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } };
    deft = await openDeft({ files: { '.claude/settings.json': JSON.stringify(off) } });
    await deft.reviewGrants('Agree');
  });
  after(() => deft.close());

  it('is not offered, calls that ask for it are waited for, and a click says why nothing moves', async () => {
    await deft.newSession();
    const go = path.posix.join(deft.window.folder, 'go');
    deft.script(
      reply(
        toolUse('Bash', { command: `until [ -e ${go} ]; do sleep 0.05; done; echo whole`, run_in_background: true }),
      ),
      answers('It has ended.'),
    );
    await deft.send('Run it');
    await deft
      .conversation()
      .getByRole('button', { name: /^Move to background: until/ })
      .click();
    await deft.window.page
      .locator('.notifications-toasts')
      .getByText('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS is set: nothing was moved to the background.')
      .waitFor();
    deft.window.write('go', '');
    await deft.says('It has ended.');
    assert.equal(lastText(await deft.request(2)), 'whole');
    const tools = deft.api.requests.at(-1)?.body['tools'] as { name: string }[];
    const offered = tools.filter(({ name }) => ['Bash', 'Agent'].includes(name));
    assert.equal(offered.length, 2);
    assert.doesNotMatch(JSON.stringify(offered), /background/i);
  });
});
