// Agents as a user meets them: two at work at once, an approval that says who asks, one in the background that is stopped from the strip.
import assert from 'node:assert/strict';
import { type RecordedRequest } from '../support/messages-api/recorded-requests';
import { gitIn } from '../support/git-repository';
import { delayed, reply, type ScriptedReply, toolUse } from '../support/messages-api/script';
import { seriousProblems } from './support/accessibility';
import { openDeft, type DeftWindow } from './support/deft';
import { answers, opened } from './support/replies';

const file = '---\nname: builder\ndescription: Builds things\ntools: Bash, Read\n---\nYou build.\n';

describe('agents', () => {
  let deft: DeftWindow;
  before(async () => {
    deft = await openDeft({
      files: { 'a.txt': 'one\n', '.claude/agents/builder.md': file, '.claude/agents/broken.md': '# Nothing\n' },
    });
  });
  after(() => deft.close());
  beforeEach(() => deft.newSession());

  /** Replies of the conversation (''), and of agents by their tasks' first words. */
  function play(scripts: Readonly<Record<string, ScriptedReply[]>>): void {
    deft.api.setScript(({ body }: RecordedRequest) => {
      const said = JSON.stringify((body['messages'] as unknown[])[0]);
      const key = Object.keys(scripts).find((task) => task !== '' && said.includes(`"${task}`)) ?? '';
      return scripts[key]?.shift() ?? answers('Nothing more.');
    });
  }
  const agent = (prompt: string, more: object = {}): ReturnType<typeof toolUse> =>
    toolUse('Agent', { description: `${prompt} it`, prompt, ...more });

  it('work at the same time, show their steps, ask by their name, and say why', async () => {
    const gate = opened();
    play({
      '': [
        reply(agent('Look', { subagent_type: 'Explore' }), agent('Build', { subagent_type: 'builder' })),
        answers('Both are back.'),
      ],
      Look: [
        reply(toolUse('Read', { file_path: `${deft.window.folder}/a.txt` })),
        delayed(answers('It says one.'), gate.promise),
      ],
      Build: [reply(toolUse('Bash', { command: 'touch built.txt' })), answers('It is built.')],
    });
    await deft.send('Please look and build');
    const approval = deft.approval('Approve: Bash touch built.txt');
    await approval.getByText('builder asks:').waitFor();
    await approval.getByRole('button', { name: 'Why does Deft ask?' }).click();
    await approval
      .getByRole('list', { name: 'Steps of the decision' })
      .getByRole('listitem')
      .filter({ hasText: 'This decided.' })
      .waitFor();
    const look = deft.card('Explore agent: Look it');
    const build = deft.card('builder agent: Build it');
    await build.waitFor();
    await look.getByText(/1 tool use/).waitFor();
    await look.getByRole('button', { name: /^Details of/ }).click();
    await look
      .getByText(/^Read .*a\.txt/)
      .first()
      .waitFor();
    await approval.getByRole('button', { name: 'Accept' }).click();
    await build.getByText(/1 tool use · .* tokens/).waitFor();
    gate.open();
    await deft.says('Both are back.');
    await deft.idle();
    await look.getByText('It says one.').waitFor();
  });

  it('go on in the background, and are stopped from the strip by the keyboard', async () => {
    play({
      '': [reply(agent('Watch', { run_in_background: true })), answers('It watches.'), answers('I see.')],
      Watch: [delayed(answers('Never.'), new Promise(() => undefined))],
    });
    await deft.send('Please watch it');
    await deft.says('It watches.');
    await deft.idle();
    const strip = deft.chat().getByRole('region', { name: 'Background work' });
    await strip.getByRole('button', { name: 'Background 1' }).focus();
    await deft.window.page.keyboard.press('Enter');
    const stop = strip.getByRole('button', { name: 'Stop general-purpose: Watch it' });
    await stop.waitFor();
    assert.deepEqual(await seriousProblems(deft.chat()), []);
    await stop.focus();
    await deft.window.page.keyboard.press('Enter');
    await strip.waitFor({ state: 'detached' });
    await deft.says(/general-purpose: Watch it\) was stopped\./);
    await deft.send('And?');
    await deft.says('I see.');
    assert.match(JSON.stringify(deft.api.requests.at(-1)?.body['messages']), /was stopped/);
  });

  it('are moved to the background while a call waits for them, and report from there', async () => {
    const gate = opened();
    play({
      '': [reply(agent('Search')), answers('Meanwhile I go on.'), answers('It found a house.')],
      Search: [delayed(answers('A house.'), gate.promise)],
    });
    await deft.send('Please search it');
    const move = deft.button('Move to background: general-purpose agent: Search it');
    await move.focus();
    await deft.window.page.keyboard.press('Enter');
    await deft.says('Meanwhile I go on.');
    await move.waitFor({ state: 'detached' });
    await deft.idle();
    gate.open();
    await deft.says(/general-purpose: Search it\) is done\./);
    await deft.send('And?');
    await deft.says('It found a house.');
    assert.match(JSON.stringify(deft.api.requests.at(-1)?.body['messages']), /A house\./);
  });

  it('are suggested behind "@", and the model is told whom the user asks for', async () => {
    play({ '': [answers('I hand it on.')] });
    await deft.composer().pressSequentially('Let @agent-bui');
    await deft.chat().getByRole('option').filter({ hasText: 'builder (agent)' }).waitFor();
    await deft.composer().press('Enter');
    await deft.composer().pressSequentially('do it');
    assert.equal(await deft.composer().inputValue(), 'Let @"builder (agent)" do it');
    await deft.composer().press('Enter');
    await deft.says('I hand it on.');
    assert.match(JSON.stringify(deft.api.requests.at(-1)?.body['messages']), /The user asks for the agent builder/);
  });

  it("work in a worktree of their own: the user's files stay, and the report names their branch", async () => {
    const { folder } = deft.window;
    for (const args of [
      ['init', '--quiet'],
      ['add', 'a.txt'],
      ['commit', '--quiet', '-m', 'First'],
    ])
      await gitIn(folder, ...args);
    deft.api.setScript(({ body }: RecordedRequest) => {
      const said = JSON.stringify(body);
      const place = /your own git worktree, (\S+) \(branch/.exec(said)?.[1];
      if (place === undefined)
        return said.includes('tool_result')
          ? answers('It is back.')
          : reply(agent('Change', { isolation: 'worktree' }));
      return said.includes('tool_result')
        ? answers('I changed it.')
        : reply(toolUse('Write', { file_path: `${place}/b.txt`, content: 'two\n' }));
    });
    await deft.send('Please change it');
    await deft
      .approval(/^Approve: .*b\.txt/)
      .getByRole('button', { name: 'Accept' })
      .click();
    await deft.says('It is back.');
    await deft.idle();
    const [, branch = ''] =
      /Its changes are the branch (\S+), not in/.exec(JSON.stringify(deft.api.requests.at(-1)?.body['messages'])) ??
      assert.fail('The report names no branch.');
    assert.equal(await gitIn(folder, 'show', `${branch}:b.txt`), 'two');
    assert.doesNotMatch(await gitIn(folder, 'status', '--porcelain', '--untracked-files=all'), /b\.txt|worktrees/);

    await deft.send('/worktrees');
    await deft.card('Left by agents').getByText(`${branch}: 1 commit that is not merged`).waitFor();
    await deft.send(`/worktrees remove ${branch}`);
    await deft.card(`Removed ${branch}.`).waitFor();
    assert.equal(await gitIn(folder, 'branch', '--list', branch), '');
    await deft.send('/worktrees');
    await deft.card('Agents have left no branches and no worktrees here.').waitFor();
  });

  it('are listed with their files, and with what is wrong', async () => {
    await deft.send('/agents');
    const { page } = deft.window;
    await page.getByRole('option', { name: /builder.*\.claude\/agents\/builder\.md/ }).waitFor();
    await page
      .getByRole('option', { name: /broken\.md/ })
      .getByText(/It has no `name`/)
      .waitFor();
    await page.keyboard.press('Escape');
  });
});
