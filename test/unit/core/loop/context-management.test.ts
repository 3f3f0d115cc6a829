// What the API may do against a long conversation: what it is asked, what counts as read behind it, and its summaries as the session's own.
import assert from 'node:assert/strict';
import { type ModelRequest } from '../../../../src/core/wire/wire';
import { type ContextManagement } from '../../../../src/core/wire/context-edits';
import { compactions, summaryText } from '../../../../src/core/sessions/compacted-log';
import { getAllBaseTools } from '../../../../src/core/tools/registry';
import { commandHook, scriptedHooks } from '../../../support/hooks';
import { applyEdits } from '../../../support/messages-api/context-management';
import {
  compaction,
  reply,
  type ScriptedReply,
  thinking,
  toolUse,
  withFields,
} from '../../../support/messages-api/script';
import { createMemoryFiles } from '../../../support/memory-files';
import { createScriptedModel, type ScriptedModel, type ScriptedModelOptions } from '../../../support/scripted-model';
import { createHarness, type Harness, type HarnessOptions } from '../../../support/session-harness';
import { visibleChat } from '../session/visible-chat';
import { featureOf } from '../../../support/feature-of';
import { compaction as compactionFeature } from '../../../../src/core/features/compaction/compaction-key';

type Script = readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply);

const never = new AbortController().signal;
const edits = (request: ModelRequest | undefined) => request?.context_management?.edits ?? [];
const sent = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);

function start(
  mode: ContextManagement,
  script: Script,
  options: Partial<HarnessOptions> = {},
  model: ScriptedModelOptions = { provider: 'anthropic' },
): { harness: Harness; model: ScriptedModel } {
  const scripted = createScriptedModel(script, model);
  return {
    harness: createHarness({
      model: scripted,
      ...options,
      session: { contextManagement: () => mode, ...options.session },
    }),
    model: scripted,
  };
}

describe('context management by the API', () => {
  it('is asked for only where it is chosen and offered', async () => {
    for (const [mode, provider, expected] of [
      ['default', 'anthropic', []],
      ['clear', 'anthropic', ['clear_thinking_20251015', 'clear_tool_uses_20250919']],
      ['compact', 'anthropic', ['compact_20260112']],
      ['clear', 'gateway', []],
      ['compact', 'gateway', []],
    ] as const) {
      const { harness, model } = start(mode, [reply('Yes.')], {}, { provider });
      await harness.run('Hello');
      assert.deepEqual(
        edits(model.requests[0]).map(({ type }) => type),
        expected,
        `${mode} at ${provider}`,
      );
      assert.deepEqual(model.violations, []);
      assert.equal((model.requests[0]?.betas ?? []).length, expected.length === 0 ? 0 : 1);
    }
  });

  it('leaves thinking alone where there is none, and keeps all of it before anything is cleared', async () => {
    const without = start('clear', [reply('Yes.')], { session: { maxThinkingTokens: 0 } });
    await without.harness.run('Hello');
    assert.deepEqual(
      edits(without.model.requests[0]).map(({ type }) => type),
      ['clear_tool_uses_20250919'],
    );
    const { harness, model } = start('clear', [
      withFields(reply('Yes.'), { usage: { input_tokens: 700_000 } }),
      reply('More.'),
    ]);
    await harness.run('Hello');
    await harness.run('Again');
    const keeps = model.requests.map((request) =>
      edits(request).flatMap((edit) => (edit.type === 'clear_thinking_20251015' ? [edit.keep] : [])),
    );
    assert.deepEqual(keeps, [['all'], [{ type: 'thinking_turns', value: 8 }]]);
    assert.deepEqual(model.violations, []);
  });

  it('clears long before Deft compacts, by the window that settings leave, and never for next to nothing', async () => {
    const { harness, model } = start('clear', [reply('Yes.')], {
      tools: getAllBaseTools(),
      session: { autoCompact: () => ({ window: 113_000 }) },
    });
    await harness.run('Hello');
    const edit = edits(model.requests[0]).find(({ type }) => type === 'clear_tool_uses_20250919');
    assert.ok(edit?.type === 'clear_tool_uses_20250919');
    assert.equal(edit.trigger?.value, Math.floor((113_000 - 28_250 - 13_000) / 2));
    assert.equal(edit.clear_at_least?.value, 10_000);
    assert.ok(
      ['TodoWrite', 'AskUserQuestion', 'Skill', 'ExitPlanMode'].every((name) => edit.exclude_tools?.includes(name)),
    );
    assert.equal(edit.exclude_tools?.includes('Read'), false);
    const sent = model.requests[0]?.tools?.map(({ name }) => name) ?? [];
    assert.deepEqual(
      edit.exclude_tools?.filter((name) => !sent.includes(name)),
      [],
      'only tools that the request has',
    );
  });
});

