// Sessions of Claude Code: the conversation in the file, every call paired, and a history that can continue.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readClaudeCode } from '../../../../src/core/external-sessions/claude-code';
import { continuedRecords } from '../../../../src/core/external-sessions/continue-session';
import { type ExternalSession, missingOf } from '../../../../src/core/external-sessions/external-session';
import { createChatProjection } from '../../../../src/core/projection/chat-projection';
import { messagesFromRecords } from '../../../../src/core/sessions/messages-from-records';
import { forkRecords } from '../../../../src/core/sessions/fork-records';
import { partedWriters } from '../../../../src/core/sessions/parted-writers';
import { type SessionRecord, type UserRecord } from '../../../../src/core/ports/record';
import { createToolRegistry } from '../../../../src/core/tools/registry';
import { agentOutputSchema } from '../../../../src/core/tools/agents/agent-output';
import { bashTool } from '../../../../src/core/tools/bash/bash';
import { emptyChat, type ToolItem } from '../../../../src/shared/chat';
import { violationsOf } from '../../../support/accepted-history';
import { claudeCodeLog, said, used } from '../../../support/external-logs';

const read = (text: string): ExternalSession => readClaudeCode(text.split('\n'));
const shown = (session: ExternalSession) =>
  createChatProjection({ registry: createToolRegistry([bashTool]), folders: [] }).replay(
    emptyChat('f', 'default', 'm'),
    session.records,
  );
const spoken = (session: ExternalSession): string[] =>
  shown(session).items.flatMap((item) => (item.kind === 'user' || item.kind === 'text' ? [item.text] : []));
const card = (session: ExternalSession, id: string): ToolItem =>
  shown(session).items.find((item): item is ToolItem => item.kind === 'tool' && item.id === id) ?? assert.fail(id);

const atOnce = { pause: async () => undefined };

