// What the user approved is what runs: the command, the folder, the text; and each decision is in the log with its reason.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import { type ApprovalDecision, type ApprovalRequest } from '../../../../src/core/ports/approver';
import { type CommandRequest, type Terminal } from '../../../../src/core/ports/terminal';
import { type SessionRecord } from '../../../../src/core/ports/record';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { editTool } from '../../../../src/core/tools/edit/edit';
import { readTool } from '../../../../src/core/tools/read/read';
import { type ToolItem } from '../../../../src/shared/chat';
import { type PermissionRule } from '../../../../src/shared/permission';
import { askingTool } from '../../../support/fake-tools';
import { createMemoryFiles } from '../../../support/memory-files';
import { reply, toolUse, type ScriptedReply } from '../../../support/messages-api/script';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { createScriptedModel } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';

interface Run extends Harness {
  readonly commands: CommandRequest[];
  readonly debugged: { message: string; detail: unknown }[];
}

interface RunOptions {
  answer?: (request: ApprovalRequest, run: Run) => ApprovalDecision;
  /** Where commands end; in the folder that they ran in where left out. */
  endsIn?: (command: string) => string | undefined;
  /** What a PreToolUse hook says. */
  before?: Record<string, unknown>;
  onEvent?: HarnessOptions['onEvent'];
  rules?: PermissionRule[];
  session?: HarnessOptions['session'];
  records?: readonly SessionRecord[];
}

function run(script: ScriptedReply[], options: RunOptions = {}): Run {
  const commands: CommandRequest[] = [];
  const debugged: Run['debugged'] = [];
  const files = createMemoryFiles({ '/w/a.txt': 'one\n', '/w/sub/b.txt': 'two\n' });
  const terminal: Terminal = {
    run: async (request) => {
      commands.push(request);
      const cwd = options.endsIn?.(request.command) ?? request.cwd;
      return {
        end: { state: 'exited', code: 0 },
        output: '',
        omittedBytes: 0,
        totalBytes: 0,
        incomplete: false,
        outputPath: '',
        cwd,
        durationMs: 1,
        survivors: [],
        notes: [],
      };
    },
    background: () => [],
    output: async () => undefined,
    moveToBackground: () => false,
    stop: async () => false,
    onBackgroundEnd: () => () => undefined,
    dispose: async () => undefined,
  };
  const log = {
    debug: (message: string, detail?: unknown) => void debugged.push({ message, detail }),
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const harness: Harness = createHarness({
    model: createScriptedModel(script, { idPrefix: options.records === undefined ? 'a' : 'b' }),
    tools: [bashTool, editTool, readTool, askingTool('Act')],
    files,
    ports: {
      terminal,
      log,
      hooks: scriptedHooks(() => ({
        stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...options.before } }),
      })),
    },
    ...defined({ onEvent: options.onEvent, records: options.records }),
    answer: (request) => options.answer?.(request, made) ?? { behavior: 'allow' },
    session: {
      ...(options.before === undefined ? {} : { hooks: () => ({ active: [commandHook('PreToolUse', 'judge')] }) }),
      permission: () => ({
        rules: options.rules ?? [],
        folders: ['/w'],
        ownFolders: ['/results'],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
      ...options.session,
    },
  });
  const made: Run = Object.assign(Object.create(harness) as Harness, { commands, debugged });
  return made;
}

const bash = (command: string): ScriptedReply => reply(toolUse('Bash', { command }));
const decisions = (made: Run) =>
  made.stored().flatMap((record) => (record.type === 'system' && record.subtype === 'decision' ? [record] : []));
const cardsOf = (made: Run, chat = made.chat()): ToolItem[] => chat.items.filter((item) => item.kind === 'tool');

