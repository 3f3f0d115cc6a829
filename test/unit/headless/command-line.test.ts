import assert from 'node:assert/strict';
import { parseCommandLine } from '../../../src/headless/command-line/command-line';
import { helpText } from '../../../src/headless/command-line/help-text';
import { optionOf, optionTable, type OptionName } from '../../../src/headless/command-line/option-table';
import { type RunOptions } from '../../../src/headless/command-line/run-options';
import { splitRules } from '../../../src/headless/command-line/split-rules';

const unset = {
  effort: undefined,
  thinking: { on: undefined, maxTokens: undefined },
  betas: [],
  fast: undefined,
  settingSources: undefined,
  managedSettings: undefined,
  tools: undefined,
  strictMcpConfig: false,
  agent: undefined,
  systemPrompt: { text: undefined, file: undefined },
  withoutCommands: false,
  skills: undefined,
  jsonSchema: undefined,
  programServers: [],
  title: undefined,
  unused: [],
};

function options(...argv: string[]): RunOptions {
  const line = parseCommandLine(argv);
  assert.ok(line.kind === 'run', JSON.stringify(line));
  return line.options;
}

function refusal(...argv: string[]): string {
  const line = parseCommandLine(argv);
  assert.ok(line.kind === 'refused', JSON.stringify(line));
  return line.message;
}

