// What happens around an agent's start and end: messages, stops and faults while what it has of its own is made ready or put away.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type Worktrees } from '../../../../src/core/ports/worktrees';
import { agentTool } from '../../../../src/core/tools/agents/agent';
import { sendMessageTool } from '../../../../src/core/tools/agents/send-message';
import { taskStopTool } from '../../../../src/core/tools/background/task-stop';
import { writeTool } from '../../../../src/core/tools/edit/write';
import { createNodeFileSystem } from '../../../../src/node/files/node-file-system';
import { createSystemClock } from '../../../../src/node/system-clock';
import { createGitWorktrees } from '../../../../src/node/worktrees/git-worktrees';
import { createRunGit } from '../../../../src/node/worktrees/run-git';
import { type AgentHarness, type AgentHarnessOptions, createAgentHarness } from '../../../support/agent-harness';
import { createTestRepository, gitEnvironment, type TestRepository } from '../../../support/git-repository';
import { delayed, reply, toolUse } from '../../../support/messages-api/script';
import { featureOf } from '../../../support/feature-of';
import { subagents } from '../../../../src/core/features/subagents/subagents-key';

function gate(): { open: () => void; promise: Promise<void> } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { open, promise };
}

const agent = (input: object = {}, id = 'a1') =>
  toolUse(
    'Agent',
    { description: 'Change it', prompt: 'Do the thing', isolation: 'worktree', run_in_background: true, ...input },
    id,
  );
/** In the worktree that its prompt names. */
const writes = ({ system }: ModelRequest) =>
  reply(
    toolUse(
      'Write',
      {
        file_path: `${/your own git worktree, (\S+) \(branch/.exec(JSON.stringify(system))?.[1]}/new.txt`,
        content: 'new\n',
      },
      'w1',
    ),
  );
const sendToScout = (message: string, id: string) => toolUse('SendMessage', { to: 'scout', message }, id);