describe('what was approved is what runs', () => {
  const odd = 'printf "%s\\n" "a  b" \\\n  | tee out\u202e.txt \u200b# x\u00a0y\r\n';

  it('byte for byte, however odd the command is', async () => {
    const made = run([bash(odd), reply('Done.')]);
    await made.run('Go');
    const { view } = made.approvals[0] ?? {};
    assert.equal(view?.kind === 'terminal' ? view.command : undefined, odd);
    assert.deepEqual(
      made.commands.map(({ command }) => command),
      [odd],
    );
  });

  it('also where a hook has changed it', async () => {
    const made = run([bash('make a'), reply('Done.')], { before: { updatedInput: { command: odd } } });
    await made.run('Go');
    const { view, title } = made.approvals[0] ?? {};
    assert.deepEqual([view?.kind === 'terminal' ? view.command : undefined, title], [odd, `Bash ${odd}`]);
    assert.deepEqual(
      made.commands.map(({ command }) => command),
      [odd],
    );
  });

  it('shows a command of any length whole', async () => {
    const long = `echo ${'x'.repeat(200_000)} > out`;
    const made = run([bash(long), reply('Done.')], {
      answer: (_request, { chat }) => {
        const { view } = chat().approvals[0] ?? {};
        assert.equal(view?.kind === 'terminal' ? view.command : undefined, long);
        return { behavior: 'allow' };
      },
    });
    await made.run('Go');
    assert.equal(made.commands[0]?.command, long);
  });

  it('names hidden characters in titles, and leaves the command itself alone', async () => {
    const made = run([bash('make\u202e all'), reply('Done.')], {
      answer: (_request, { chat }) => {
        const { title, view } = chat().approvals[0] ?? {};
        assert.equal(title, 'Bash make⟨U+202E⟩ all');
        assert.equal(view?.kind === 'terminal' ? view.command : undefined, 'make\u202e all');
        return { behavior: 'allow' };
      },
    });
    await made.run('Go');
    assert.equal(cardsOf(made)[0]?.sentence.past, 'Ran make⟨U+202E⟩ all');
  });

  it('shows no credential in the title that the command itself does not show', async () => {
    const made = run([bash('deploy --key hunter2-hunter2'), reply('Done.')], {
      session: { secrets: () => ['hunter2-hunter2'] },
    });
    await made.run('Go');
    assert.ok(
      !JSON.stringify({
        ...made.approvals[0],
        // Rules hold for exactly these words.
        coveredBy: undefined,
        suggestions: made.approvals[0]?.suggestions.map(({ label }) => label),
      }).includes('hunter2'),
    );
    assert.equal(made.commands[0]?.command, 'deploy --key hunter2-hunter2');
  });

  it('in the folder that was shown; another one asks again', async () => {
    const made = run([bash('cd sub'), bash('make b'), reply('Done.')], {
      endsIn: (command) => (command === 'cd sub' ? '/w/sub' : undefined),
      answer: ({ place }, { approvals, files }) => {
        if (approvals.length === 1) {
          assert.equal(place, 'Runs in /w/sub');
          // The folder is gone while the user looks: it would start in the main one.
          files.remove('/w/sub/b.txt');
          files.remove('/w/sub');
        }
        return { behavior: 'allow' };
      },
    });
    await made.run('Go');
    assert.deepEqual(
      made.approvals.map(({ place }) => place),
      ['Runs in /w/sub', undefined],
    );
    assert.match(made.approvals[1]?.reason ?? '', /changed while you were deciding/);
    assert.deepEqual(
      made.commands.map(({ cwd }) => cwd),
      ['/w', '/w'],
    );
    assert.match(JSON.stringify(made.stored()), /\/w\/sub no longer exists; the command started in \/w/);
    assert.equal(made.session.surroundings.cwd, '/w');
  });

  it('in the folder that it was judged in, wherever another call ends between the leave and the run', async () => {
    const made: Run = run([bash('make a'), reply('Done.')], {
      // The decision is reported after the last look at the folder.
      onEvent: (event) => {
        if (event.type === 'record' && event.record.type === 'system' && event.record.subtype === 'decision')
          (made.session.surroundings as { cwd: string }).cwd = '/w/sub';
      },
    });
    await made.run('Go');
    assert.deepEqual(
      made.commands.map(({ cwd }) => cwd),
      ['/w'],
    );
  });

  it('names where a link leads, and does not overwrite a file that changed after its diff was shown', async () => {
    const made = run(
      [
        reply(toolUse('Read', { file_path: '/w/a.txt' })),
        reply(toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' })),
        reply('Done.'),
      ],
      {
        answer: (_request, { files }) => {
          files.put('/w/a.txt', 'theirs one\n');
          return { behavior: 'allow' };
        },
      },
    );
    await made.run('Go');
    assert.equal(made.files.text('/w/a.txt'), 'theirs one\n');
    const linked = run(
      [
        reply(toolUse('Read', { file_path: '/w/link' })),
        reply(toolUse('Edit', { file_path: '/w/link', old_string: 'two', new_string: 'three' })),
        reply('Done.'),
      ],
      {},
    );
    linked.files.put('/w/link', { link: '/w/sub/b.txt' });
    await linked.run('Go');
    assert.deepEqual(
      linked.approvals.map(({ place }) => place),
      ['/w/link is a link to /w/sub/b.txt'],
    );
  });
});

describe('the decision on a call', () => {
  const rule = (behavior: PermissionRule['behavior'], ruleContent: string): PermissionRule => ({
    behavior,
    value: { toolName: 'Bash', ruleContent },
    source: 'projectSettings',
    root: '/w',
    file: '/w/.claude/settings.json',
  });
  const short = (made: Run): string[] => decisions(made).map(({ by, behavior, code }) => `${by} ${behavior} ${code}`);

  it('is in the log before the call runs, with the rule and its file', async () => {
    const made = run([bash('make all'), bash('rm a'), bash('ls'), reply('Done.')], {
      rules: [rule('allow', 'make:*'), rule('deny', 'rm:*')],
    });
    await made.run('Go');
    assert.deepEqual(short(made), ['rule allow rule', 'rule deny rule', 'deft allow read-only']);
    const [first] = decisions(made);
    assert.deepEqual(
      [first?.rule, first?.ruleBehavior, first?.source, first?.file],
      ['Bash(make:*)', 'allow', 'projectSettings', '/w/.claude/settings.json'],
    );
    const kinds = made.stored().flatMap((record) => (record.type === 'system' ? [record.subtype] : []));
    assert.ok(kinds.indexOf('decision') < kinds.indexOf('tool_started'));
  });

  it('says who had the last word', async () => {
    const accepted = run([bash('make a'), reply('Done.')]);
    await accepted.run('Go');
    assert.deepEqual(short(accepted), ['user allow unknown-command']);
    const rejected = run([bash('make a'), reply('Done.')], {
      answer: () => ({ behavior: 'deny', message: 'No.', interrupt: false }),
    });
    await rejected.run('Go');
    assert.deepEqual(short(rejected), ['user deny unknown-command']);
    const unasked = run([bash('make a'), reply('Done.')], {
      answer: () => ({ behavior: 'deny', message: 'Nobody is there.', interrupt: false, unasked: true }),
    });
    await unasked.run('Go');
    assert.deepEqual(
      [short(unasked), decisions(unasked)[0]?.reason],
      [['deft deny unknown-command'], 'Nobody is there.'],
    );
    for (const decision of ['allow', 'deny'] as const) {
      const hooked = run([bash('make a'), reply('Done.')], {
        before: { permissionDecision: decision, permissionDecisionReason: 'By the book.' },
      });
      await hooked.run('Go');
      assert.deepEqual(
        decisions(hooked).map(({ by, behavior, reason }) => [by, behavior, reason]),
        [['hook', decision, 'By the book.']],
      );
    }
    const mode = run(
      [
        reply(toolUse('Read', { file_path: '/w/a.txt' })),
        reply(toolUse('Edit', { file_path: '/w/a.txt', old_string: 'one', new_string: 'two' })),
        reply('Done.'),
      ],
      { session: { mode: 'acceptEdits' } },
    );
    await mode.run('Go');
    assert.deepEqual(short(mode), ['deft allow inside-workspace', 'mode allow mode']);
  });

  it('names the grant that answered while the question waited, and takes nobody’s word for one', async () => {
    const rules: PermissionRule[] = [];
    const permission = () => ({
      rules: [...rules],
      folders: ['/w'],
      ownFolders: [],
      home: '/home/ann',
      ignoreCase: false,
      trusted: true,
    });
    const made = run([bash('other'), bash('make a'), reply('Done.')], {
      answer: ({ title }) => {
        if (title === 'Bash make a') rules.push(rule('allow', 'make:*'));
        return { behavior: 'allow', covered: true };
      },
      session: { permission },
    });
    await made.run('Go');
    assert.deepEqual(short(made), ['user allow unknown-command', 'rule allow rule']);
  });

  it('holds no credential', async () => {
    const made = run([bash('hunter2-hunter2'), reply('Done.')], { session: { secrets: () => ['hunter2-hunter2'] } });
    await made.run('Go');
    assert.ok(!(decisions(made)[0]?.reason ?? '').includes('hunter2'));
  });

  it('stands on the card, live and after a reload; a line of another version does no harm', async () => {
    const made = run([bash('make a'), reply('Done.')]);
    await made.run('Go');
    const expected = { by: 'user', behavior: 'allow', code: 'unknown-command', reason: 'No rule matches `make a`.' };
    assert.deepEqual(cardsOf(made)[0]?.decision, expected);
    assert.deepEqual(cardsOf(made, made.replayed())[0]?.decision, expected);
  });

  it('names the rule’s file shortly to the user, in the question and on the card, and whole in the log', async () => {
    const file = '/home/ann/.claude/settings.json';
    const asked: string[] = [];
    const made = run([bash('make a'), reply('Done.')], {
      rules: [{ ...rule('ask', 'make:*'), source: 'userSettings', file }],
      answer: ({ reason }) => {
        asked.push(reason);
        return { behavior: 'allow' };
      },
    });
    await made.run('Go');
    const sentence = (name: string) => `The rule \`Bash(make:*)\` (${name}) asks about this.`;
    assert.deepEqual(asked, [sentence('.claude/settings.json')]);
    assert.deepEqual(
      [cardsOf(made)[0]?.decision?.reason, cardsOf(made)[0]?.decision?.file],
      [sentence('.claude/settings.json'), file],
    );
    assert.equal(decisions(made)[0]?.reason, sentence(file));
  });

  it('is explained as it was made, also once rules have changed; after a reload by the rules of now', async () => {
    const rules: PermissionRule[] = [];
    const made = run([bash('make a'), reply('Done.')], {
      session: {
        permission: () => ({
          rules: [...rules],
          folders: ['/w'],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
      },
    });
    await made.run('Go');
    rules.push(rule('deny', 'make:*'));
    const id = cardsOf(made)[0]?.id ?? '';
    const live = await made.session.permission.decisions.trace(id);
    assert.deepEqual([live?.present, live?.trace.behavior, live?.trace.code], [false, 'ask', 'unknown-command']);
    const later = run([reply('Hello.')], { records: made.stored(), rules: [rule('deny', 'make:*')] });
    const now = await later.session.permission.decisions.trace(id);
    assert.deepEqual([now?.present, now?.trace.behavior, now?.trace.code], [true, 'deny', 'rule']);
    assert.equal(await later.session.permission.decisions.trace('none'), undefined);
    assert.deepEqual(
      (await later.session.permission.decisions.calls()).map(({ call }) => call.targets[0]),
      [{ kind: 'command', command: 'make a', cwd: '/w' }],
    );
  });

  it('goes to the debug log with its trace, which nobody works out where it is not written', async () => {
    const made = run([bash('make a'), reply('Done.')]);
    await made.run('Go');
    const line = made.debugged.find(({ message }) => message.endsWith('allow by user'));
    assert.match(JSON.stringify(line?.detail), /> Otherwise \[make a\]: ask: No rule matches/);
    assert.equal(typeof (line?.detail as { toJSON?: unknown }).toJSON, 'function');
  });
});
