// Compaction of a whole session: what is sent before and after, by hand, near the limit, and where the API refuses.
import assert from 'node:assert/strict';
import { type ModelRequest } from '../../../../../src/core/wire/wire';
import { compactions, summaryText } from '../../../../../src/core/sessions/compacted-log';
import { getAllBaseTools } from '../../../../../src/core/tools/registry';
import { type CompactionItem } from '../../../../../src/shared/chat';
import { safeTool, said } from '../../../../support/fake-tools';
import { commandHook, scriptedHooks } from '../../../../support/hooks';
import {
  gate,
  httpError,
  reply,
  thinking,
  toolUse,
  withFields,
  type ScriptedReply,
} from '../../../../support/messages-api/script';
import { createMemoryFiles } from '../../../../support/memory-files';
import { createScriptedModel, type ScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../../support/session-harness';
import { visibleChat } from '../../session/visible-chat';
import { featureOf } from '../../../../support/feature-of';
import { compaction } from '../../../../../src/core/features/compaction/compaction-key';

const never = new AbortController().signal;

function start(
  script: readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply),
  options: Partial<HarnessOptions> = {},
  model: ScriptedModel = createScriptedModel(script),
): { harness: Harness; model: ScriptedModel } {
  return { harness: createHarness({ model, ...options }), model };
}

const sent = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
const cards = (harness: Harness): CompactionItem[] => harness.chat().items.filter((item) => item.kind === 'compaction');
const boundaryOf = (harness: Harness): string =>
  compactions(harness.stored()).findLast(({ undone }) => !undone)?.boundary.uuid ?? assert.fail('nothing is compacted');
/** Long enough not to be kept as the last turn. */
const long = 'word '.repeat(8_000);

describe('compaction by hand', () => {
  let harness: Harness;
  let model: ScriptedModel;
  beforeEach(async () => {
    ({ harness, model } = start([
      reply(thinking('Hm.', 'sig'), toolUse('Look', { text: 'a result of long ago' })),
      reply('First answer.'),
      reply('Second answer.'),
      reply('Sum of it all.'),
      reply('Third answer.'),
    ]));
    await harness.run('Build the "exact" thing');
    await harness.run('And now this');
    assert.equal((await featureOf(harness.session, compaction).byHand('the schema', never)).kind, 'compacted');
  });
  afterEach(() => assert.deepEqual(model.violations, []));

  it('asks with the conversation, from the cache, and honours the focus', () => {
    const [before, summary] = [model.requests[2], model.requests[3]];
    assert.equal(JSON.stringify(summary?.system), JSON.stringify(before?.system));
    assert.equal(JSON.stringify(summary?.tools), JSON.stringify(before?.tools));
    const wire = (request: ModelRequest | undefined): string =>
      sent(request).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, '');
    assert.ok(wire(before).startsWith(wire(summary).slice(0, 600)));
    assert.match(sent(summary), /asks you to keep this: the schema/);
  });

  it("sends the summary, the user's words and the last turn in place of the rest", async () => {
    await harness.run('Go on');
    const last = sent(model.requests.at(-1));
    assert.ok(!last.includes('a result of long ago') && !last.includes('First answer.'));
    for (const kept of [
      'Sum of it all.',
      'Build the \\"exact\\" thing',
      'And now this',
      'Second answer.',
      '/sessions/session-1.jsonl',
      'Working directory: /w',
    ])
      assert.ok(last.includes(kept), kept);
    assert.equal(last.split('And now this').length, 2, 'what is kept is not repeated');
  });

  it('is undone: everything is sent again, byte for byte', async () => {
    const boundary = boundaryOf(harness);
    assert.ok(featureOf(harness.session, compaction).undo(boundary));
    assert.ok(!featureOf(harness.session, compaction).undo('no such'));
    assert.ok(!featureOf(harness.session, compaction).edit(boundary, 'Mine.'), 'what is undone has no summary to edit');
    await harness.run('Go on');
    const last = sent(model.requests.at(-1));
    assert.ok(last.includes('a result of long ago') && !last.includes('Sum of it all.'));
    assert.deepEqual(
      cards(harness).map(({ state, holds }) => [state, holds]),
      [['undone', false]],
    );
  });

  it("is edited: the user's summary is sent, their own messages stay", async () => {
    assert.ok(featureOf(harness.session, compaction).edit(boundaryOf(harness), 'Only this matters.'));
    await harness.run('Go on');
    const last = sent(model.requests.at(-1));
    assert.ok(
      last.includes('Only this matters.') &&
        !last.includes('Sum of it all.') &&
        last.includes('Build the \\"exact\\" thing'),
    );
    assert.equal(
      summaryText(compactions(harness.stored()).findLast(({ undone }) => !undone)?.summary ?? assert.fail()),
      'Only this matters.',
    );
  });

  it('shows a card with the tokens before and after, live and when read again, and counts what the summary took', () => {
    const [card] = cards(harness);
    assert.ok(
      card?.state === 'done' &&
        card.holds &&
        !card.automatic &&
        (card.tokensBefore ?? 0) > 0 &&
        (card.tokensAfter ?? 0) > 0,
    );
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
    assert.ok(
      harness.chat().items.some((item) => item.kind === 'text' && item.text === 'First answer.'),
      'what came before stays to read',
    );
    assert.ok(
      harness
        .stored()
        .some(
          (record) => record.type === 'system' && record.subtype === 'side_usage' && record.model === 'claude-opus-5',
        ),
    );
  });

  it('goes on from its log in a new process', async () => {
    const again = start([reply('Fourth.')], { records: harness.stored() });
    await again.harness.run('More');
    assert.deepEqual(again.model.violations, []);
    assert.ok(
      sent(again.model.requests[0]).includes('Sum of it all.') &&
        !sent(again.model.requests[0]).includes('a result of long ago'),
    );
  });
});