describe('sessions of Claude Code', () => {
  it('open with their prompts, replies and results', () => {
    const log = claudeCodeLog();
    log.raw({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} });
    log.prompt('List the files');
    log.reply(
      'm1',
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      said('I look.'),
      used('t1', 'Bash', { command: 'ls' }),
    );
    log.result('t1', 'a.txt', { output: { stdout: 'a.txt', stderr: '', interrupted: false, isImage: false } });
    log.add('attachment', { attachment: { type: 'queued_command', prompt: 'And be quick' } });
    log.reply('m2', said('One file.'));
    log.raw({ type: 'queue-operation', operation: 'enqueue', timestamp: '', sessionId: 's-1' });
    log.raw({ type: 'custom-title', customTitle: 'Files', sessionId: 's-1' });
    const session = read(log.text());
    assert.deepEqual(
      [session.source, session.id, session.cwd, session.title, session.unreadable],
      ['claude-code', 's-1', '/w', 'Files', 0],
    );
    assert.deepEqual(spoken(session), ['List the files', 'I look.', 'And be quick', 'One file.']);
    const { state, view } = card(session, 't1');
    assert.equal(state, 'done');
    assert.deepEqual(view?.kind === 'terminal' && [view.command, view.tail], ['ls', 'a.txt']);
  });

  it('are the chain of the last leaf, with the results of parallel calls that hang beside it', () => {
    const log = claudeCodeLog();
    const first = log.prompt('First');
    log.reply('m1', said('An answer that was thrown away'));
    log.prompt('Thrown away too');
    const one = log.add(
      'assistant',
      { message: { id: 'm2', role: 'assistant', model: 'x', content: [used('t1', 'Read')], stop_reason: null } },
      first,
    );
    log.reply('m2', used('t2', 'Read'));
    log.result('t2', 'two');
    const after = log.lines.at(-1)?.['uuid'] as string;
    log.result('t1', 'one', { from: one });
    log.add(
      'assistant',
      { message: { id: 'm3', role: 'assistant', model: 'x', content: [said('Both read')], stop_reason: 'end_turn' } },
      after,
    );
    const session = read(log.text());
    assert.deepEqual(spoken(session), ['First', 'Both read']);
    assert.deepEqual(session.incomplete, []);
    const messages = messagesFromRecords(session.records);
    assert.deepEqual(
      messages[2]?.content.map((block) => block.type === 'tool_result' && block.content),
      ['one', 'two'],
    );
  });

  it('go on as one chain, from whose records no opening parts the result of a parallel call', async () => {
    const log = claudeCodeLog();
    log.prompt('Read both');
    const one = log.reply('m1', used('t1', 'Read'));
    const two = log.reply('m1', used('t2', 'Read'));
    log.result('t1', 'one', { from: one });
    log.result('t2', 'two', { from: two });
    log.reply('m2', said('Both read'));
    const next = log.prompt('And now');
    log.reply('m3', said('Done'));
    const session = read(log.text());
    const records = continuedRecords(session, 'new');
    assert.deepEqual(records.map((record) => 'parentUuid' in record && record.parentUuid).slice(0, -1), [
      null,
      ...records.slice(0, -2).map((record) => 'uuid' in record && record.uuid),
    ]);
    const asLinkedBefore = records.map((record): SessionRecord =>
      'uuid' in record
        ? {
            ...record,
            parentUuid:
              session.records.flatMap((own) =>
                'uuid' in own && own.uuid === record.uuid ? [own.parentUuid] : [],
              )[0] ?? record.parentUuid,
          }
        : record,
    );
    for (const stored of [records, asLinkedBefore]) {
      const opened = await partedWriters(stored, atOnce);
      assert.equal(opened, stored);
      const results = messagesFromRecords(forkRecords(opened, 'copy', next))[2]?.content;
      assert.deepEqual(
        results?.map((block) => block.type === 'tool_result' && block.content),
        ['one', 'two'],
      );
    }
    // Two machines that both continue from there still get separate branches.
    const goesOn = (uuid: string, parentUuid: string): SessionRecord => ({
      ...(records[0] as UserRecord),
      uuid,
      parentUuid,
    });
    const torn = [
      ...asLinkedBefore,
      goesOn('a1', 'new-continued'),
      goesOn('b1', 'new-continued'),
      goesOn('a2', 'a1'),
      goesOn('b2', 'b1'),
    ];
    assert.deepEqual(
      (await partedWriters(torn, atOnce)).slice(records.length).map((record) => 'uuid' in record && record.uuid),
      ['a1', 'a2', 'b1', 'b2'],
    );
  });

  it('show agents whose lines are between theirs at the calls that started them, and count what belongs to none', () => {
    const log = claudeCodeLog();
    log.prompt('Look around');
    const call = log.reply(
      'm1',
      used('t1', 'Task', { prompt: 'Find the parser.', description: 'Find it', subagent_type: 'Explore' }),
      used('t2', 'Task', { prompt: 'Count the tests.', description: 'Count' }),
    );
    // Two agents at once: their lines are mixed.
    const inside = (parent: string | null, type: 'user' | 'assistant', content: unknown): string =>
      log.add(type, { isSidechain: true, message: { role: type, content, usage: { input_tokens: 40 } } }, parent);
    const one = inside(null, 'user', 'Find the parser.');
    const two = inside(null, 'user', [said('Count the tests.')]);
    const oneA = inside(one, 'assistant', [used('x1', 'Grep', { pattern: 'parse\\w+' })]);
    const twoA = inside(two, 'assistant', [used('y1', 'Bash', { command: 'npm test\n--silent' }), used('y2', 'Odd')]);
    const oneB = inside(oneA, 'user', [{ type: 'tool_result', tool_use_id: 'x1', content: 'src/p.ts' }]);
    inside(oneB, 'assistant', [said('It is in src/p.ts.')]);
    inside(twoA, 'assistant', 'Seven.');
    inside(inside(null, 'user', 'Warmup'), 'assistant', [said('Warm.')]);
    log.result('t2', [said('Seven.')], { from: call });
    log.result('t1', [said('It is in src/p.ts.')], { from: call });
    log.add('user', { message: { role: 'user', content: { strange: true } } });
    const session = read(log.text());
    const outputs = session.records.flatMap((record) =>
      record.type === 'user' && record.toolUseResult !== undefined ? [record.toolUseResult] : [],
    );
    const agent = { status: 'completed', agentId: '', totalTokens: 40 };
    assert.deepEqual(outputs, [
      {
        ...agent,
        agentType: 'general-purpose',
        description: 'Count',
        content: 'Seven.',
        steps: ['Bash: npm test --silent', 'Odd'],
        totalToolUseCount: 2,
        totalDurationMs: 300_000,
      },
      {
        ...agent,
        agentType: 'Explore',
        description: 'Find it',
        content: 'It is in src/p.ts.',
        steps: ['Grep: parse\\w+'],
        totalToolUseCount: 1,
        totalDurationMs: 300_000,
      },
    ]);
    for (const output of outputs) assert.equal(agentOutputSchema.safeParse(output).success, true);
    assert.deepEqual(missingOf(session), [
      '1 line of it cannot be read.',
      '2 messages of agents belong to no call in it and are not shown.',
    ]);
    assert.deepEqual(
      messagesFromRecords(continuedRecords(session, 'new')).flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
      ),
      ['t1', 't2'],
    );
  });

  it('take lines without links or times as they stand', () => {
    const log = claudeCodeLog();
    log.raw({ type: 'user', message: { role: 'user', content: 'Plain' } });
    log.raw({
      type: 'assistant',
      isSidechain: true,
      message: { id: 'x', role: 'assistant', content: [said('inside')] },
    });
    log.raw({ type: 'assistant', message: { role: 'assistant', content: 'As a string' } });
    log.raw({ type: 'user', message: {} });
    assert.deepEqual(spoken(read(log.text())), ['Plain', 'As a string']);
    assert.deepEqual(missingOf(read(log.text())), [
      '1 line of it cannot be read.',
      '1 message of an agent belongs to no call in it and is not shown.',
    ]);
  });

  it('show what came before a compaction and go on from its summary', () => {
    const log = claudeCodeLog();
    log.prompt('Long ago');
    const last = log.reply('m1', said('Old answer'));
    log.add(
      'system',
      { subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: last },
      null,
    );
    log.add('user', { isCompactSummary: true, message: { role: 'user', content: 'What was: much.' } });
    log.reply('m2', said('New answer'));
    const session = read(log.text());
    assert.deepEqual(spoken(session), ['Long ago', 'Old answer', 'What was: much.', 'New answer']);
    const texts = messagesFromRecords(continuedRecords(session, 'new')).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    );
    assert.deepEqual(texts, ['What was: much.', 'New answer']);
  });

  it('name each of the four causes of a missing result, and never show one as done', () => {
    const log = claudeCodeLog();
    log.prompt('Do');
    log.reply(
      'm1',
      used('stopped', 'Bash', { command: 'a' }),
      used('hooked', 'Bash', { command: 'b' }),
      used('denied', 'Bash', { command: 'c' }),
      used('slow', 'Bash', { command: 'd' }),
    );
    log.add('attachment', {
      attachment: { type: 'hook_blocking_error', hookName: 'PreToolUse:Bash', toolUseID: 'hooked' },
    });
    log.add('system', { subtype: 'permission_denied', toolUseID: 'denied', content: '' });
    log.add('progress', { data: { type: 'bash_progress', toolUseID: 'slow', message: 'Command timed out after 2m' } });
    log.reply(
      'm2',
      used('hooked2', 'Edit'),
      used('denied2', 'Edit'),
      used('slow2', 'Bash'),
      used('stopped2', 'Bash'),
      used('failed', 'Bash'),
    );
    log.result('hooked2', 'PreToolUse:Edit hook error: blocked', { error: true });
    log.result('denied2', "The user doesn't want to proceed with this tool use. The tool use was rejected.", {
      error: true,
    });
    log.result('slow2', 'Command timed out after 2m 0.0s', { error: true });
    log.result('stopped2', '[Request interrupted by user for tool use]', { error: true });
    log.result('failed', 'Exit code 1\n  2 tests timed out, permission denied for 3', { error: true });
    const session = read(log.text());
    const causes = Object.fromEntries(session.incomplete.map(({ toolUseId, cause }) => [toolUseId, cause]));
    assert.deepEqual(causes, {
      stopped: 'session interrupted',
      hooked: 'hook blocked',
      denied: 'permission denied',
      slow: 'tool timeout',
      hooked2: 'hook blocked',
      denied2: 'permission denied',
      slow2: 'tool timeout',
      stopped2: 'session interrupted',
    });
    const states = ['stopped', 'hooked', 'denied', 'slow', 'hooked2', 'denied2', 'slow2', 'stopped2', 'failed'].map(
      (id) => card(session, id).state,
    );
    assert.deepEqual(states, [
      'stopped',
      'denied',
      'denied',
      'failed',
      'denied',
      'denied',
      'failed',
      'stopped',
      'failed',
    ]);
    assert.match(card(session, 'hooked').message ?? '', /^Incomplete: a hook blocked/);
  });

  it('give the id of an agent apart from what it answered', () => {
    const log = claudeCodeLog();
    log.prompt('Go');
    log.reply('m1', used('t1', 'Task', { prompt: 'x' }), used('t2', 'Agent'));
    log.result('t1', [
      said('Found it.'),
      said('agentId: a1b2 (use it to go on)\n<usage>total_tokens: 9\ntool_uses: 1</usage>'),
    ]);
    log.result('t2', 'Nothing.\nagentId: c3d4');
    const session = read(log.text());
    assert.deepEqual(session.agents, [
      { toolUseId: 't1', agentId: 'a1b2' },
      { toolUseId: 't2', agentId: 'c3d4' },
    ]);
    assert.deepEqual(
      [card(session, 't1').view, card(session, 't2').view],
      [
        { kind: 'json', text: 'Found it.' },
        { kind: 'json', text: 'Nothing.' },
      ],
    );
  });

  it('show commands by their names and hide what the program put in', () => {
    const log = claudeCodeLog();
    log.prompt(
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>src</command-args>',
    );
    log.prompt('<local-command-stdout>Set.</local-command-stdout>');
    log.prompt('Fix it\n<system-reminder>Be nice.</system-reminder>');
    assert.deepEqual(spoken(read(log.text())), ['/review src', 'Fix it']);
  });

  it('go on without thinking, without grants, and without anything that counts as read or running', () => {
    const log = claudeCodeLog();
    log.prompt('Look');
    log.reply(
      'm1',
      { type: 'thinking', thinking: 'Hm.', signature: 'of another' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      used('t1', 'mcp__a.b__c d', {}),
    );
    log.result(
      't1',
      [
        { type: 'tool_reference', tool_name: 'x' },
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
          cache_control: { type: 'ephemeral' },
        },
      ],
      {
        output: {
          filePath: '/w/a',
          hash: 'h',
          state: 'background',
          backgroundTaskId: 'b',
          outputPath: '/etc/passwd',
          stdout: '',
        },
      },
    );
    log.add('user', { message: { role: 'user', content: 'Here' }, attachedFiles: [{ filePath: '/w/b', hash: 'h' }] });
    log.add('system', {
      subtype: 'permission_update',
      update: { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    });
    log.add('system', { subtype: 'setting', name: 'mode', value: 'bypassPermissions' });
    log.reply('m2', said('Done.'));
    const records = continuedRecords(read(log.text()), 'new');
    assert.deepEqual([...new Set(records.map(({ type }) => type))], ['user', 'assistant', 'ai-title', 'system']);
    assert.deepEqual(
      records.flatMap((record) => (record.type === 'system' ? [record.subtype] : [])),
      ['turn_end'],
    );
    assert.deepEqual(
      records.flatMap((record) =>
        record.type === 'assistant' ? record.message.content.map((block) => block.type) : [],
      ),
      ['tool_use', 'text'],
    );
    assert.doesNotMatch(JSON.stringify(records), /passwd|background|"hash"|cache_control/);
    assert.match(JSON.stringify(messagesFromRecords(records)), /"data":"aGk="/);
    assert.deepEqual(violationsOf(records), []);
  });

  it('go on with an error that has no words, which the API would refuse', () => {
    for (const content of ['', []]) {
      const log = claudeCodeLog();
      log.prompt('Go');
      log.reply('m1', used('t1', 'Bash', { command: 'false' }));
      log.add('user', {
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content, is_error: true }] },
      });
      log.reply('m2', said('It failed.'));
      const records = continuedRecords(read(log.text()), 'new');
      assert.ok(JSON.stringify(records).includes('"is_error":true'));
      assert.deepEqual(violationsOf(records), []);
    }
  });

  it('open from any prefix, with any torn tail and in any order of lines, to a history that the API accepts', function () {
    this.timeout(60_000);
    const property = fc.property(
      fc.array(fc.constantFrom(...steps), { maxLength: 25 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      (kinds, cut, shuffled) => {
        const log = logOf(kinds);
        const whole = shuffled
          ? [...log.lines]
              .reverse()
              .map((line) => JSON.stringify(line))
              .join('\n')
          : log.text();
        const session = read(whole.slice(0, Math.round(whole.length * cut)));
        const records = continuedRecords(session, 'new');
        assert.deepEqual(violationsOf(records), []);
        const results = new Set(
          session.records.flatMap((record) =>
            (record.type === 'user' && typeof record.message.content !== 'string'
              ? record.message.content
              : []
            ).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
          ),
        );
        for (const record of session.records)
          if (record.type === 'assistant')
            for (const block of record.message.content)
              if (block.type === 'tool_use') assert.ok(results.has(block.id), block.id);
        shown(session);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});

const steps = ['prompt', 'reply', 'call', 'calls', 'result', 'junk', 'branch', 'thought', 'boundary', 'again'] as const;

/** A log of such steps, in whatever order: results without calls, branches, lines of other shapes. */
function logOf(kinds: readonly (typeof steps)[number][]): ReturnType<typeof claudeCodeLog> {
  const log = claudeCodeLog();
  let calls = 0;
  const write: Record<(typeof steps)[number], (at: number) => void> = {
    prompt: (at) => void log.prompt(`Prompt ${at} é👍`),
    reply: (at) => void log.reply(`m${at}`, said(at % 3 === 0 ? ' ' : `Reply ${at}`)),
    thought: (at) => void log.reply(`m${at}`, { type: 'thinking', thinking: 't' }, said('After')),
    call: (at) => void log.reply(`m${at}`, used(`t${++calls}`, 'Bash', { command: 'ls' })),
    calls: (at) =>
      void log.reply(`m${at}`, said('Two'), used(`t${++calls}`, 'Read'), used(`t${++calls}`, 'Un known.tool')),
    again: (at) => void log.reply(`m${at}`, used(`t${calls}`, 'Bash')),
    result: (at) => void log.result(`t${calls - (at % 2)}`, at % 3 === 0 ? [] : 'out', { error: at % 5 === 0 }),
    junk: (at) =>
      void log.raw({ type: 'user', message: at % 2 === 0 ? null : { content: [{ type: 'odd' }, 7, null] }, uuid: at }),
    boundary: () =>
      void log.add(
        'system',
        { subtype: 'compact_boundary', logicalParentUuid: log.lines.at(-1)?.['uuid'] ?? null },
        null,
      ),
    branch: (at) =>
      void log.prompt(`Branch ${at}`, (log.lines[Math.floor(at / 2)]?.['uuid'] as string | undefined) ?? null),
  };
  for (const [at, kind] of kinds.entries()) write[kind](at);
  return log;
}
