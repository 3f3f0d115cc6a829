// A check that the user runs from a ledger: through the same rules as any call, into the log, and told to the model with its next request.
import assert from 'node:assert/strict';
import { proof } from '../../../../../src/core/features/proof/proof-key';
import { exportMarkdown } from '../../../../../src/core/projection/export-markdown';
import { type EditorTask } from '../../../../../src/core/ports/editor-tasks';
import { type CommandRequest, type Terminal } from '../../../../../src/core/ports/terminal';
import { getAllBaseTools } from '../../../../../src/core/tools/registry';
import { type LedgerItem } from '../../../../../src/shared/chat';
import { ledgerLine } from '../../../../../src/shared/ledger-words';
import { featureOf } from '../../../../support/feature-of';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createMemoryFiles } from '../../../../support/memory-files';
import { createScriptedModel } from '../../../../support/scripted-model';
import { createHarness, type HarnessOptions } from '../../../../support/session-harness';
import { visibleChat } from '../../session/visible-chat';

const signal = new AbortController().signal;

function start(options: Partial<HarnessOptions> = {}) {
  const ran: string[] = [];
  const terminal: Terminal = {
    run: async (request: CommandRequest, onProgress) => {
      ran.push(`${request.cwd} ${request.command}`);
      onProgress({ tail: 'x', bytes: 1, durationMs: 1 });
      return {
        end: { state: 'exited', code: 0 },
        output: 'Tests:       41 passed, 41 total\n',
        omittedBytes: 0,
        totalBytes: 10,
        incomplete: false,
        outputPath: '/results/out',
        cwd: request.cwd,
        durationMs: 7,
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
  const model = createScriptedModel([
    reply(toolUse('Read', { file_path: '/w/a.ts' }, 'r1')),
    reply(toolUse('Bash', { command: 'npm test' }, 't1')),
    reply(toolUse('Edit', { file_path: '/w/a.ts', old_string: 'one', new_string: 'two' }, 'e1')),
    reply('Done. All tests pass.'),
    reply('Good.'),
  ]);
  const harness = createHarness({
    model,
    tools: getAllBaseTools(),
    files: createMemoryFiles({ '/w/a.ts': 'one\n' }),
    ...options,
    ports: { terminal, ...options.ports },
  });
  const card = (): LedgerItem | undefined =>
    harness.chat().items.find((item): item is LedgerItem => item.kind === 'ledger');
  const line = (): string => {
    const item = card();
    return item === undefined ? '' : ledgerLine(item.ledger);
  };
  return { harness, model, ran, card, line };
}

describe('proof of a turn', () => {
  it('is a card and marks, live as from the log; a check that runs again is the user’s own, and the next request tells of it', async () => {
    const { harness, model, ran, card, line } = start();
    await harness.run('Fix it');
    assert.match(line(), /^1 file changed · 41 tests passed before the last edit · tests not run since the last edit/);
    const said = harness.chat().items.find((item) => item.kind === 'text');
    assert.deepEqual(said?.kind === 'text' && said.marks, [
      { quote: 'All tests pass.', reason: 'No test ran after the last edit of a.ts.' },
    ]);
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
    const markdown = exportMarkdown(harness.session.records, { title: 'T' });
    assert.match(markdown, /All tests pass\.\[\^proof-1\]/);
    assert.match(
      markdown,
      /\[\^proof-1\]: The session does not bear this out\. No test ran after the last edit of a\.ts\./,
    );
    assert.match(markdown, /<summary>Proof: 1 file changed · 41 tests passed before/);

    const began: string[] = [];
    const asked = harness.approvals.length;
    const row = card()?.ledger.checks[0]?.id ?? '';
    assert.equal(
      await featureOf(harness.session, proof).run({ of: { toolUseId: row }, signal, began: (id) => began.push(id) }),
      undefined,
    );
    assert.deepEqual(ran, ['/w npm test', '/w npm test']);
    assert.equal(began.length, 1);
    assert.equal(harness.approvals.length, asked + 1, 'it goes through the same front door');
    assert.equal(
      line(),
      '1 file changed · 41 tests passed after the last edit · types not checked · 1 claim without proof',
    );
    assert.deepEqual(visibleChat(harness.replayed()), visibleChat(harness.chat()));
    await harness.run('Go on');
    assert.match(
      JSON.stringify(model.requests.at(-1)?.messages.at(-1)),
      /The user has run this again by themselves: npm test/,
    );
    assert.deepEqual(model.violations, []);
  });

  it('runs nothing that the user rejects, nor what is not in the log', async () => {
    let rejects = false;
    const { harness, ran, card } = start({
      answer: () => (rejects ? { behavior: 'deny', interrupt: true } : { behavior: 'allow' }),
    });
    await harness.run('Fix it');
    rejects = true;
    const run = featureOf(harness.session, proof);
    const row = card()?.ledger.checks[0]?.id ?? '';
    assert.match((await run.run({ of: { toolUseId: row }, signal })) ?? '', /rejected/);
    assert.equal(await run.run({ of: { toolUseId: 'none' }, signal }), 'The session no longer has this call.');
    assert.equal(ran.length, 1);
  });

  it('runs what `verify` asks for in the first folder', async () => {
    const { harness, ran } = start();
    await harness.run('Fix it');
    assert.equal(await featureOf(harness.session, proof).run({ of: { run: 'npm run lint' }, signal }), undefined);
    assert.equal(ran.at(-1), '/w npm run lint');
  });

  it('runs a task that `verify` names in the editor, asked about like any other, and the ledger counts it', async () => {
    const tasks: string[] = [];
    const lint: EditorTask = {
      ...{ name: 'npm: lint', source: 'npm', command: 'npm run lint', background: false },
      ...{ before: [], definition: 'npm: lint' },
    };
    const { harness, line } = start({
      ports: {
        editorTasks: {
          list: async () => [lint],
          run: async ({ name }) => (tasks.push(name), { end: { state: 'ended', code: 1 }, problems: [], unchanged: 0 }),
          stop: async () => false,
        },
      },
    });
    await harness.run('Fix it');
    const asked = harness.approvals.length;
    const { run } = featureOf(harness.session, proof);
    assert.equal(await run({ of: { task: 'npm: lint' }, signal }), undefined);
    assert.deepEqual(tasks, ['npm: lint']);
    assert.equal(harness.approvals.length, asked + 1);
    assert.match(line(), /lint failed/);
    assert.match((await run({ of: { task: 'none' }, signal })) ?? '', /no task/i);
    assert.deepEqual(tasks, ['npm: lint']);
  });
});