describe('a compaction that does not come about', () => {
  const unchanged = async (
    act: (harness: Harness) => Promise<unknown>,
    script: readonly ScriptedReply[],
    options: Partial<HarnessOptions> = {},
  ): Promise<{ harness: Harness; model: ScriptedModel; outcome: unknown }> => {
    const { harness, model } = start([reply('Answer.'), ...script], options);
    await harness.run('Hello');
    // What it took is counted, and hooks leave their steps.
    const lines = (): string[] =>
      harness.lines.filter((line) => !/"subtype":"side_usage"|^\{"type":"progress"/.test(line));
    const before = lines();
    const outcome = await act(harness);
    assert.deepEqual(lines(), before, 'the log is as it was');
    return { harness, model, outcome };
  };

  it('stopped by the user', async () => {
    const controller = new AbortController();
    const { harness, outcome } = await unchanged(
      async (one) => {
        const done = featureOf(one.session, compaction).byHand('', controller.signal);
        await one.when((event) => event.type === 'compaction');
        controller.abort(new DOMException('Stopped.', 'AbortError'));
        return done;
      },
      [reply(gate(new Promise(() => undefined)), 'Never.')],
    );
    assert.deepEqual(outcome, { kind: 'stopped' });
    assert.match(cards(harness)[0]?.message ?? '', /stopped/);
    assert.ok(!harness.session.turns.running);
  });

  it('refused by the API, declined or empty', async () => {
    for (const script of [
      [httpError(401, 'authentication_error', 'No key')],
      [withFields(reply('No.'), { stopReason: 'refusal' })],
      [reply(toolUse('Look', {}))],
    ]) {
      const { harness, outcome } = await unchanged(
        (one) => featureOf(one.session, compaction).byHand('', never),
        script,
      );
      assert.equal((outcome as { kind: string }).kind, 'failed');
      assert.match(cards(harness)[0]?.message ?? '', /^The conversation was not compacted: /);
    }
  });

  it('kept by a PreCompact hook, with its reason', async () => {
    const inputs: Record<string, unknown>[] = [];
    const hooks = scriptedHooks(
      (_hook, input) => (inputs.push(input), { exitCode: 2, stderr: 'Not before the release.' }),
    );
    const { outcome } = await unchanged((one) => featureOf(one.session, compaction).byHand('x', never), [], {
      ports: { hooks },
      session: {
        hooks: () => ({
          active: [commandHook('PreCompact', 'check', { matcher: 'manual' })],
          allowedUrls: [],
          allowedVariables: [],
          refuses: async () => undefined,
        }),
      },
    });
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: 'A hook blocked the compaction: Not before the release.',
    });
    assert.deepEqual(
      inputs.map(({ trigger, custom_instructions }) => [trigger, custom_instructions]),
      [['manual', 'x']],
    );
  });

  it('is told to hooks where it does come about', async () => {
    const events: unknown[] = [];
    const hooks = scriptedHooks(
      (_hook, { hook_event_name: event, trigger, source, compact_summary: summary }) =>
        void events.push([event, trigger ?? source, summary]),
    );
    const active = (['PostCompact', 'SessionStart'] as const).map((event) =>
      commandHook(event, 'note', { matcher: event === 'PostCompact' ? 'manual' : 'compact' }),
    );
    const { harness } = start([reply('Answer.'), reply('The sum.')], {
      ports: { hooks },
      session: { hooks: () => ({ active, allowedUrls: [], allowedVariables: [], refuses: async () => undefined }) },
    });
    await harness.run('Hello');
    await featureOf(harness.session, compaction).byHand('', never);
    assert.deepEqual(events, [
      ['PostCompact', 'manual', 'The sum.'],
      ['SessionStart', 'compact', undefined],
    ]);
  });

  it('where nothing was said', async () => {
    const { harness, model } = start([]);
    assert.deepEqual(await featureOf(harness.session, compaction).byHand('', never), {
      kind: 'failed',
      message: 'There is nothing to compact yet.',
    });
    assert.equal(model.requests.length, 0);
  });
});