describe('an agent with a worktree', function () {
  this.timeout(60_000);
  let repository: TestRepository;
  beforeEach(async () => void (repository = await createTestRepository()));
  afterEach(async () => {
    await repository.remove();
    await rm(`${repository.folder}-out`, { recursive: true, force: true });
  });
  const start = (
    options: Partial<AgentHarnessOptions> & Pick<AgentHarnessOptions, 'main'>,
    own: (real: Worktrees) => Partial<Worktrees> = () => ({}),
  ): AgentHarness => {
    const { folder } = repository;
    const worktrees = (): Worktrees =>
      createGitWorktrees(
        createRunGit(async () => gitEnvironment),
        `${folder}-out/worktrees`,
      );
    return createAgentHarness({
      tools: [agentTool, sendMessageTool, taskStopTool, writeTool],
      ...options,
      ports: {
        files: createNodeFileSystem(),
        clock: createSystemClock(),
        worktrees: Object.assign(worktrees(), own(worktrees())),
        ...options.ports,
      },
      session: {
        mode: 'acceptEdits',
        environment: {
          cwd: folder,
          folders: [folder],
          platform: 'linux',
          shell: 'bash',
          date: '2026-11-21',
          gitBranch: 'main',
        },
        permission: () => ({
          rules: [],
          folders: [folder],
          ownFolders: [`${folder}-out`],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
        ...options.session,
      },
    });
  };
  const isEnd = (event: AgentHarness['events'][number]): boolean =>
    event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'background_end';
  const resultOf = (harness: AgentHarness, id: string): string =>
    JSON.stringify(
      harness
        .stored()
        .find(
          (record) =>
            record.type === 'user' &&
            Array.isArray(record.message.content) &&
            record.message.content.some((block) => block.type === 'tool_result' && block.tool_use_id === id),
        ) ?? '',
    );
  const listed = async (): Promise<number> => (await repository.git('worktree', 'list')).split('\n').length;

  it('reads a message that comes while it is ending: it goes on with it, once for two of them', async () => {
    const [ending, away] = [gate(), gate()];
    const harness = start(
      {
        main: [
          reply(agent({ name: 'scout' })),
          reply('Started.'),
          reply(sendToScout('And this.', 's1'), sendToScout('And that.', 's2')),
          reply('Told.'),
        ],
        agents: { 'Do the thing': [reply('First.'), reply('Second.'), reply('Third.'), reply('Fourth.')] },
      },
      (real) => ({ changes: async (worktree) => (ending.open(), await away.promise, real.changes(worktree)) }),
    );
    await harness.run('Go');
    await ending.promise;
    const said = harness.when(
      (event) =>
        event.type === 'record' && event.record.type === 'assistant' && JSON.stringify(event.record).includes('s2'),
    );
    const second = harness.run('Tell it');
    await said;
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    away.open();
    await second;
    assert.match(resultOf(harness, 's1'), /had ended|goes on/);
    await featureOf(harness.session, subagents).allEnded(new AbortController().signal);
    const lines = [...harness.transcripts.values()].flat();
    for (const message of ['And this.', 'And that.'])
      assert.equal(lines.filter((line) => line.includes(message) && line.includes('"type":"user"')).length, 1, message);
    assert.equal(harness.transcripts.size, 1);
    assert.deepEqual(harness.model.violations, []);
    assert.deepEqual(harness.chat().background, []);
  });

  it('keeps its report where TaskStop comes while it is ending by itself', async () => {
    const [ending, away] = [gate(), gate()];
    const harness = start(
      {
        main: [
          reply(agent({ name: 'scout' })),
          reply('Started.'),
          reply(toolUse('TaskStop', { task_id: 'scout' }, 's1')),
          reply('Fine.'),
          reply('I see.'),
        ],
        agents: { 'Do the thing': [reply('All is found.')] },
      },
      (real) => ({ changes: async (worktree) => (ending.open(), await away.promise, real.changes(worktree)) }),
    );
    await harness.run('Go');
    await ending.promise;
    const said = harness.when(
      (event) =>
        event.type === 'record' && event.record.type === 'assistant' && JSON.stringify(event.record).includes('s1'),
    );
    const second = harness.run('End it');
    await said;
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    away.open();
    await second;
    await harness.run('And?');
    assert.match(JSON.stringify(harness.model.requests.at(-1)?.messages), /is done\. Its report:.*All is found\./s);
  });

  it('has ended also where its worktree could not be put away', async () => {
    const harness = start(
      { main: [reply(agent()), reply('Started.')], agents: { 'Do the thing': [reply('All is found.')] } },
      () => ({ changes: () => Promise.reject(new Error('The disk is gone.')) }),
    );
    const ended = harness.when(isEnd);
    await harness.run('Go');
    await ended;
    assert.deepEqual(harness.chat().background, []);
    assert.match(harness.warnings.join(), /The disk is gone\./);
    assert.match(JSON.stringify(harness.stored()), /is done\./);
  });

  it('does not begin where the user has pressed Stop while its worktree was made, which goes again', async () => {
    const stop = new AbortController();
    const harness = start({ main: [reply(agent())], agents: { 'Do the thing': [reply('Never.')] } }, (real) => ({
      async create(...made) {
        const created = await real.create(...made);
        stop.abort();
        return created;
      },
    }));
    assert.equal((await harness.run('Go', stop.signal)).reason, 'interrupted');
    await featureOf(harness.session, subagents).allEnded(new AbortController().signal);
    assert.deepEqual([harness.transcripts.size, harness.model.requests.length, await listed()], [0, 1, 1]);
  });

  it('does not go on with a message where the session was closed while its worktree was opened again', async () => {
    const [opening, opened, released] = [gate(), gate(), gate()];
    let again = false;
    const harness = start(
      {
        main: [
          reply(agent({ name: 'scout', run_in_background: false })),
          reply('Changed.'),
          reply(sendToScout('And more.', 's1')),
        ],
        agents: { 'Do the thing': [writes, reply('It is done.'), reply('Never.')] },
      },
      (real) => ({
        reopen: async (worktree) => ((again = true), opening.open(), await opened.promise, real.reopen(worktree)),
        async release(worktree) {
          await real.release(worktree);
          if (again) released.open();
        },
      }),
    );
    await harness.run('Go');
    const stop = new AbortController();
    const second = harness.run('Tell it', stop.signal);
    await opening.promise;
    stop.abort();
    await harness.session.close();
    opened.open();
    await Promise.all([second, released.promise]);
    assert.doesNotMatch([...harness.transcripts.values()].flat().join(), /And more\./);
  });

  it('that TaskStop has ended is told of with the place of what it changed', async () => {
    const written = gate();
    const harness = start({
      main: [
        reply(agent({ name: 'scout' })),
        reply('Started.'),
        reply(toolUse('TaskStop', { task_id: 'scout' }, 's1')),
        reply('I see.'),
      ],
      agents: {
        'Do the thing': [writes, () => (written.open(), delayed(reply('Never.'), new Promise(() => undefined)))],
      },
    });
    await harness.run('Go');
    await written.promise;
    await harness.run('End it');
    assert.match(
      JSON.stringify(harness.model.requests.at(-1)?.messages),
      /was stopped\. Its changes are the branch worktree-agent-\w+, not in/,
    );
  });
});
