// Agents in worktrees of real git: where they work, what they may touch there, and what becomes of it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type PermissionRule } from '../../../../src/shared/permission';
import { type ApprovalDecision } from '../../../../src/core/ports/approver';
import { type FileSystem, type TextChange } from '../../../../src/core/ports/files';
import { type Ports } from '../../../../src/core/ports/ports';
import { type CallToGuard, type SessionCheckpoints } from '../../../../src/core/ports/checkpoints';
import { subagents } from '../../../../src/core/features/subagents/subagents-key';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { globTool } from '../../../../src/core/tools/grep/glob';
import { grepTool } from '../../../../src/core/tools/grep/grep';
import { readTool } from '../../../../src/core/tools/read/read';
import { sendMessageTool } from '../../../../src/core/tools/agents/send-message';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { findRipgrep } from '../../../../src/node/search/ripgrep-path';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep-search';
import { createSystemClock } from '../../../../src/node/system-clock';
import { createNodeTerminal } from '../../../../src/node/terminal/node-terminal';
import { createGitWorktrees } from '../../../../src/node/worktrees/git-worktrees';
import { machineIdentity } from '../../../../src/node/worktrees/worktree-lock';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { repositoryFolder } from '../../../../src/node/worktrees/worktrees-directory';
import {
  type AgentHarness,
  type AgentHarnessOptions,
  createAgentHarness,
  definition,
} from '../../../support/agent-harness';
import { createTestRepository, gitEnvironment, gitIn, type TestRepository } from '../../../support/git-repository';
import { commandHook } from '../../../support/hooks';
import { reply, toolUse } from '../../../support/messages-api/script';

type Step = (place: string) => Parameters<typeof reply>[0];