describe('compaction near the limit', () => {
  const full = { usage: { input_tokens: 960_000, output_tokens: 10 } };
  /** The reply to a request for a summary says so. */
  const scripted =
    (replies: ScriptedReply[], summaries = 'The sum.') =>
    (request: ModelRequest) =>
      sent(request).includes('about to be replaced by a summary')
        ? reply(summaries)
        : (replies.shift() ?? reply('No more.'));

  it('comes before the next turn, and keeps its prompt', async () => {
    const { harness, model } = start(scripted([withFields(reply(long), full), reply('Yes.')]));
    await harness.run('One');
    assert.equal((await harness.run('Two')).reason, 'completed');
    const last = sent(model.requests.at(-1));
    assert.ok(last.includes('The sum.') && last.includes('Two') && !last.includes('word word'));
    assert.equal(cards(harness)[0]?.automatic, true);
    assert.deepEqual(model.violations, []);
  });

  it('comes between two rounds of tools, and the turn goes on', async () => {
    const { harness, model } = start(
      scripted([
        reply(toolUse('Look', { text: long })),
        withFields(reply(toolUse('Look', { text: 'again' })), full),
        reply('Done.'),
      ]),
    );
    assert.equal((await harness.run('Look twice')).reason, 'completed');
    assert.equal(model.requests.length, 4);
    assert.ok(sent(model.requests.at(-1)).includes('Look twice'), "the user's words are there");
    assert.deepEqual(model.violations, []);
  });

  it('leaves off where settings switch it off, and respects a smaller window', async () => {
    const off = start(scripted([withFields(reply(long), full), reply('Yes.')]), {
      session: { autoCompact: () => ({ enabled: false }) },
    });
    await off.harness.run('One');
    await off.harness.run('Two');
    assert.equal(off.model.requests.length, 2);
    const small = start(scripted([withFields(reply(long), { usage: { input_tokens: 70_000 } }), reply('Yes.')]), {
      session: { autoCompact: () => ({ window: 100_000 }) },
    });
    await small.harness.run('One');
    await small.harness.run('Two');
    assert.equal(small.model.requests.length, 3);
  });

  it('does not come again at once after it was undone, nor where it did not help', async () => {
    const { harness, model } = start(
      scripted([withFields(reply(long), full), withFields(reply('Yes.'), full), reply('Third.')]),
    );
    await harness.run('One');
    await harness.run('Two');
    await harness.run('Three');
    assert.equal(model.requests.length, 4, 'one summary only');
    featureOf(harness.session, compaction).undo(boundaryOf(harness));
    await harness.run('Four');
    assert.equal(model.requests.length, 5);
  });

  it('goes on without, and says so, where the summary fails', async () => {
    const { harness, model } = start(scripted([withFields(reply(long), full), reply('Yes.')], ' '));
    await harness.run('One');
    assert.equal((await harness.run('Two')).reason, 'completed');
    assert.equal(model.requests.length, 3);
    assert.equal(cards(harness)[0]?.state, 'failed');
  });
});