describe('the command line', () => {
  it('takes the prompt behind -p, before it, and without it', () => {
    for (const argv of [
      ['-p', 'do it'],
      ['do it', '-p'],
      ['do it'],
      ['-p', '--output-format', 'json', 'do it'],
      ['-p', '--', 'do it'],
    ]) {
      assert.equal(options(...argv).prompt, 'do it', argv.join(' '));
    }
  });

  it('takes a prompt behind -p that begins with a hyphen, and nothing that names an option', () => {
    assert.equal(options('-p', '- first\n- second', '--model', 'opus').prompt, '- first\n- second');
    assert.equal(options('--print', '--frobnicate the thing').prompt, '--frobnicate the thing');
    assert.equal(options('-p', '--', '--model opus').prompt, '--model opus');
    assert.match(refusal('-p', '--model opus'), /There is no option --model opus/);
    assert.match(refusal('-p', '- one', 'two'), /more than one prompt: "- one", "two"/);
    assert.match(refusal('go', '- first, second'), /behind -p/);
  });

  it('takes the word behind --worktree as its name, and a prompt as a prompt', () => {
    const worktree = (...words: string[]) => [options(...words).worktree, options(...words).prompt];
    assert.deepEqual(worktree('-p', '-w', 'fix', 'Mend it'), [{ name: 'fix' }, 'Mend it']);
    assert.deepEqual(worktree('--worktree', 'Mend it'), [{ name: undefined }, 'Mend it']);
    assert.deepEqual(worktree('--worktree=fix', 'mend'), [{ name: 'fix' }, 'mend']);
    assert.deepEqual(worktree('mend', '-w'), [{ name: undefined }, 'mend']);
    assert.deepEqual(worktree('--demo', '', 'mend'), [undefined, 'mend']);
  });

  it('has defaults', () => {
    assert.deepEqual(options('x'), {
      prompt: 'x',
      ...unset,
      formats: { input: 'text', output: 'text', partialMessages: false, replayMessages: false },
      permissions: { mode: undefined, allowed: [], disallowed: [], asks: undefined, mayBypass: false },
      limits: { turns: undefined, repeats: undefined, budget: undefined },
      initialized: false,
      unsaved: false,
      worktree: undefined,
      model: undefined,
      fallbackModels: undefined,
      settings: undefined,
      trustProject: false,
      mcpConfig: [],
      addDirectories: [],
      pluginDirectories: [],
      pluginsWithoutServers: [],
      agents: undefined,
      appendSystemPrompt: { text: undefined, file: undefined },
      setup: undefined,
      session: { kind: 'new', id: undefined },
      demo: false,
    });
  });

  it('reads every option', () => {
    const read = options(
      ...[
        '--output-format',
        'stream-json',
        '--include-partial-messages',
        '--permission-mode',
        'acceptEdits',
        '--model',
        'sonnet',
        '--max-turns=3',
        '--max-budget-usd',
        '1.5',
        '--fallback-model',
        'opus, haiku',
        '--fallback-model=fable',
        '--maintenance',
        '--trust-project',
        '--plugin-dir',
        '../p',
      ],
      ...[
        '--mcp-config',
        'a.json',
        '--mcp-config',
        '{}',
        '--settings',
        '{}',
        '--add-dir',
        '../a',
        '--add-dir',
        '../b',
        '--agents',
        '{}',
        '--append-system-prompt',
        'Be brief.',
        '--resume',
        'abc',
        '--fork-session',
        '--demo',
        '--verbose',
      ],
    );
    assert.deepEqual(read, {
      prompt: undefined,
      ...unset,
      formats: { input: 'text', output: 'stream-json', partialMessages: true, replayMessages: false },
      permissions: { mode: 'acceptEdits', allowed: [], disallowed: [], asks: undefined, mayBypass: false },
      limits: { turns: 3, repeats: undefined, budget: 1.5 },
      initialized: false,
      unsaved: false,
      worktree: undefined,
      model: 'sonnet',
      fallbackModels: ['opus', 'haiku', 'fable'],
      mcpConfig: ['a.json', '{}'],
      settings: '{}',
      trustProject: true,
      addDirectories: ['../a', '../b'],
      pluginDirectories: ['../p'],
      pluginsWithoutServers: [],
      agents: '{}',
      appendSystemPrompt: { text: 'Be brief.', file: undefined },
      setup: { trigger: 'maintenance', alone: false },
      session: { kind: 'resume', id: 'abc', fork: true, until: undefined, newId: undefined },
      demo: true,
    });
    assert.deepEqual(options('--init').setup, { trigger: 'init', alone: false });
    assert.deepEqual(options('--init-only').setup, { trigger: 'init', alone: true });
    const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    assert.equal(options(...streams, '--permission-prompt-tool', 'stdio').permissions.asks, 'stdio');
    assert.deepEqual(options('-c').session, { kind: 'continue', fork: false, until: undefined, newId: undefined });
    assert.equal(options('--permission-mode', 'manual').permissions.mode, 'default');
  });

  it('takes rules apart: commas, spaces, several values, both spellings', () => {
    assert.deepEqual(splitRules('Edit,Bash(npm run test *),  Read(./a, b)'), [
      'Edit',
      'Bash(npm run test *)',
      'Read(./a, b)',
    ]);
    assert.deepEqual(
      options('--allowedTools', 'Edit', 'Bash(git log *)', 'mcp__x__*', '-p', 'go').permissions.allowed,
      ['Edit', 'Bash(git log *)', 'mcp__x__*'],
    );
    assert.equal(options('--allowedTools', 'Edit', 'Bash(git log *)', '-p', 'go').prompt, 'go');
    assert.deepEqual(options('--allowed-tools=Edit Write', '--allowedTools', 'Bash').permissions.allowed.sort(), [
      'Bash',
      'Edit',
      'Write',
    ]);
    assert.deepEqual(options('--disallowedTools', 'Bash', 'go now').permissions.disallowed, ['Bash']);
    assert.equal(options('--disallowedTools', 'Bash', 'go now').prompt, 'go now');
  });

  it('answers help and version before anything else', () => {
    assert.equal(parseCommandLine(['--help']).kind, 'help');
    assert.equal(parseCommandLine(['-v']).kind, 'version');
    assert.equal(parseCommandLine(['--help', '--max-turns', 'many']).kind, 'help');
  });

  it('takes several values behind one option, up to a word with blanks', () => {
    const added = (...argv: string[]): unknown => [options(...argv).addDirectories, options(...argv).prompt];
    assert.deepEqual(added('--add-dir', 'a', 'b', '-p', 'Fix it'), [['a', 'b'], 'Fix it']);
    assert.deepEqual(added('--add-dir', 'a', 'b', 'Fix it'), [['a', 'b'], 'Fix it']);
    assert.deepEqual(added('--add-dir=a', 'b', '--', 'fix'), [['a', 'b'], 'fix']);
    assert.deepEqual(options('--mcp-config', 'a.json', 'b.json', '-p', 'go').mcpConfig, ['a.json', 'b.json']);
    assert.deepEqual(options('--disallowedTools', 'Read', 'write_file', '-p', 'go').permissions.disallowed, [
      'Read',
      'write_file',
    ]);
    assert.deepEqual(options('--tools', 'Read,Bash', 'Edit', '-p', 'go').tools, ['Read', 'Bash', 'Edit']);
    assert.deepEqual([options('--tools=').tools, options('--tools', 'default').tools], [[], undefined]);
  });

  it('reads the options of the agent SDK', () => {
    assert.deepEqual(options('--setting-sources=project,user').settingSources, ['user', 'project']);
    assert.deepEqual([options('--setting-sources=').settingSources, options('--bare').settingSources], [[], []]);
    assert.equal(options('--bare').strictMcpConfig, true);
    assert.deepEqual(options('--system-prompt=').systemPrompt, { text: '', file: undefined });
    assert.equal(options('--dangerously-skip-permissions').permissions.mode, 'bypassPermissions');
    assert.deepEqual(options('--thinking=disabled').thinking, { on: false, maxTokens: undefined });
    assert.deepEqual(options('--thinking=adaptive', '--max-thinking-tokens=0').thinking, { on: true, maxTokens: 0 });
    assert.deepEqual(options('--debug=api', '--ide').unused.length, 2);
    assert.match(refusal('--setting-sources=all'), /takes user, project, local, not "all"/);
    assert.match(refusal('--effort=huge'), /--effort takes low, medium, high, xhigh or max, not "huge"/);
    assert.match(refusal('--session-id=1'), /takes a UUID/);
    assert.match(refusal('--resume=a', '--resume-session-at=b'), /needs --resume or --continue, and --fork-session/);
    assert.match(refusal('--system-prompt=a', '--system-prompt-file=b'), /exclude each other/);
  });

  it('refuses with a sentence what does not fit', () => {
    assert.match(refusal('--frobnicate'), /^There is no option --frobnicate\. --help/);
    assert.match(refusal('--allowedtools', 'x'), /Did you mean --allowedTools\?/);
    assert.match(refusal('-x'), /There is no option -x/);
    assert.match(refusal('--output-format', 'xml'), /--output-format takes text, json or stream-json, not "xml"/);
    assert.match(
      refusal('--permission-mode', 'yolo'),
      /takes default, acceptEdits, plan, auto, dontAsk or bypassPermissions, not "yolo"/,
    );
    for (const turns of ['0', '-1', '2.5', 'many'])
      assert.match(refusal(`--max-turns=${turns}`), /whole number from 1/);
    assert.match(refusal('--model'), /--model needs a value/);
    assert.match(refusal('--model', '--demo'), /--model needs a value/);
    assert.match(refusal('--resume', ''), /--resume needs a value/);
    for (const name of ['a/b', '.hidden', 'agent-a1', 'a..b', 'x.lock'])
      assert.match(refusal(`--worktree=${name}`), /--worktree takes a name of letters/);
    assert.match(refusal('--demo=yes'), /--demo takes no value/);
    assert.match(refusal('--resume', 'a', '--continue'), /exclude each other/);
    assert.match(refusal('--fork-session'), /needs a session/);
    assert.match(refusal('fix', 'the', 'bug'), /more than one prompt: "fix", "the", "bug"\. Put it in quotes/);
    assert.match(refusal('--input-format', 'stream-json', '-p'), /needs --output-format stream-json/);
    assert.match(
      refusal('--input-format', 'stream-json', '--output-format', 'stream-json', 'x'),
      /comes from standard input/,
    );
    assert.match(refusal('--include-partial-messages'), /needs --output-format stream-json/);
  });

  it('names every option in the help', () => {
    const names = [
      ...Object.keys(optionTable).filter((name) => optionOf(name as OptionName).unused === undefined),
      'output-format',
      'input-format',
      'include-partial-messages',
      'permission-mode',
      'model',
      'max-turns',
      'allowedTools',
      'disallowedTools',
      'settings',
      'add-dir',
      'agents',
      'append-system-prompt',
      'resume',
      'continue',
      'fork-session',
      'demo',
      'help',
      'version',
    ];
    for (const name of names) assert.ok(helpText.includes(`--${name}`), name);
    assert.ok(helpText.split('\n').every((line) => line.length <= 120));
  });
});