/** The worktree that the agent's prompt names. */
function placeOf({ system }: ModelRequest): string {
  return (
    /your own git worktree, (\S+?)(?: \(branch|, separate)/.exec(system.map(({ text }) => text).join('\n'))?.[1] ??
    'none'
  );
}

describe('an agent in a worktree', function () {
  this.timeout(60_000);
  let repository: TestRepository;
  let terminal: ReturnType<typeof createNodeTerminal>;
  beforeEach(async () => {
    repository = await createTestRepository();
    await mkdir(`${repository.folder}-out`);
    terminal = createNodeTerminal({ log: silent, environment: gitEnvironment, root: `${repository.folder}-out` });
  });
  afterEach(async () => {
    await terminal.dispose();
    await repository.remove();
    await rm(`${repository.folder}-out`, { recursive: true, force: true });
  });
  const silent: Ports['log'] = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const search = createRipgrepSearch(() =>
    findRipgrep({ searchPath: process.env['PATH'], packageRoots: [process.cwd()] }),
  );
  const run = createRunGit(async () => gitEnvironment);
  const placed = (name: string): string =>
    path.join(`${repository.folder}-out/worktrees`, repositoryFolder(path.join(repository.folder, '.git')), name);

  const call = (input: object = {}, id = 'a1') =>
    toolUse('Agent', { description: 'Change it', prompt: 'Do the thing', isolation: 'worktree', ...input }, id);
  const start = (
    steps: readonly Step[],
    {
      trusted = true,
      rules = [],
      home = '/home/ann',
      mode = 'default',
      ...more
    }: Partial<AgentHarnessOptions> & {
      trusted?: boolean;
      rules?: PermissionRule[];
      home?: string;
      mode?: 'default' | 'acceptEdits';
    } = {},
  ): AgentHarness => {
    const { folder } = repository;
    return createAgentHarness({
      main: [reply(call()), reply('Done.')],
      agents: {
        'Do the thing': [
          ...steps.map((step) => (request: ModelRequest) => reply(step(placeOf(request)))),
          reply('It is done.'),
        ],
      },
      tools: [agentTool, sendMessageTool, readTool, writeTool, globTool, grepTool, bashTool],
      ...more,
      ports: {
        files: createNodeFileSystem(),
        search,
        terminal,
        clock: createSystemClock(),
        worktrees: createGitWorktrees(run, `${repository.folder}-out/worktrees`),
        ...more.ports,
      },
      session: {
        mode,
        environment: {
          cwd: folder,
          folders: [folder],
          platform: 'linux',
          shell: 'bash',
          date: '2026-11-21',
          gitBranch: 'main',
        },
        permission: () => ({
          rules,
          folders: [folder],
          ownFolders: [`${folder}-out`],
          home,
          ignoreCase: false,
          trusted,
        }),
        ...more.session,
      },
    });
  };
  const lastSent = (harness: AgentHarness): string => JSON.stringify(harness.model.requests.at(-1)?.messages.at(-1));
  /** To `/worktrees`. */
  const answerTo = async (harness: AgentHarness, text: string): Promise<{ detail: string; prompt: string }> => {
    const answer = await harness.session.controls.run('worktrees', text);
    return { detail: answer?.notice?.detail ?? '', prompt: answer?.prompt?.text ?? '' };
  };
  const results = (harness: AgentHarness): string => [...harness.transcripts.values()].flat().join('\n');

  it('works there and not in the checkout; what it changed is a branch, of which it is told how to see and merge it', async () => {
    const harness = start(
      [
        (place) => toolUse('Read', { file_path: `${place}/a.txt` }, 'r1'),
        (place) => toolUse('Write', { file_path: `${place}/new.txt`, content: 'new\n' }, 'w1'),
        () => toolUse('Bash', { command: 'pwd; git status --short', description: 'Where' }, 'b1'),
        () => toolUse('Grep', { pattern: 'two', output_mode: 'files_with_matches' }, 'g1'),
        () => toolUse('Glob', { pattern: '**/*.txt' }, 'g2'),
      ],
      { mode: 'acceptEdits' },
    );
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(
      harness.approvals.map(({ title }) => title),
      [],
      'in its worktree it is inside the workspace',
    );
    const [id] = harness.agentIds();
    const place = placed(`agent-${id}`);
    const branch = `worktree-agent-${id}`;
    assert.ok(!existsSync(place));
    assert.ok(!existsSync(path.join(repository.folder, 'new.txt')));
    const said = lastSent(harness);
    assert.match(
      said,
      new RegExp(`It is done\\.\\\\n\\\\nIts changes are the branch ${branch}, not in ${repository.folder}`),
    );
    const [, diff = ''] = /`git (diff [^`]*)`/.exec(said) ?? [];
    const [, merge = ''] = /`git (merge [^`]*)`/.exec(said) ?? [];
    assert.match(await repository.git(...diff.split(' ')), /new file mode 100644[^]*\+new$/, 'as it was told');
    assert.deepEqual(await harness.session.feature(subagents)?.worktrees.left(), [{ name: branch, commits: 1 }]);
    const listing = await answerTo(harness, '');
    assert.match(listing.detail, new RegExp(`^${branch}: 1 commit that is not merged\n`));
    const asked = await answerTo(harness, `merge ${id}`);
    assert.match(asked.prompt, new RegExp(`run \`git merge ${branch}\``));
    assert.match(results(harness), new RegExp(`${place}\\\\n\\?\\? new\\.txt`));
    assert.match(results(harness), /src\/b\.txt/);
    assert.match(results(harness), /new\.txt/);
    assert.equal(await repository.git('status', '--porcelain'), '');
    await repository.git(...merge.split(' '));
    assert.equal(await readFile(path.join(repository.folder, 'new.txt'), 'utf8'), 'new\n');
    assert.deepEqual(await harness.session.feature(subagents)?.worktrees.left(), []);
    assert.equal(await repository.git('branch', '--list', 'worktree-*'), '', 'it went when it was merged');
    const none = await harness.session.controls.run('worktrees', '');
    assert.match(none?.notice?.title ?? '', /have left no branches/);
    const card = harness.replayed().items.find((item) => item.id === 'a1');
    assert.match(
      card?.kind === 'tool' && card.view?.kind === 'markdown' ? card.view.text : '',
      /^- Read a\.txt\n- Wrote new\.txt\n- .*git status/m,
    );
    const first = harness.model.requests.find((request) => placeOf(request) !== 'none');
    assert.match(
      JSON.stringify(first?.messages),
      new RegExp(`Working directory: ${place}.*Git branch at the start: worktree-agent-`, 's'),
    );
  });

  it('works in the checkout of the workspace after a command has led into an added folder', async () => {
    const added = `${repository.folder}-out`;
    const harness = start([(place) => toolUse('Write', { file_path: `${place}/new.txt`, content: 'new\n' }, 'w1')], {
      main: [
        reply(toolUse('Bash', { command: `cd ${added} && pwd`, description: 'Go' }, 'c1')),
        reply(call()),
        reply('Done.'),
      ],
      answer: () => ({ behavior: 'allow' }),
      session: {
        permission: () => ({
          rules: [],
          folders: [repository.folder, added],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.equal(harness.session.surroundings.cwd, added);
    assert.match(lastSent(harness), /Its changes are the branch worktree-agent-\w+, not in/);
  });

  it('leaves nothing behind where it changed nothing', async () => {
    const harness = start([(place) => toolUse('Read', { file_path: `${place}/a.txt` }, 'r1')]);
    await harness.run('Go');
    assert.match(lastSent(harness), /Its worktree had no changes and was removed\./);
    assert.deepEqual(
      [
        await repository.git('branch', '--list', 'worktree-*'),
        (await repository.git('worktree', 'list')).split('\n').length,
      ],
      ['', 1],
    );
  });

  it('leaves behind what git ignores too', async () => {
    const harness = start(
      [() => toolUse('Bash', { command: 'mkdir dist && echo x >dist/report.txt', description: 'Build' }, 'b1')],
      { answer: () => ({ behavior: 'allow' }) },
    );
    await harness.run('Go');
    assert.match(lastSent(harness), /worktree-agent-\w+: 1 ignored path, not in/);
    assert.equal(await readFile(path.join(placed(`agent-${harness.agentIds()[0]}`), 'dist/report.txt'), 'utf8'), 'x\n');
  });

  it('asks before it touches the checkout, also in the mode that applies edits', async () => {
    const { folder } = repository;
    const harness = start(
      [
        () => toolUse('Write', { file_path: `${folder}/x.txt`, content: 'x' }, 'w1'),
        () => toolUse('Read', { file_path: `${folder}/a.txt` }, 'r1'),
        () => toolUse('Bash', { command: `cat ${folder}/a.txt`, description: 'Read' }, 'b1'),
      ],
      { mode: 'acceptEdits', answer: (): ApprovalDecision => ({ behavior: 'deny', interrupt: false }) },
    );
    await harness.run('Go');
    assert.deepEqual(
      harness.approvals.map(({ toolUseId }) => toolUseId),
      ['w1', 'r1', 'b1'],
    );
    for (const { reason } of harness.approvals) assert.match(reason, /outside the workspace/);
  });

  it('is held by rules about the checkout in its copy of it', async () => {
    const rule = (
      ruleContent: string,
      toolName = 'Read',
      behavior: PermissionRule['behavior'] = 'deny',
    ): PermissionRule => ({
      behavior,
      value: { toolName, ruleContent },
      source: 'projectSettings',
      root: repository.folder,
    });
    await repository.write('secret/one.txt', 'hidden one\n');
    await repository.write('secret/two.txt', 'hidden two\n');
    await repository.git('add', '.');
    await repository.git('commit', '--quiet', '-m', 'Secrets');
    const harness = start(
      [
        (place) => toolUse('Read', { file_path: `${place}/secret/one.txt` }, 'r1'),
        (place) => toolUse('Read', { file_path: `${place}/secret/two.txt` }, 'r2'),
        (place) => toolUse('Write', { file_path: `${place}/src/b.txt`, content: 'x' }, 'w1'),
        () => toolUse('Grep', { pattern: 'hidden', output_mode: 'content' }, 'g1'),
      ],
      {
        rules: [rule('/secret/one.txt'), rule(`/${repository.folder}/secret/two.txt`), rule('/src/**', 'Edit', 'deny')],
      },
    );
    await harness.run('Go');
    assert.doesNotMatch(results(harness), /hidden (one|two)/);
    assert.equal((results(harness).match(/"toolState":"denied"/g) ?? []).length, 3);
  });

  it('is held by them, and to its folder, also where the workspace was opened through a link', async () => {
    const link = `${repository.folder}-out/link`;
    await symlink(repository.folder, link);
    for (const name of ['secret/one.txt', 'src/two.txt']) await repository.write(name, `hidden ${name}\n`);
    await repository.git('add', '.');
    await repository.git('commit', '--quiet', '-m', 'Secrets');
    const rule: PermissionRule = {
      behavior: 'deny',
      value: { toolName: 'Read', ruleContent: '/src/two.txt' },
      source: 'projectSettings',
      root: link,
    };
    const harness = start(
      [
        (place) => toolUse('Read', { file_path: `${place}/src/two.txt` }, 'r1'),
        (place) => toolUse('Read', { file_path: `${place}/secret/one.txt` }, 'r2'),
        (place) => toolUse('Read', { file_path: `${place}/src/b.txt` }, 'r3'),
      ],
      {
        answer: (): ApprovalDecision => ({ behavior: 'deny', interrupt: false }),
        session: {
          environment: {
            cwd: `${link}/src`,
            folders: [`${link}/src`],
            platform: 'linux',
            shell: 'bash',
            date: '2026-11-21',
          },
          permission: () => ({
            rules: [rule],
            folders: [`${link}/src`],
            ownFolders: [],
            home: '/home/ann',
            ignoreCase: false,
            trusted: true,
          }),
        },
      },
    );
    await harness.run('Go');
    assert.doesNotMatch(results(harness), /hidden/);
    assert.deepEqual(
      harness.approvals.map(({ toolUseId }) => toolUseId),
      ['r2'],
      'what is open is a part of the repository',
    );
    assert.match(results(harness), /two\\n/);
  });

  it('is given none of a repository that the workspace does not lie in', async () => {
    const inner = path.join(repository.folder, 'inner');
    await mkdir(inner);
    await gitIn(inner, 'init', '--quiet');
    await gitIn(inner, 'commit', '--quiet', '--allow-empty', '-m', 'First');
    const { folder } = repository;
    const harness = start([], {
      session: { environment: { cwd: inner, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' } },
    });
    await harness.run('Go');
    assert.match(lastSent(harness), /No folder of the workspace lies in the repository .*inner/);
    assert.ok(!existsSync(path.join(inner, '.claude')));
  });

  it('has no edits marked for review in the editor, and none of its files in a rewind', async () => {
    const changes: TextChange[] = [];
    const guarded: CallToGuard[] = [];
    const files: FileSystem = createNodeFileSystem();
    const watched: FileSystem = {
      ...files,
      writeText: (change) => (changes.push(change), files.writeText(change)),
    };
    const checkpoints: Partial<SessionCheckpoints> = {
      prompt: () => undefined,
      before: async (guard) => (guarded.push(guard), async () => undefined),
      close: async () => undefined,
    };
    const harness = start([(place) => toolUse('Write', { file_path: `${place}/new.txt`, content: 'new\n' }, 'w1')], {
      mode: 'acceptEdits',
      ports: { files: watched },
      session: { checkpoints: checkpoints as SessionCheckpoints },
    });
    await harness.run('Go');
    assert.deepEqual(
      changes.map(({ approved }) => approved),
      [true],
    );
    assert.deepEqual(
      guarded.map(({ files: kept }) => kept),
      [[]],
    );
  });

  it('is given none without a repository, without trust, and without a port for it', async () => {
    const untrusted = start([], { trusted: false });
    await untrusted.run('Go');
    assert.match(lastSent(untrusted), /not trusted, so no worktree is created/);
    const without = start([], { ports: { worktrees: undefined as never } });
    await without.run('Go');
    assert.match(lastSent(without), /Worktrees cannot be created here/);
    await repository.git('update-ref', '-d', 'HEAD');
    const empty = start([]);
    await empty.run('Go');
    assert.match(lastSent(empty), /has no commit yet, .*Start the agent without `isolation`/);
    assert.equal(empty.transcripts.size, 0, 'nothing was started');
  });

  it('gets one where its own file says so, and the same one again with a message, also in another process', async () => {
    const transcripts = new Map<string, string[]>();
    const definitions = [definition('apart', { isolation: 'worktree' })];
    const own = toolUse(
      'Agent',
      { description: 'Change it', prompt: 'Do the thing', subagent_type: 'apart', name: 'scout' },
      'a1',
    );
    const first = start([(place) => toolUse('Write', { file_path: `${place}/new.txt`, content: 'new\n' }, 'w1')], {
      main: [reply(own), reply('Done.')],
      mode: 'acceptEdits',
      definitions,
      transcripts,
    });
    await first.run('Go');
    await first.session.close();
    const [id = ''] = transcripts.keys();
    const place = placed(`agent-${id}`);
    let seen = '';
    const second = start([], {
      main: [
        reply(toolUse('SendMessage', { to: 'scout', message: 'Commit it.' }, 's1')),
        reply('Sent.'),
        reply('Thanks.'),
      ],
      agents: {
        'Do the thing': [
          (request) => (
            (seen = placeOf(request)),
            reply(
              toolUse(
                'Bash',
                { command: 'cat new.txt >more.txt && git add . && git commit --quiet -m New', description: 'Commit' },
                'b1',
              ),
            )
          ),
          reply('Committed.'),
        ],
      },
      answer: (): ApprovalDecision => ({ behavior: 'allow' }),
      definitions,
      transcripts,
      records: first.stored(),
    });
    const ended = second.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    await second.run('Go on');
    await ended;
    assert.equal(seen, place);
    assert.equal(await repository.git('log', '--format=%s', '-1', `worktree-agent-${id}`), 'New');
    assert.equal(await repository.git('show', `worktree-agent-${id}:more.txt`), 'new');
    await second.run('And?');
    assert.match(
      lastSent(second) + JSON.stringify(second.model.requests.at(-1)?.messages),
      /Committed\..*Its changes are the branch/,
    );
  });

  it('gets a new one with a message where the earlier one was removed, and is told so', async () => {
    let note = '';
    const harness = start([], {
      main: [
        reply(call({ name: 'scout' })),
        reply(toolUse('SendMessage', { to: 'scout', message: 'More.' }, 's1')),
        reply('Sent.'),
      ],
      agents: {
        'Do the thing': [
          reply('Nothing to do.'),
          ({ system }) => ((note = system.map(({ text }) => text).join('\n')), reply('Still nothing.')),
        ],
      },
    });
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    await harness.run('Go');
    await ended;
    assert.match(note, /Your earlier worktree is gone and this one is new/);
    assert.equal((await repository.git('worktree', 'list')).split('\n').length, 1);
  });

  it('goes on in its worktree also where the conversation speaks to one that another agent has started', async () => {
    const places: string[] = [];
    const harness = start([], {
      main: [
        reply(toolUse('Agent', { description: 'd', prompt: 'Outer' }, 'a1')),
        reply(toolUse('SendMessage', { to: 'inner', message: 'More.' }, 's1')),
        reply('Sent.'),
      ],
      agents: {
        Outer: [reply(call({ name: 'inner' }, 'a2')), reply('Outer is done.')],
        'Do the thing': [
          (request) => (
            places.push(placeOf(request)),
            reply(toolUse('Write', { file_path: `${placeOf(request)}/new.txt`, content: 'new\n' }, 'w1'))
          ),
          reply('Inner is done.'),
          (request) => (places.push(placeOf(request)), reply('Again.')),
        ],
      },
      mode: 'acceptEdits',
    });
    const ended = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end',
    );
    await harness.run('Go');
    await ended;
    assert.equal(places.length, 2);
    assert.match(places[0] ?? '', /worktrees\/[^/]+\/agent-/);
    assert.equal(places[1], places[0]);
  });

  it('stays while a command of it runs', async () => {
    const harness = start(
      [() => toolUse('Bash', { command: 'sleep 300', description: 'Wait', run_in_background: true }, 'b1')],
      { answer: () => ({ behavior: 'allow' }) },
    );
    await harness.run('Go');
    assert.match(lastSent(harness), /is still running in its worktree .*, so the worktree is kept for now/);
    assert.ok(existsSync(placed(`agent-${harness.agentIds()[0]}`)));
  });

  it('is told of where its process died: the clean ones go, the others are named once', async () => {
    const place = placed('agent-b1');
    await repository.git('worktree', 'add', '--quiet', '-b', 'worktree-agent-b1', place, 'HEAD');
    await repository.git(
      'worktree',
      'lock',
      '--reason',
      `An agent of Deft works here (process ${process.pid} on ${machineIdentity()}, from ${await repository.git('rev-parse', 'HEAD')}).`,
      place,
    );
    await writeFile(path.join(place, 'c.txt'), 'x\n');
    const harness = start([], { main: [reply('Hello.'), reply('I see.')] });
    const written = harness.when(
      (event) => event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'worktrees_left',
    );
    await harness.run('Hi');
    await written;
    await harness.run('And?');
    assert.match(
      JSON.stringify(harness.model.requests.at(-1)?.messages),
      /left changes\. Its changes are the branch worktree-agent-b1, not in/,
    );
    for (const chat of [harness.chat(), harness.replayed()])
      assert.ok(chat.items.some((item) => item.kind === 'notice' && item.title === 'Agents left changes.'));
  });

  describe('with hooks', () => {
    const hooked = (create: string, more: Parameters<typeof start>[1] = {}): AgentHarness => {
      // The input of a hook ends with a line break.
      const log = `cat >>"$LOG"`;
      return start([(place) => toolUse('Write', { file_path: `${place}/new.txt`, content: 'new\n' }, 'w1')], {
        mode: 'acceptEdits',
        ...more,
        ports: {
          hooks: createNodeHookHandlers({
            environment: async () => ({
              ...gitEnvironment,
              LOG: `${repository.folder}-out/log`,
              OUT: `${repository.folder}-out`,
            }),
          }),
        },
        session: {
          hooks: () => ({
            active: [commandHook('WorktreeCreate', `${log}; ${create}`), commandHook('WorktreeRemove', log)],
          }),
        },
      });
    };
    const logged = async (): Promise<Record<string, unknown>[]> =>
      (await readFile(`${repository.folder}-out/log`, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);

    it('works in the folder that one names in place of git', async () => {
      const harness = hooked('mkdir "$OUT/copy" && echo "$OUT/copy"');
      await harness.run('Go');
      assert.equal(await readFile(`${repository.folder}-out/copy/new.txt`, 'utf8'), 'new\n');
      assert.match(lastSent(harness), /out\/copy: changes unknown/);
      const [first] = await logged();
      assert.deepEqual(
        [first?.['hook_event_name'], first?.['name'], first?.['cwd']],
        ['WorktreeCreate', `agent-${harness.agentIds()[0]}`, repository.folder],
      );
      assert.ok(!existsSync(path.join(repository.folder, '.claude')));
    });

    it('is told of its removal', async () => {
      const harness = hooked(
        `git worktree add --quiet --detach "$OUT/copy" >&2 && printf '{"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"%s"}}' "$OUT/copy"`,
        { agents: { 'Do the thing': [reply('Nothing to do.')] } },
      );
      await harness.run('Go');
      const events = await logged();
      assert.deepEqual(
        events.map(({ hook_event_name: event, worktree_path: place }) => [event, place]),
        [
          ['WorktreeCreate', undefined],
          ['WorktreeRemove', `${repository.folder}-out/copy`],
        ],
      );
    });

    for (const [name, create, expected] of [
      ['fails', 'echo "No room." >&2; exit 1', /The WorktreeCreate hook created no worktree: .*exit code 1: No room\./],
      ['names nothing', 'true', /created no worktree: It printed no worktree path/],
      ['names what holds the workspace', 'dirname "$OUT"', /is or holds .*deft-test-/],
      [
        'names the home folder',
        'mkdir -p "$OUT/ann" && echo "$OUT/ann"',
        /ann is or holds .*\/ann, so an agent would work on the original/,
      ],
      ['names what is not there', 'echo /nowhere/at/all', /is not an existing folder/],
    ] as const) {
      it(`does not begin where one ${name}`, async () => {
        const harness = hooked(create, { home: `${repository.folder}-out/ann` });
        await harness.run('Go');
        assert.match(lastSent(harness), expected);
        assert.equal(harness.transcripts.size, 0);
      });
    }
  });
});
