// Skills in a session: real commands, real files, real rules; only the model and the user are scripted.
import { defined } from '../../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApprovalDecision } from '../../../../../src/core/ports/approver';
import { type SessionCheckpoints } from '../../../../../src/core/ports/checkpoints';
import { createSkillCatalogue } from '../../../../../src/core/skills/skill-catalogue';
import { skillFolders } from '../../../../../src/core/skills/skill-folders';
import { type SessionSkillOptions } from '../../../../../src/core/skills/skill-options';
import {
  type SubagentOutcome,
  type SubagentRequest,
  type Subagents,
} from '../../../../../src/core/subagents/subagents';
import { startedAgent, unendedAgents } from '../../../../../src/core/sessions/started-agents';
import { agentTool } from '../../../../../src/core/tools/agents/agent';
import { bashTool } from '../../../../../src/core/tools/bash/bash';
import { readTool } from '../../../../../src/core/tools/read/read';
import { skillTool } from '../../../../../src/core/tools/skill';
import { type HookEntry } from '../../../../../src/core/hooks/hook-entry';
import { type JudgedHooks } from '../../../../../src/core/hooks/hook-settings';
import { createNodeHookHandlers } from '../../../../../src/node/hooks/node-hook-handlers';
import { createNodeFileSystem } from '../../../../../src/node/files/node-file-system';
import { createSystemClock } from '../../../../../src/node/system-clock';
import { createNodeTerminal } from '../../../../../src/node/terminal/node-terminal';
import { type PermissionRule } from '../../../../../src/shared/permission';
import { commandHook } from '../../../../support/hooks';
import { reply, toolUse, type ScriptedReply, withFields } from '../../../../support/messages-api/script';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { openCheckpoints } from '../../../../support/rewind-session';
import { createHarness, type Harness, prompt } from '../../../../support/session-harness';
import { featureOf } from '../../../../support/feature-of';
import { compaction } from '../../../../../src/core/features/compaction/compaction-key';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface World {
  harness: Harness;
  model: ScriptedModel;
  /** All that the n-th request says, from 0. */
  sent(index: number): string;
}

interface Plan extends Partial<SessionSkillOptions> {
  rules?: PermissionRule[];
  answer?: ApprovalDecision;
  subagents?: Subagents;
  /** The session may start none, though its host could. */
  withoutAgentTool?: boolean;
  checkpoints?: SessionCheckpoints;
  hooks?: HookEntry[];
  judging?: Partial<JudgedHooks>;
}

