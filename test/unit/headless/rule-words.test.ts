// What refusals of a run without a window say about rules is so: tried with real shells, links and agents.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type HeadlessPlace } from '../../support/headless-run';
import { withHeadlessPlace } from '../../support/headless-suite';
import { reply, type ReplyBlock, toolUse } from '../../support/messages-api/script';
import { type MessagesApi } from '../../support/messages-api/server';

describe('what a headless run says about rules', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  let server: MessagesApi;

  withHeadlessPlace((...opened) => ([place, server] = opened));

  /** The results of the calls of one reply. */
  async function results(blocks: ReplyBlock[], ...args: string[]): Promise<string[]> {
    const first = server.requests.length;
    server.setScript([reply(...blocks), reply('Done.')]);
    const end = await place.run(['-p', 'Go', '--output-format', 'json', ...args], { url: server.url });
    const messages = server.requests[first + 1]?.body['messages'] as
      { content: { type: string; content?: unknown }[] }[] | undefined;
    assert.ok(messages !== undefined, end.stderr);
    return messages
      .flatMap(({ content }) => content)
      .flatMap((block) => {
        if (block.type !== 'tool_result') return [];
        return [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)];
      });
  }
  const bash = (command: string, id = 'toolu_1') => toolUse('Bash', { command }, id);
  const made = (name: string): boolean => existsSync(path.join(place.workspace, name));
  /** The options that a refusal names, as a shell would pass them on. */
  function named(refusal: string): string[] {
    const [, text = ''] =
      /started with (--allowedTools (?:"(?:\\.|[^"\\])*" ?)+)/.exec(refusal) ?? assert.fail(refusal);
    return [...text.matchAll(/"((?:\\.|[^"\\])*)"|(--\S+)/g)].map(([, quoted, option]) =>
      quoted === undefined ? (option ?? '') : quoted.replace(/\\(.)/g, '$1'),
    );
  }

  it('a rule that spells an assignment out runs the command, and no other', async () => {
    const [allowed, other, value] = await results(
      [
        bash('WHAT=src touch one 2>&1 | tail -3', 'toolu_1'),
        bash('WHAT=src LD_PRELOAD=x touch two', 'toolu_2'),
        bash('WHAT=lib touch three', 'toolu_3'),
      ],
      '--allowedTools',
      'Bash(WHAT=src touch:*)',
    );
    assert.doesNotMatch(allowed ?? '', /denied/);
    assert.deepEqual([made('one'), made('two'), made('three')], [true, false, false]);
    assert.match(
      other ?? '',
      /The nearest is `Bash\(WHAT=src touch:\*\)`, but it does not name `LD_PRELOAD=x`, which stands in front/,
    );
    assert.match(value ?? '', /but it does not name `WHAT=lib`/);
  });

  it('a rule for a program runs code that the line shows, and the refusal of other code says why', async () => {
    const code = `require('fs').writeFileSync('from-code', '')`;
    const [, hidden] = await results(
      [bash(`node -e "${code}"`, 'toolu_1'), bash(`echo "${code}" | node`, 'toolu_2')],
      '--allowedTools',
      'Bash(node:*)',
    );
    assert.ok(made('from-code'));
    assert.match(hidden ?? '', /`Bash\(node:\*\)` does not cover `node`: its code comes from its input/);
  });

  it('the rules that it names for a path behind a symlink allow the call', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'deft-linked-'));
    try {
      await writeFile(path.join(outside, 'o.txt'), 'behind the link\n');
      await symlink(outside, path.join(place.workspace, 'lnk'));
      const [refusal = ''] = await results([bash('cat lnk/o.txt')]);
      assert.match(refusal, /leads to .*, which is outside the workspace/);
      const [read = ''] = await results([bash('cat lnk/o.txt')], ...named(refusal));
      assert.match(read, /behind the link/);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('a long line is allowed by the rules that it names, and by no rule where it says so', async () => {
    const long = `touch ${Array.from({ length: 40 }, (_, index) => `file-number-${index}`).join(' ')}`;
    const [refusal = ''] = await results([bash(long)]);
    assert.match(
      refusal,
      /an allow rule \(--allowedTools or a settings file\) that names the whole command, word for word/,
    );
    await results([bash(long)], '--allowedTools', `Bash(${long})`);
    assert.ok(made('file-number-39'));
    const [critical = ''] = await results([bash('rm -rf /')], '--allowedTools', 'Bash', 'Edit');
    assert.match(critical, /No rule can allow it in advance/);
  });

  it('a rule that can match nothing is named at the start, from the command line and from a file', async () => {
    await mkdir(path.join(place.home, '.claude'), { recursive: true });
    await writeFile(
      path.join(place.home, '.claude/settings.json'),
      JSON.stringify({ permissions: { allow: ['WebFetch(https://a.example/*)', 'Bash(git:*)'] } }),
    );
    server.setScript([reply('Done.')]);
    const { stderr } = await place.run(['-p', 'Go', '--allowedTools', 'Bash(cd lib && make:*)'], { url: server.url });
    assert.match(
      stderr,
      /--allowedTools: `Bash\(cd lib && make:\*\)` never matches: a rule with `\*` is compared with each/,
    );
    assert.match(stderr, /settings\.json, line 1, .*`WebFetch\(https:\/\/a\.example\/\*\)` never matches/);
  });

  it("Don't ask names the rule, and plan mode tells an agent that only reads no plan to finish", async () => {
    const [refusal = ''] = await results([bash('touch a')], '--permission-mode', 'dontAsk');
    assert.match(refusal, /The allow rule `Bash\(touch a\)` would permit it\./);
    const first = server.requests.length;
    server.setScript([
      reply(toolUse('Agent', { description: 'Look', prompt: 'Look', subagent_type: 'Explore' }, 'toolu_agent')),
      reply(bash('touch x && git log', 'toolu_touch')),
      reply('I could not.'),
      reply('Done.'),
    ]);
    await mkdir(path.join(place.workspace, 'lib'), { recursive: true });
    await place.run(['-p', 'Go', '--permission-mode', 'acceptEdits'], { url: server.url });
    const told = JSON.stringify(server.requests[first + 2]?.body['messages']);
    assert.match(told, /This agent may only read: it changes no files/);
    assert.doesNotMatch(told, /Finish the plan/);
    assert.equal(made('x'), false);
  });
});