describe('recovery where the conversation is too long', () => {
  const answer = (request: ModelRequest, texts: ScriptedReply[]): ScriptedReply =>
    sent(request).includes('about to be replaced by a summary')
      ? reply('The sum.')
      : (texts.shift() ?? reply('No more.'));

  it('compacts once and goes on with the turn; old results are left out of what is summarised', async () => {
    let tokens = 1_000_000;
    const texts = [reply(toolUse('Look', {})), reply('So.'), reply('Went on.')];
    const model = createScriptedModel((request) => answer(request, texts), { window: () => ({ tokens }) });
    const { harness } = start([], { tools: [safeTool('Look', { call: async () => said(long) })] }, model);
    await harness.run('First');
    tokens = 9_000;
    assert.deepEqual(await harness.run('Second'), { reason: 'completed' });
    assert.deepEqual(model.violations, []);
    const [refused, whole, shortened, last] = model.requests.slice(-4).map(sent);
    assert.ok(refused?.includes('word word') && whole?.includes('word word'));
    assert.ok(shortened?.includes('result omitted') && !shortened.includes('word word'));
    assert.ok(last?.includes('The sum.') && last.includes('Second'));
    const end = harness.stored().find((record) => record.type === 'system' && record.subtype === 'compact_boundary');
    assert.ok(
      end?.type === 'system' && end.subtype === 'compact_boundary' && end.compactMetadata.trigger === 'recovery',
    );
  });

  it('asks for a shorter reply first where that is all that is too long', async () => {
    const model = createScriptedModel([reply('Short.')], { window: () => ({ tokens: 30_000, countsOutput: true }) });
    const { harness } = start([], {}, model);
    assert.deepEqual(await harness.run('Hello'), { reason: 'completed' });
    const [first, second] = model.requests;
    assert.equal(first?.max_tokens, 32_000);
    assert.ok((second?.max_tokens ?? 0) < 30_000 && (second?.max_tokens ?? 0) > 20_000);
    assert.equal(cards(harness).length, 0);
  });

  it('ends the turn with a sentence where it is too long even then', async () => {
    let tokens = 1_000_000;
    const texts = [reply('One.')];
    const model = createScriptedModel((request) => answer(request, texts), { window: () => ({ tokens }) });
    const { harness } = start([], {}, model);
    await harness.run('First');
    tokens = 100;
    const end = await harness.run('Second');
    assert.equal(end.reason, 'context_exceeded');
    assert.match(end.message ?? '', /could not be compacted: The conversation is too long to summarise\./);
    assert.equal(
      compactions(harness.stored()).findLast(({ undone }) => !undone),
      undefined,
    );
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
  });

  it('goes on where a reply was cut since the window was full, but not twice in a row', async () => {
    const cut = (): ScriptedReply => withFields(reply('So far'), { stopReason: 'model_context_window_exceeded' });
    const texts = [cut(), reply('To the end.'), cut(), cut()];
    const { harness, model } = start((request) => answer(request, texts));
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.ok(sent(model.requests.at(-1)).includes('continue where it stopped'));
    const end = await harness.run('Again');
    assert.equal(end.reason, 'context_exceeded');
    assert.match(end.message ?? '', /even after compaction/);
    assert.deepEqual(model.violations, []);
  });
});

describe('files and tasks across a compaction', () => {
  const read = (path: string, id: string) => toolUse('Read', { file_path: path }, id);

  it('attaches the files in play as they are now, and takes every other one as unread', async () => {
    const files = createMemoryFiles({
      '/w/a.txt': 'alpha\n',
      '/w/big.txt': `${'line\n'.repeat(1_500)}${'x'.repeat(60_000)}\n`,
      '/w/secret.txt': 'hidden\n',
    });
    const model = createScriptedModel([
      reply(
        read('/w/a.txt', 'r1'),
        read('/w/big.txt', 'r2'),
        toolUse(
          'TodoWrite',
          { todos: [{ content: 'Write the tests', status: 'pending', activeForm: 'Writing' }] },
          'r3',
        ),
      ),
      reply(long),
      reply('Sum.'),
      reply(
        toolUse('Edit', { file_path: '/w/a.txt', old_string: 'beta', new_string: 'gamma' }, 'e1'),
        toolUse('Edit', { file_path: '/w/big.txt', old_string: 'xxx', new_string: 'y' }, 'e2'),
      ),
      reply('Done.'),
    ]);
    const harness = createHarness({ model, files, tools: getAllBaseTools() });
    await harness.run('Read them');
    files.put('/w/a.txt', 'beta\n');
    await featureOf(harness.session, compaction).byHand('', never);
    await harness.run('Change them');
    assert.deepEqual(model.violations, []);
    const after = sent(model.requests[3]);
    assert.ok(after.includes('1\\tbeta') && after.includes('/w/big.txt') && !after.includes('2\\tline'));
    assert.ok(after.includes('- Write the tests (not started)'));
    assert.equal(files.text('/w/a.txt'), 'gamma\n');
    assert.match(sent(model.requests[4]), /e2.*[Rr]ead/);
    const again = createHarness({
      model: createScriptedModel([]),
      files,
      tools: getAllBaseTools(),
      records: harness.stored().slice(0, -8),
    });
    assert.equal(again.session.surroundings.readState.get('/w/big.txt'), undefined);
    assert.ok(again.session.surroundings.readState.get('/w/a.txt') !== undefined);
  });

  it('knows them again once it is undone', async () => {
    const model = createScriptedModel([reply(read('/w/a.txt', 'r1')), reply(long), reply('Sum.')]);
    const harness = createHarness({
      model,
      tools: [...getAllBaseTools(), safeTool('Look')],
      session: {
        permission: () => ({ rules: [], folders: [], ownFolders: [], home: '/h', ignoreCase: false, trusted: true }),
        environment: { cwd: '/elsewhere', folders: [], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      },
    });
    await harness.run('Read it');
    await featureOf(harness.session, compaction).byHand('', never);
    assert.equal(
      harness.session.surroundings.readState.get('/w/a.txt'),
      undefined,
      'what lies outside is not read again unasked',
    );
    featureOf(harness.session, compaction).undo(boundaryOf(harness));
    assert.ok(harness.session.surroundings.readState.get('/w/a.txt') !== undefined);
  });
});