describe('skills in a session', function () {
  this.timeout(30_000);
  let base: string;
  let folder: string;
  let home: string;
  let terminal: ReturnType<typeof createNodeTerminal>;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'deft-skills-')));
    [folder, home] = [path.join(base, 'w'), path.join(base, 'home')];
    await Promise.all([mkdir(folder), mkdir(home), mkdir(path.join(base, 'runs'))]);
    terminal = createNodeTerminal({ log: silent, environment: process.env, root: path.join(base, 'runs') });
  });
  afterEach(async () => {
    await terminal.dispose();
    await rm(base, { recursive: true, force: true });
  });

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(base, file)), { recursive: true });
    await writeFile(path.join(base, file), text);
  };
  const rule = (behavior: PermissionRule['behavior'], toolName: string, ruleContent?: string): PermissionRule => ({
    behavior,
    value: { toolName, ...defined({ ruleContent }) },
    source: 'userSettings',
    root: home,
  });

  function world(
    script: readonly ScriptedReply[],
    {
      rules = [],
      answer = { behavior: 'deny', interrupt: false },
      subagents,
      withoutAgentTool = false,
      checkpoints,
      hooks = [],
      judging = {},
      ...skills
    }: Plan = {},
  ): World {
    const files = createNodeFileSystem();
    const model = createScriptedModel(script);
    const catalogue = createSkillCatalogue({
      files,
      folders: () =>
        skillFolders({
          managedFolder: path.join(base, 'org'),
          personalFolder: path.join(home, '.claude'),
          projects: [{ folder }],
        }),
      workspace: () => [folder],
      trusted: () => true,
    });
    const harness = createHarness({
      model,
      tools: [...(withoutAgentTool ? [] : [agentTool]), bashTool, readTool, skillTool],
      answer: () => answer,
      ports: {
        files,
        terminal,
        clock: createSystemClock(),
        hooks: createNodeHookHandlers({ environment: async () => process.env }),
      },
      session: {
        skills: { catalogue, ...skills },
        hooks: () => judged,
        checkpoints,
        secrets: () => ['sk-long-secret-value'],
        environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
        permission: () => ({ rules, folders: [folder], ownFolders: [], home, ignoreCase: false, trusted: true }),
        resultsDirectory: path.join(base, 'results'),
      },
    });
    const judged = { active: hooks, ...judging };
    if (subagents !== undefined) (harness.session.surroundings as { subagents?: Subagents }).subagents = subagents;
    return { harness, model, sent: (index) => JSON.stringify(model.requests[index]?.messages) };
  }
  /** Agents that say the same at once, and what was asked of them. */
  function agents(
    outcome: SubagentOutcome = {
      kind: 'completed',
      agentId: 'a1',
      text: 'Two bugs.',
      usage: { totalTokens: 1, toolUses: 0, durationMs: 1 },
    },
  ): { subagents: Subagents; asked: SubagentRequest[] } {
    const asked: SubagentRequest[] = [];
    const never = (): never => assert.fail('a skill only starts agents');
    return {
      asked,
      subagents: {
        send: never,
        tasks: never,
        stop: never,
        onEnd: never,
        run: async (request) => (asked.push(request), outcome),
      },
    };
  }
  const uses = (skill: string, args?: string, id = 'call'): ScriptedReply =>
    reply(toolUse('Skill', { skill, ...defined({ args }) }, id));
  const runs = (command: string, id = 'bash'): ScriptedReply => reply(toolUse('Bash', { command }, id));
  const done = reply('Done.');
  const ended = async ({ harness, model }: World, ...texts: string[]): Promise<string[]> => {
    const ends: string[] = [];
    for (const text of texts) ends.push((await harness.run(text)).reason);
    assert.deepEqual(model.violations, []);
    return ends;
  };
  const notices = ({ harness }: World): string[] =>
    harness.chat().items.flatMap((item) => (item.kind === 'notice' ? [`${item.title} ${item.detail}`] : []));

  describe('the model', () => {
    it('is told names and descriptions once, and gets the text only where it uses one', async () => {
      await write(
        'w/.claude/skills/deploy/SKILL.md',
        '---\ndescription: Deploys the app\nargument-hint: env\n---\nSECRET STEPS for $0\n',
      );
      await write(
        'w/.claude/skills/mine/SKILL.md',
        '---\ndescription: For people\ndisable-model-invocation: true\n---\nx\n',
      );
      const here = world([uses('deploy', 'prod'), done, done, done]);
      await ended(here, 'Go', 'Again', 'And again');
      assert.match(here.sent(0), /- deploy env: Deploys the app/);
      assert.doesNotMatch(here.sent(0), /SECRET STEPS|For people/);
      assert.match(here.sent(1), /The skill deploy follows as a message.*SECRET STEPS for prod/s);
      assert.equal(here.sent(3).split('- deploy env').length, 2, 'told once');
      await write('w/.claude/skills/later/SKILL.md', '---\ndescription: New\n---\nx\n');
      await ended(world([done]), 'Go');
    });

    it('is refused what only the user may use, and what there is not', async () => {
      await write('w/.claude/skills/mine/SKILL.md', '---\ndescription: x\ndisable-model-invocation: yes\n---\nText\n');
      await write('w/.claude/skills/deploy/SKILL.md', '---\ndescription: x\n---\nText\n');
      const here = world([uses('mine'), uses('deplo', undefined, 'b'), done]);
      await ended(here, 'Go');
      assert.match(here.sent(1), /Only the user may call the skill mine, by typing \/mine/);
      assert.match(here.sent(2), /There is no skill \\"deplo\\"\. Did you mean deploy\?/);
    });

    it('gets a short note where the same content stands there already, and the content where it differs', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nDo $0\n');
      const here = world([uses('a', 'one', 'a'), uses('a', 'one', 'b'), uses('a', 'two', 'c'), done]);
      await ended(here, 'Go');
      assert.equal(here.sent(3).split('Do one').length, 2);
      assert.match(here.sent(2), /is already in the conversation, unchanged/);
      assert.match(here.sent(3), /Do two/);
    });

    it('obeys Skill rules: deny, ask, and leave for a name', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nText of a\n');
      await write('w/.claude/skills/b/SKILL.md', '---\ndescription: x\n---\nText of b\n');
      const here = world([uses('a', 'x', 'a'), uses('b', 'x', 'b'), done], {
        rules: [rule('deny', 'Skill', 'a *'), rule('ask', 'Skill', 'b')],
      });
      await ended(here, 'Go');
      assert.match(here.sent(1), /Permission denied: The rule `Skill\(a \*\)`/);
      assert.deepEqual(
        here.harness.approvals.map(({ toolName }) => toolName),
        ['Skill'],
      );
      assert.doesNotMatch(here.sent(2), /Text of/);
    });
  });

  describe('commands in a skill', () => {
    it('run by the real rules; what they print stands in the text', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nHere: !`pwd` and $0\n');
      const here = world([uses('a', '`!`touch$IFS`x'), done]);
      await ended(here, 'Go');
      assert.ok(here.sent(1).includes(`Here: ${folder} and`), here.sent(1));
      assert.equal(here.harness.approvals.length, 0);
    });

    it('ask the user, and a refusal ends the whole use with a sentence', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nBegin !`touch made` end\n');
      const refused = world([uses('a'), done]);
      await ended(refused, 'Go');
      assert.deepEqual(
        refused.harness.approvals.map(({ title }) => title),
        ['Bash touch made'],
      );
      assert.match(
        refused.sent(1),
        /The skill a was not used because its command `touch made` did not run: The user rejected this call/,
      );
      assert.doesNotMatch(refused.sent(1), /Begin/);
      const allowed = world([uses('a'), done], { answer: { behavior: 'allow' } });
      await ended(allowed, 'Go');
      assert.match(allowed.sent(1), /Begin .* end/);
    });

    it('end the turn where the user rejects one without a reason', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nBegin !`touch made` end\n');
      const here = world([uses('a')], { answer: { behavior: 'deny', interrupt: true } });
      assert.deepEqual(await ended(here, 'Go'), ['denied']);
      assert.equal(here.model.requests.length, 1);
    });

    it('are never run where a rule denies them', async () => {
      await write(
        'w/.claude/skills/a/SKILL.md',
        '---\ndescription: x\nallowed-tools: Bash(touch *)\n---\n!`touch made`\n',
      );
      const here = world([uses('a'), done], { rules: [rule('deny', 'Bash', 'touch *')], agreed: () => true });
      await ended(here, 'Go');
      assert.match(here.sent(1), /did not run: Permission denied: The rule/);
      assert.equal(here.harness.approvals.length, 0);
      assert.equal(await createNodeFileSystem().stat(path.join(folder, 'made')), undefined);
    });

    it('that end with an error have printed it; switched off they are named', async () => {
      await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nSee !`cat missing.txt`\n');
      const here = world([uses('a'), done]);
      await ended(here, 'Go');
      assert.match(here.sent(1), /See Exit code 1.*missing\.txt/s);
      const off = world([uses('a'), done], { shellDisabled: () => true });
      await ended(off, 'Go');
      assert.match(off.sent(1), /See \[This command was not run/);
    });
  });

  describe('allowed-tools', () => {
    const text = '---\ndescription: x\nallowed-tools: Bash(touch *)\ndisallowed-tools: Read(/b.txt)\n---\nTouch it.\n';

    it('of the user’s own skill hold for the turn alone', async () => {
      await write('home/.claude/skills/a/SKILL.md', text);
      const here = world([uses('a'), runs('touch one'), done, runs('touch two', 'c'), done]);
      await ended(here, 'Go', 'Again');
      assert.deepEqual(
        here.harness.approvals.map(({ title }) => title),
        ['Bash touch two'],
      );
      assert.match(here.sent(4), /rejected this call/);
    });

    it('of a project count only where the user agreed; what is disallowed is denied at once', async () => {
      await write('w/.claude/skills/a/SKILL.md', text);
      await write('w/b.txt', 'x');
      const offered: string[] = [];
      const here = world(
        [uses('a'), runs('touch one'), reply(toolUse('Read', { file_path: path.join(base, 'w/b.txt') }, 'r')), done],
        { wouldAllow: (name, grants) => offered.push(name, ...grants.map((grant) => grant.text)) },
      );
      await ended(here, 'Go');
      assert.deepEqual(offered, ['a', 'allow Bash(touch *)']);
      assert.deepEqual(
        here.harness.approvals.map(({ title }) => title),
        ['Bash touch one'],
      );
      assert.match(here.sent(3), /Permission denied: The rule `Read\(\/b\.txt\)`/);
      const agreed = world([uses('a'), runs('touch one'), done], {
        agreed: ({ text: line, root }) => line === 'allow Bash(touch *)' && root === folder,
      });
      await ended(agreed, 'Go');
      assert.equal(agreed.harness.approvals.length, 0);
    });
  });

  it('compact by the window of the model that they name: it reads the conversation', async () => {
    await write('home/.claude/skills/a/SKILL.md', '---\ndescription: x\nmodel: claude-haiku-4-5\n---\nThink.\n');
    const here = world([
      withFields(reply('Long.'), { usage: { input_tokens: 190_000, output_tokens: 0 } }),
      reply('Sum.'),
      done,
    ]);
    assert.deepEqual(await ended(here, 'Go', '/a'), ['completed', 'completed']);
    assert.deepEqual(
      here.model.requests.map(({ model }) => model),
      ['claude-opus-5', 'claude-haiku-4-5', 'claude-haiku-4-5'],
    );
    assert.deepEqual(
      here.harness
        .stored()
        .flatMap((record) =>
          record.type === 'system' && record.subtype === 'side_usage' ? [[record.model, record.whom]] : [],
        ),
      [['claude-haiku-4-5', 'Compaction']],
    );
  });

  it('model and effort of a skill hold for its turn', async () => {
    await write('home/.claude/skills/a/SKILL.md', '---\ndescription: x\nmodel: sonnet\neffort: low\n---\nThink.\n');
    const here = world([done, done]);
    await ended(here, '/a', 'And now?');
    assert.deepEqual(
      here.model.requests.map(({ model, output_config }) => [model, output_config]),
      [
        ['claude-sonnet-5-5', { effort: 'low' }],
        ['claude-opus-5', undefined],
      ],
    );
  });

  it('context: fork runs in an agent, and says so where there is none', async () => {
    await write(
      'w/.claude/skills/look/SKILL.md',
      '---\ndescription: x\ncontext: fork\nagent: Explore\n---\nLook for $ARGUMENTS\n',
    );
    const none = world([uses('look', 'bugs'), done]);
    await ended(none, 'Go');
    assert.match(none.sent(1), /runs in its own agent \(context: fork\), and agents cannot be started here/);
    const { subagents, asked } = agents();
    const here = world([uses('look', 'bugs'), done, done], { subagents });
    await ended(here, 'Go', '/look leaks');
    assert.deepEqual(
      asked.map(({ agentType, prompt: text }) => [agentType, text]),
      [
        ['Explore', 'Look for bugs'],
        ['Explore', 'Look for leaks'],
      ],
    );
    assert.match(here.sent(1), /Two bugs\./);
    assert.match(here.sent(2), /The skill look ran in its own agent\. Its report:\\n\\nTwo bugs\./);
  });

  it('context: fork leaves the turn that starts it as it was: its leave, its bans, its model and its effort are not the turn’s', async () => {
    await write(
      'home/.claude/skills/look/SKILL.md',
      '---\ndescription: x\ncontext: fork\nmodel: sonnet\neffort: low\nallowed-tools: Bash(touch *)\ndisallowed-tools: Read\n---\nLook.\n',
    );
    await write('w/b.txt', 'all of b');
    const here = world(
      [uses('look'), runs('touch one'), reply(toolUse('Read', { file_path: path.join(base, 'w/b.txt') }, 'r')), done],
      { subagents: agents().subagents },
    );
    await ended(here, 'Go');
    assert.deepEqual(
      here.harness.approvals.map(({ title }) => title),
      ['Bash touch one'],
    );
    assert.match(here.sent(3), /all of b/);
    assert.deepEqual(
      new Set(here.model.requests.map(({ model, output_config }) => `${model} ${String(output_config?.effort)}`)),
      new Set(['claude-opus-5 undefined']),
    );
  });

  it('a fork for the background runs there for the model; the user’s message waits for it, or hears of its end', async () => {
    await write('w/.claude/skills/look/SKILL.md', '---\ndescription: x\ncontext: fork\nbackground: true\n---\nLook.\n');
    const { subagents, asked } = agents();
    await ended(world([uses('look'), done, done], { subagents }), 'Go', '/look');
    assert.deepEqual(
      asked.map(({ background }) => background),
      [true, false],
    );
    const written: string[] = [];
    const launched = agents({ kind: 'launched', agentId: 'a2', transcript: '/t/a2.jsonl' });
    const here = world([done], { subagents: { ...launched.subagents, resultWritten: (id) => void written.push(id) } });
    await ended(here, '/look');
    assert.equal(written.length, 1);
    assert.match(here.sent(0), /runs in the background as agent a2/);
  });

  it('context: fork is refused where the session has no Agent tool', async () => {
    await write('w/.claude/skills/look/SKILL.md', '---\ndescription: x\ncontext: fork\n---\nLook.\n');
    const { subagents, asked } = agents();
    const here = world([uses('look'), done], { subagents, withoutAgentTool: true });
    await ended(here, 'Go');
    assert.match(here.sent(1), /agents cannot be started here\. Read .*SKILL\.md and do what it says yourself/);
    assert.deepEqual(asked, []);
  });

  it('the log tells of the agents of skills as of others: which they were, and which have not ended', async () => {
    await write('w/.claude/skills/look/SKILL.md', '---\ndescription: x\ncontext: fork\nagent: Explore\n---\nLook.\n');
    const here = world([uses('look', undefined, 'first'), done], { subagents: agents().subagents });
    await ended(here, 'Go');
    assert.deepEqual(startedAgent(here.harness.stored(), 'a1'), {
      id: 'a1',
      agentType: 'Explore',
      description: 'Skill look',
      toolUseId: 'first',
      transcript: '',
      background: false,
    });
    const launched = world([uses('look', undefined, 'second'), done], {
      subagents: agents({ kind: 'launched', agentId: 'a2', transcript: '/t/a2.jsonl' }).subagents,
    });
    await ended(launched, 'Go');
    assert.deepEqual(
      unendedAgents(launched.harness.stored()).map(({ id, transcript, toolUseId }) => [id, transcript, toolUseId]),
      [['a2', '/t/a2.jsonl', 'second']],
    );
  });

  describe('the user', () => {
    it('types /name: the model gets the content, the chat shows what was typed', async () => {
      await write('w/.claude/commands/fix.md', 'Fix issue $0 as @rules.md says.');
      await write('w/rules.md', 'RULE ONE');
      const here = world([done]);
      await ended(here, '/fix 12');
      assert.match(here.sent(0), /Fix issue 12 as @rules\.md says\./);
      assert.match(here.sent(0), /RULE ONE/);
      const [item] = here.harness.chat().items;
      assert.deepEqual(item?.kind === 'user' && item.text, '/fix 12');
      assert.equal(
        here.harness.replayed().items.some((one) => one.kind === 'user' && one.text === '/fix 12'),
        true,
      );
    });

    it('is not who writes the prompts of an agent: a slash means nothing there', async () => {
      await write('w/.claude/commands/fix.md', 'Fix $0');
      const here = world([done, done], { plainPrompts: true });
      assert.deepEqual(await ended(here, '/fix 12', '/unknown'), ['completed', 'completed']);
      assert.doesNotMatch(here.sent(1), /Fix 12/);
    });

    it('gets back what was there before the commands of a skill, by a rewind to the message', async () => {
      await write('w/.claude/commands/gen.md', 'See !`echo new > kept.txt`');
      await write('w/kept.txt', 'old');
      const checkpoints = openCheckpoints({
        root: base,
        folder,
        sessions: path.join(base, 'sessions'),
        remove: () => undefined,
      });
      const here = world([done], { checkpoints, answer: { behavior: 'allow' } });
      await ended(here, '/gen');
      const sent = here.harness.stored().find((record) => record.type === 'user' && record.display?.text === '/gen');
      const id = sent?.type === 'user' ? sent.uuid : '';
      assert.deepEqual(
        (await checkpoints.points()).map((point) => point.id),
        [id],
      );
      const { plan } = (await checkpoints.preview(id)) ?? assert.fail('no checkpoint');
      assert.deepEqual(
        plan.steps.map((step) => [step.path, step.action]),
        [[path.join(folder, 'kept.txt'), 'restore']],
      );
      await checkpoints.close();
    });

    it('sends no credential that stands in a skill', async () => {
      await write('w/.claude/commands/in.md', 'Log in with sk-long-secret-value, then $0');
      const here = world([done]);
      await ended(here, '/in stop');
      assert.match(here.sent(0), /Log in with \[redacted\], then stop/);
      assert.doesNotMatch(here.sent(0), /sk-long/);
    });

    it('may put several in front of one message', async () => {
      await write('w/.claude/commands/one.md', 'First $ARGUMENTS');
      await write('w/.claude/commands/two.md', 'Second $ARGUMENTS');
      const here = world([done]);
      await ended(here, '/one /two the work');
      assert.match(here.sent(0), /First the work.*Second the work/s);
    });

    it('may call one of a folder behind the name of that folder', async () => {
      await mkdir(path.join(folder, '.claude/commands/tools/deep'), { recursive: true });
      await write('w/.claude/commands/tools/x.md', 'Do x with $ARGUMENTS');
      await write('w/.claude/commands/tools/deep/y.md', 'Do y');
      const here = world([done, done, done]);
      await ended(here, '/tools:x care', '/x haste', '/tools:deep:y');
      assert.match(here.sent(0), /Do x with care/);
      assert.match(here.sent(1), /Do x with haste/);
      assert.match(here.sent(2), /Do y/);
    });

    it('is told of an unknown name with the nearest ones; nothing is sent, and the text comes back', async () => {
      await write('w/.claude/commands/deploy.md', 'Deploy');
      const here = world([done], { otherNames: () => ['compact'] });
      assert.deepEqual(await ended(here, '/deplyo prod', '/comp'), ['error', 'error']);
      assert.equal(here.model.requests.length, 0);
      assert.match(notices(here)[0] ?? '', /Nothing was sent\. There is no command \/deplyo\. Did you mean \/deploy\?/);
      assert.match(notices(here)[1] ?? '', /Did you mean \/compact\?/);
      assert.deepEqual(
        here.harness.events.flatMap((event) => (event.type === 'prompt_unsent' ? [event.prompt.display.text] : [])),
        ['/deplyo prod', '/comp'],
      );
      assert.deepEqual(
        here.harness.session.records.filter(({ type }) => type === 'user'),
        [],
      );
    });

    it('is told why a broken one, or one for the model alone, does not run', async () => {
      await write('w/.claude/skills/broken/SKILL.md', '---\nhooks: [open\n---\nText');
      await write('w/.claude/skills/own/SKILL.md', '---\ndescription: x\nuser-invocable: false\n---\nText');
      const here = world([]);
      await ended(here, '/broken', '/own');
      assert.match(notices(here)[0] ?? '', /\/broken cannot be used: .*SKILL\.md: Its front matter is not valid YAML/);
      assert.match(notices(here)[1] ?? '', /Only the model can use \/own/);
    });

    it('gets the message back where a command of the skill is refused', async () => {
      await write('w/.claude/commands/a.md', 'See !`touch made`');
      const here = world([]);
      assert.deepEqual(await ended(here, '/a'), ['error']);
      assert.match(notices(here)[0] ?? '', /The skill a was not used because its command `touch made` did not run/);
    });

    it('uses one while the agent works: it is put in as the message is delivered; an unknown one comes back', async () => {
      await write('w/.claude/commands/also.md', 'Also do $ARGUMENTS');
      const here = world([runs('pwd'), done]);
      here.harness.session.steer(prompt('/also this'));
      here.harness.session.steer(prompt('/alsoo that'));
      await ended(here, 'Go');
      assert.match(here.sent(1), /Also do this/);
      assert.doesNotMatch(here.sent(1), /alsoo/);
      assert.match(notices(here)[0] ?? '', /no command \/alsoo\. Did you mean \/also\?/);
      assert.deepEqual(here.harness.session.pending.waiting, []);
    });

    it('is heard by UserPromptExpansion hooks, which block by exit code 2 and add context', async () => {
      await write('w/.claude/commands/a.md', 'Text of a');
      await write('w/.claude/commands/b.md', 'Text of b');
      const here = world([done], {
        hooks: [
          commandHook('UserPromptExpansion', 'echo "Not on Fridays." >&2; exit 2', { matcher: 'a' }),
          commandHook('UserPromptExpansion', 'echo "Mind the dog."', { matcher: 'b' }),
        ],
      });
      assert.deepEqual(await ended(here, '/a', '/b x'), ['error', 'completed']);
      assert.match(notices(here)[0] ?? '', /A hook blocked \/a: Not on Fridays\./);
      assert.match(here.sent(0), /Mind the dog\./);
      assert.match(here.sent(0), /Text of b/);
    });
  });

  it('hooks of a skill run once it is used, those with once a single time; a project’s once the user has agreed to their text', async () => {
    const hooks = (file: string, once: string): string =>
      `---\ndescription: x\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo x >> ${path.join(base, file)}\n          once: ${once}\n---\nText\n`;
    await write('home/.claude/skills/first/SKILL.md', hooks('once', 'true'));
    await write('home/.claude/skills/each/SKILL.md', hooks('each', 'false'));
    await write('w/.claude/skills/theirs/SKILL.md', hooks('theirs', 'false'));
    const wanted: string[] = [];
    const agreed = new Set<string>();
    const text = (entries: readonly HookEntry[]): string => JSON.stringify(entries.map(({ handler }) => handler));
    const judging = {
      wanted: (entries: readonly HookEntry[]) => void wanted.push(text(entries)),
      judgeAdded: (entries: readonly HookEntry[]) => (agreed.has(text(entries)) ? entries : []),
    };
    const here = world(
      [
        runs('pwd', 'a'),
        done,
        runs('pwd', 'b'),
        runs('pwd', 'c'),
        done,
        runs('pwd', 'd'),
        done,
        runs('pwd', 'e'),
        done,
      ],
      { judging },
    );
    await ended(here, 'Go', '/first /each /theirs');
    const size = async (file: string): Promise<number | undefined> =>
      (await createNodeFileSystem().stat(path.join(base, file)))?.size;
    assert.deepEqual([await size('once'), await size('each'), await size('theirs')], [2, 4, undefined]);
    assert.equal(wanted.length, 1);
    agreed.add(wanted[0] ?? '');
    await ended(here, '/theirs');
    assert.equal(await size('theirs'), 2);
    await write('w/.claude/skills/theirs/SKILL.md', hooks('changed', 'false'));
    await ended(here, '/theirs');
    assert.deepEqual(
      [await size('theirs'), await size('changed')],
      [4, undefined],
      'what was agreed to goes on, what has changed asks',
    );
    assert.match(wanted.at(-1) ?? '', /changed/);
  });

  it('what was used stands behind a compaction again', async () => {
    await write('w/.claude/skills/a/SKILL.md', '---\ndescription: x\n---\nKEEP THESE STEPS\n');
    const long = reply('A long answer. '.repeat(3_000));
    const here = world([uses('a'), long, reply('The sum.'), done]);
    await ended(here, 'Go');
    await featureOf(here.harness.session, compaction).byHand('', new AbortController().signal);
    await ended(here, 'On');
    assert.match(here.sent(3), /Still in force.*KEEP THESE STEPS/s);
    assert.equal(here.sent(3).split('KEEP THESE STEPS').length, 2);
  });
});
