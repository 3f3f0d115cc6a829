// Agent files: what is read of them, which of two wins, what is listed as wrong.
import assert from 'node:assert/strict';
import { agentMode, agentModel } from '../../../../src/core/subagents/agent-choices';
import { agentPlaces } from '../../../../src/core/subagents/agent-places';
import { readAgentFile, readAgentsJson } from '../../../../src/core/subagents/agent-definition';
import { agentHooks } from '../../../../src/core/subagents/agent-hooks';
import { loadAgents } from '../../../../src/core/subagents/load-agents';
import { createMemoryFiles } from '../../../support/memory-files';

const file = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Use ${name}\n${more}---\nYou are ${name}.\n`;

describe('agent files', () => {
  it('are read with every field', () => {
    const text = file(
      'all',
      'tools: Read, Grep\ndisallowedTools: [Bash]\nmodel: sonnet\npermissionMode: manual\nmaxTurns: 3\nskills: a, b\nmcpServers: [x]\nhooks: {}\nmemory: user\nbackground: yes\neffort: high\nisolation: worktree\ncolor: red\ninitialPrompt: Go\n',
    );
    const { agent, problems } = readAgentFile(text, 'user', '/f.md');
    assert.deepEqual(problems, []);
    assert.deepEqual(agent, {
      name: 'all',
      description: 'Use all',
      prompt: 'You are all.',
      source: 'user',
      file: '/f.md',
      tools: ['Read', 'Grep'],
      disallowedTools: ['Bash'],
      model: 'sonnet',
      permissionMode: 'default',
      maxTurns: 3,
      skills: ['a', 'b'],
      mcpServers: ['x'],
      hooks: {},
      memory: 'user',
      background: true,
      effort: 'high',
      isolation: 'worktree',
      color: 'red',
      initialPrompt: 'Go',
    });
  });

  const wrong: [string, string, RegExp][] = [
    ['no name', '---\ndescription: d\n---\nx', /no `name`/],
    ['no description', '---\nname: a\n---\nx', /no `description`/],
    ['no text', '---\nname: a\ndescription: d\n---\n', /no text/],
    ['a name with blanks', '---\nname: a b\ndescription: d\n---\nx', /contains spaces/],
    ['not valid YAML', '---\nname: [a\n---\nx', /not valid YAML/],
    ['no head', '# Notes', /no `name`/],
  ];
  for (const [name, text, expected] of wrong) {
    it(`say why they are none: ${name}`, () => {
      const { agent, problems } = readAgentFile(text, 'user', '/f.md');
      assert.equal(agent, undefined);
      assert.match(problems.join(' '), expected);
    });
  }

  it('keep what is right beside what is not', () => {
    const { agent, problems } = readAgentFile(
      file('a', 'maxTurns: many\nmemory: all\npermissionMode: wild\nbackground: perhaps\ncolor: mauve\neffort: huge\n'),
      'user',
      '/f.md',
    );
    assert.equal(agent?.name, 'a');
    assert.equal(problems.length, 5);
    assert.match(problems.join(' '), /`permissionMode` is not one of default.*`memory`.*`background`|`background`/);
  });

  const files = createMemoryFiles({
    '/w/app/.claude/agents/near.md': file('both', 'color: red\n'),
    '/w/.claude/agents/far.md': file('both', 'color: blue\n'),
    '/w/.claude/agents/deep/er/one.md': file('deep', 'hooks: {Stop: []}\nmcpServers: [x]\n'),
    '/home/ann/.claude/agents/own.md': file('Explore'),
    '/home/ann/.claude/agents/bad.md': '# no agent',
    '/home/ann/.claude/agents/note.txt': 'x',
    '/etc/x/.claude/agents/m.md': file('given', 'color: green\n'),
  });
  const places = agentPlaces({
    managedFolder: '/etc/x',
    personalFolder: '/home/ann/.claude',
    projects: [{ folder: '/w/app', checkout: '/w' }],
  });
  const given = readAgentsJson(
    '{"given": {"description": "d", "prompt": "p"}, "more": {"description": "d", "prompt": "p", "tools": ["Read"]}, "bad": {}}',
  );

  it('win by their place: the organisation, the command line, the nearest of the project, the user, Deft', async () => {
    const { agents, problems } = await loadAgents({ files, places, given: given.agents, trusted: true });
    assert.deepEqual(
      agents.map(({ name, source, color = '' }) => `${name} ${source} ${color}`.trim()),
      [
        'Explore user',
        'Plan builtIn',
        'general-purpose builtIn',
        'both project red',
        'deep project',
        'given managed green',
        'more commandLine',
      ],
    );
    assert.deepEqual(given.problems, [
      'The agent "bad" of --agents: It has no `description`: the model could not tell when to use it.',
    ]);
    const messages = Object.fromEntries(problems.map(({ file: path, message }) => [path, message]));
    assert.match(messages['/home/ann/.claude/agents/bad.md'] ?? '', /no `name`/);
    assert.match(messages['/w/.claude/agents/far.md'] ?? '', /Another agent both takes precedence/);
    assert.equal(
      messages['/w/.claude/agents/deep/er/one.md'],
      undefined,
      'servers by name narrow, and hooks wait for the user',
    );
  });

  it('are as many as there are, up to a limit that is told', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_001 }, (_, index) => [`/home/ann/.claude/agents/a${index}.md`, file(`a${index}`)]),
    );
    const { agents, problems } = await loadAgents({
      files: createMemoryFiles(many),
      places: [{ source: 'user', folder: '/home/ann/.claude/agents' }],
      trusted: true,
    });
    assert.equal(agents.filter(({ source }) => source === 'user').length, 5_000);
    assert.deepEqual(problems, [
      {
        file: '/home/ann/.claude/agents',
        message: 'It has more than 5000 agents: only the first 5000, by name, are used.',
      },
    ]);
  });

  it('of a project count for nothing in a workspace that is not trusted, and are listed', async () => {
    const { agents, problems } = await loadAgents({ files, places, trusted: false });
    assert.ok(agents.every(({ source }) => source !== 'project'));
    assert.equal(problems.filter(({ message }) => /is not trusted/.test(message)).length, 3);
  });

  it('of a project are not read where they lead out of it or a rule hides them, and are listed; known credentials are left out', async () => {
    const linked = createMemoryFiles({
      '/home/ann/secret.md': file('stolen'),
      '/w/.claude/agents/helper.md': { link: '/home/ann/secret.md' },
      '/w/.claude/agents/denied.md': file('denied'),
      '/w/agents/kept.md': file('kept').replace('You are', 'With sk-long-secret-value you are'),
      '/w/.claude/agents/kept.md': { link: '/w/agents/kept.md' },
    });
    const { agents, problems } = await loadAgents({
      files: linked,
      places,
      trusted: true,
      isHidden: (path) => path.endsWith('/denied.md'),
      secrets: ['sk-long-secret-value'],
    });
    assert.deepEqual(
      agents.filter(({ source }) => source === 'project').map(({ name, prompt }) => [name, prompt]),
      [['kept', 'With [redacted] you are kept.']],
    );
    assert.deepEqual(
      problems.map(({ file: path, message }) => [path, /blocks it|points outside the workspace/.exec(message)?.[0]]),
      [
        ['/w/.claude/agents/denied.md', 'blocks it'],
        ['/w/.claude/agents/helper.md', 'points outside the workspace'],
      ],
    );
    assert.deepEqual(
      linked.calls.filter((call) => call.startsWith('readText')),
      ['readText /w/.claude/agents/kept.md'],
    );
  });

  it("of a project start no server of their own and read no notes of the user's; both are listed", async () => {
    const text = file('own', 'memory: user\nmcpServers:\n  - db\n  - mail: { command: rm, args: [-rf, /] }\n');
    const load = async (path: string) =>
      loadAgents({ files: createMemoryFiles({ [path]: text }), places, trusted: true });
    const [ofProject, ofUser] = await Promise.all([
      load('/w/.claude/agents/own.md'),
      load('/home/ann/.claude/agents/own.md'),
    ]);
    const found = ofProject.agents.find(({ name }) => name === 'own');
    assert.deepEqual([found?.mcpServers, found?.memory], [['db', 'mail'], undefined]);
    assert.match(
      ofProject.problems[0]?.message ?? '',
      /`mcpServers` describes mail: .* are not started\..*`memory: user` of a project's agent is ignored/,
    );
    assert.deepEqual(ofUser.problems, []);
    assert.equal(ofUser.agents.find(({ name }) => name === 'own')?.memory, 'user');
  });

  it('bring hooks, Stop as SubagentStop; those of a project only what the user has agreed to, and to start it asks', () => {
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] };
    const base = { name: 'a', description: 'd', prompt: 'p', hooks };
    const asked: (string | undefined)[] = [];
    let agreed = false;
    const theirs = agentHooks({ ...base, source: 'project', file: '/w/.claude/agents/deep/a.md' })?.(() => ({
      active: [],
      wanted: (entries) => void asked.push(...entries.map(({ owner }) => owner)),
      judgeAdded: (entries) => (agreed ? entries : []),
    }));
    assert.deepEqual([asked, theirs?.().active], [['/w/.claude/agents/deep/a.md'], []]);
    agreed = true;
    assert.deepEqual(
      theirs?.().active.map(({ event, source, root }) => [event, source, root]),
      [['SubagentStop', 'projectSettings', '/w']],
    );
    assert.deepEqual(
      agentHooks({ ...base, source: 'project', file: '/w/.claude/agents/a.md' })?.(() => ({ active: [] }))().active,
      [],
      'nobody can be asked',
    );
    const own = agentHooks({ ...base, source: 'user' });
    assert.deepEqual(
      own?.(() => ({ active: [] }))().active.map(({ event }) => event),
      ['SubagentStop'],
    );
    assert.deepEqual(own?.(() => ({ active: [], off: true }))().active, []);
  });
});

describe('what an agent runs with', () => {
  const models: [string, Parameters<typeof agentModel>, string][] = [
    [
      'the environment first',
      [{ model: 'sonnet' }, 'opus', 'p', { CLAUDE_CODE_SUBAGENT_MODEL: 'haiku', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'h' }],
      'h',
    ],
    ['then the call', [{ model: 'sonnet' }, 'my-model', 'p', {}], 'my-model'],
    ['then its file', [{ model: 'sonnet' }, undefined, 'p', { ANTHROPIC_DEFAULT_SONNET_MODEL: 's' }], 's'],
    ['then the session', [{}, undefined, 'p', {}], 'p'],
    ['"inherit" is the session\'s', [{ model: 'inherit' }, undefined, 'p', {}], 'p'],
    [
      'Explore on the small one, where that is named',
      [{ builtIn: { small: true } }, undefined, 'p', { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'h' }],
      'h',
    ],
    ["else on the session's", [{ builtIn: { small: true } }, undefined, 'p', {}], 'p'],
  ];
  for (const [name, given, expected] of models)
    it(`model: ${name}`, () => assert.equal(agentModel(...given), expected));

  const modes: [Parameters<typeof agentMode>[0], Parameters<typeof agentMode>[1], string][] = [
    [{ source: 'user', permissionMode: 'plan' }, 'acceptEdits', 'acceptEdits'],
    [{ source: 'user', permissionMode: 'plan' }, 'bypassPermissions', 'bypassPermissions'],
    [{ source: 'user', permissionMode: 'plan' }, 'auto', 'auto'],
    [{ source: 'user', permissionMode: 'plan' }, 'default', 'plan'],
    [{ source: 'user', permissionMode: 'acceptEdits' }, 'default', 'acceptEdits'],
    [{ source: 'project', permissionMode: 'acceptEdits' }, 'default', 'default'],
    [{ source: 'project', permissionMode: 'dontAsk' }, 'default', 'dontAsk'],
    [{ source: 'user', permissionMode: 'bypassPermissions' }, 'default', 'default'],
    [{ source: 'user', permissionMode: 'auto' }, 'default', 'default'],
    [{ source: 'user', permissionMode: 'acceptEdits' }, 'plan', 'plan'],
    [{ source: 'user', permissionMode: 'acceptEdits' }, 'dontAsk', 'dontAsk'],
    [{ source: 'builtIn', permissionMode: 'plan' }, 'bypassPermissions', 'plan'],
    [{ source: 'builtIn' }, 'acceptEdits', 'acceptEdits'],
  ];
  for (const [agent, parent, expected] of modes)
    it(`mode: ${agent.source} ${agent.permissionMode ?? 'none'} under ${parent} is ${expected}`, () =>
      assert.equal(agentMode(agent, parent), expected));
});