describe('results that the API has cleared', () => {
  const read = (path: string, id: string) => toolUse('Read', { file_path: path }, id);
  const full = { usage: { input_tokens: 600_000, output_tokens: 10 } };
  const files = () =>
    createMemoryFiles(
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/w/f${index}.txt`, `text ${index}\n`])),
    );
  const reads = Array.from({ length: 12 }, (_, index) => read(`/w/f${index}.txt`, `r${index}`));
  const edit = (index: number) =>
    toolUse('Edit', { file_path: `/w/f${index}.txt`, old_string: `text ${index}`, new_string: 'changed' }, `e${index}`);

  async function cleared(): Promise<{ harness: Harness; model: ScriptedModel }> {
    const replies = [withFields(reply(...reads), full), reply(edit(0), edit(11)), reply('Done.')];
    const { harness, model } = start(
      'clear',
      (request, index) => {
        const next = replies[index] ?? reply('No more.');
        const applied = applyEdits(request);
        return next.kind !== 'reply' || applied === undefined || index === 0
          ? next
          : withFields(next, { contextManagement: applied });
      },
      { files: files(), tools: getAllBaseTools() },
    );
    await harness.run('Read them, then change the first and the last');
    return { harness, model };
  }

  it('count as unread in the very reply whose request they were cleared from', async () => {
    const { harness, model } = await cleared();
    assert.deepEqual(model.violations, []);
    assert.equal(harness.files.text('/w/f11.txt'), 'changed\n');
    assert.equal(harness.files.text('/w/f0.txt'), 'text 0\n', 'its text was no longer before the model');
    assert.match(sent(model.requests[2]), /e0.{0,80}[Rr]ead/);
  });

  it('are in the log, as far as the last call, and count as unread in a new process too', async () => {
    const { harness } = await cleared();
    const ends = harness
      .stored()
      .flatMap((record) => (record.type === 'system' && record.subtype === 'reply_end' ? [record] : []));
    assert.deepEqual(
      ends.map((end) => [end.cleared?.toolUses, end.cleared?.through]),
      [
        [undefined, undefined],
        [4, 'r3'],
        [6, 'r5'],
      ],
    );
    const again = createHarness({
      model: createScriptedModel([]),
      files: harness.files,
      tools: getAllBaseTools(),
      records: harness.stored(),
    });
    const state = again.session.surroundings.readState;
    assert.deepEqual(
      [0, 3, 5, 6, 11].map((index) => state.get(`/w/f${index}.txt`) !== undefined),
      [false, false, false, true, true],
    );
  });

  it('are told in a quiet line, once for each time that more went, live and when read again', async () => {
    const { harness } = await cleared();
    const lines = harness
      .chat()
      .items.flatMap((item) => (item.kind === 'notice' && item.quiet === true ? [item.title] : []));
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /^The API cleared 4 old results, about \d+ tokens\.$/);
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
  });
});

describe('a compaction by the API', () => {
  const iteration = {
    type: 'compaction',
    input_tokens: 180_000,
    output_tokens: 3_500,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const pause = (summary: string | null): ScriptedReply =>
    withFields(reply(compaction(summary)), {
      stopReason: 'compaction',
      usage: { input_tokens: 0, output_tokens: 0, iterations: [iteration] },
    });
  const long = 'word '.repeat(8_000);

  async function compacted(more: readonly ScriptedReply[] = []): Promise<{ harness: Harness; model: ScriptedModel }> {
    const { harness, model } = start('compact', [
      reply(thinking('Hm.', 'sig'), toolUse('Look', { text: long })),
      pause('What the API kept.'),
      reply('Done.'),
      ...more,
    ]);
    assert.deepEqual(await harness.run('Build the "exact" thing'), { reason: 'completed' });
    return { harness, model };
  }

  it("goes back byte for byte, with the user's words behind it, and nothing from before", async () => {
    const { model } = await compacted();
    assert.deepEqual(model.violations, []);
    const [first, second] = model.requests[2]?.messages ?? [];
    assert.deepEqual(first, {
      role: 'assistant',
      content: [{ type: 'compaction', content: 'What the API kept.', encrypted_content: 'opaque' }],
    });
    assert.ok(second?.role === 'user' && JSON.stringify(second).includes('Build the \\"exact\\" thing'));
    assert.ok(!JSON.stringify(second).includes('What the API kept.'), 'the summary is said once');
    assert.ok(!sent(model.requests[2]).includes('word word'));
  });

  it('is a card like any other: its summary can be read, rewritten and undone, and its cost is counted', async () => {
    const { harness, model } = await compacted([reply('With mine.'), reply('With all.')]);
    const card = harness.chat().items.find((item) => item.kind === 'compaction');
    assert.ok(card?.kind === 'compaction' && card.state === 'done' && card.automatic && card.holds);
    const [one] = compactions(harness.stored());
    assert.equal(one && summaryText(one.summary), 'What the API kept.');
    assert.ok(
      harness
        .stored()
        .some(
          (record) =>
            record.type === 'system' && record.subtype === 'side_usage' && record.usage.output_tokens === 3_500,
        ),
    );
    assert.ok(featureOf(harness.session, compactionFeature).edit(card.id, 'Only this.'));
    await harness.run('Go on');
    assert.ok(
      sent(model.requests.at(-1)).includes('Only this.') && !sent(model.requests.at(-1)).includes('"compaction"'),
    );
    assert.ok(featureOf(harness.session, compactionFeature).undo(card.id));
    await harness.run('Go on again');
    assert.ok(
      sent(model.requests.at(-1)).includes('word word') && !sent(model.requests.at(-1)).includes('"compaction"'),
    );
    assert.deepEqual(model.violations, []);
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
  });

  it('goes on from its log: with its block at the API that wrote it, with its text elsewhere', async () => {
    const { harness } = await compacted();
    const elsewhere = start('compact', [reply('Yes.')], { records: harness.stored() }, { provider: 'gateway' });
    await elsewhere.harness.run('More');
    assert.deepEqual(elsewhere.model.violations, []);
    assert.ok(
      sent(elsewhere.model.requests[0]).includes('What the API kept.') &&
        !sent(elsewhere.model.requests[0]).includes('"compaction"'),
    );
    const off = start('default', [reply('Yes.')], { records: harness.stored() });
    await off.harness.run('More');
    assert.deepEqual([off.model.violations, edits(off.model.requests[0])], [[], []]);
  });

  it('that wrote nothing, or that a hook keeps away, leaves the conversation as it was, and is not asked for again in the turn', async () => {
    const hooks = scriptedHooks(() => ({ exitCode: 2, stderr: 'Not now.' }));
    const kept = {
      ports: { hooks },
      session: {
        hooks: () => ({
          active: [commandHook('PreCompact', 'check', {})],
          allowedUrls: [],
          allowedVariables: [],
          refuses: async () => undefined,
        }),
      },
    };
    for (const [summary, options] of [
      [null, {}],
      ['Something.', kept],
    ] as const) {
      const { harness, model } = start('compact', [reply('One.'), pause(summary), reply('Two.')], options);
      await harness.run('First');
      assert.deepEqual(await harness.run('Second'), { reason: 'completed' });
      assert.deepEqual(model.violations, []);
      assert.deepEqual(
        model.requests.map((request) => edits(request).length),
        [1, 1, 0],
      );
      assert.ok(sent(model.requests[2]).includes('One.'));
      assert.deepEqual(compactions(harness.stored()), []);
    }
  });

  it('that does not help comes twice at most', async () => {
    const { harness, model } = start('compact', [reply('One.'), pause('A.'), pause('B.'), reply('Two.')]);
    await harness.run('First');
    assert.deepEqual(await harness.run('Second'), { reason: 'completed' });
    assert.deepEqual(
      model.requests.map((request) => edits(request).length),
      [1, 1, 1, 0],
    );
    assert.deepEqual(model.violations, []);
  });

  it("stands in Deft's stead near the limit, while compacting by hand and the recovery stay Deft's own", async () => {
    let tokens = 1_000_000;
    const script = (request: ModelRequest): ScriptedReply =>
      sent(request).includes('about to be replaced by a summary')
        ? reply('The sum.')
        : withFields(reply(long), { usage: { input_tokens: 970_000 } });
    const { harness, model } = start('compact', script, {}, { provider: 'anthropic', window: () => ({ tokens }) });
    await harness.run('One');
    await harness.run('Two');
    assert.equal(model.requests.length, 2, 'Deft asks for no summary');
    tokens = 12_000;
    assert.equal((await harness.run('Three')).reason, 'completed');
    assert.deepEqual(
      compactions(harness.stored()).map(({ boundary }) => [boundary.compactMetadata.trigger, boundary.apiReply]),
      [['recovery', undefined]],
    );
    tokens = 1_000_000;
    assert.equal((await featureOf(harness.session, compactionFeature).byHand('', never)).kind, 'compacted');
    assert.ok(
      model.requests
        .filter((request) => sent(request).includes('about to be replaced by a summary'))
        .every((request) => edits(request).length === 0),
    );
  });
});
