// The status line: what its command gets, when it runs, and what of its output is shown.
import assert from 'node:assert/strict';
import { setImmediate as nextTask } from 'node:timers/promises';
import { statusInput } from '../../../../src/core/status-line/status-input';
import { createStatusRefresh, statusPauseMs, statusTimeoutMs } from '../../../../src/core/status-line/status-refresh';
import { statusText } from '../../../../src/core/status-line/status-text';
import { createNodeHookHandlers } from '../../../../src/node/hooks/node-hook-handlers';
import { emptyUsage } from '../../../../src/shared/chat';
import { createManualClock } from '../../../support/manual-clock';

describe('the input of a status line', () => {
  it('says how the session stands, by the names that scripts know', () => {
    const records = [100, 250].map(
      (durationMs) => ({ type: 'system', subtype: 'turn_end', reason: 'completed', durationMs }) as never,
    );
    const input = statusInput({
      sessionId: 's1',
      transcript: '/t.jsonl',
      cwd: '/w/a',
      folders: ['/w'],
      added: ['/lib'],
      model: 'claude-opus-5',
      effort: 'high',
      mode: 'default',
      fast: false,
      style: 'Default',
      version: '1.0.0',
      records,
      chat: {
        title: 'Dates',
        usage: { ...emptyUsage, contextTokens: 250_000, contextWindow: 1_000_000, costUsd: 0.5 },
        changes: [
          { path: 'a', added: 3, removed: 1 },
          { path: 'b', added: 1, removed: 0 },
        ],
      },
    });
    assert.deepEqual(input, {
      hook_event_name: 'Status',
      session_id: 's1',
      session_name: 'Dates',
      transcript_path: '/t.jsonl',
      cwd: '/w/a',
      model: { id: 'claude-opus-5', display_name: 'Opus 5' },
      workspace: { current_dir: '/w/a', project_dir: '/w', added_dirs: ['/lib'] },
      version: '1.0.0',
      output_style: { name: 'default' },
      cost: { total_cost_usd: 0.5, total_duration_ms: 350, total_lines_added: 4, total_lines_removed: 1 },
      context_window: {
        context_window_size: 1_000_000,
        total_input_tokens: 250_000,
        used_percentage: 25,
        remaining_percentage: 75,
      },
      exceeds_200k_tokens: true,
      effort: { level: 'high' },
      permission_mode: 'default',
      fast_mode: false,
    });
  });
});

describe('the text of a status line', () => {
  for (const [output, padding, expected] of [
    ['\u001b[31mOpus\u001b[0m  main\n', 0, { text: 'Opus main', tooltip: 'Opus main' }],
    ['\n  one\r\ntwo\u0007\n', 1, { text: '\u00a0one\u00a0', tooltip: 'one\ntwo' }],
    ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'much', { text: 'link', tooltip: 'link' }],
    [
      'x'.repeat(500),
      99,
      { text: `${'\u00a0'.repeat(8)}${'x'.repeat(159)}…${'\u00a0'.repeat(8)}`, tooltip: 'x'.repeat(500) },
    ],
    [' \n\u001b[0m\n', 0, undefined],
  ] as const) {
    it(`of ${JSON.stringify(output.slice(0, 40))}`, () => assert.deepEqual(statusText(output, padding), expected));
  }
});

describe('the command of a status line', () => {
  it('runs one at a time, at most every 300 ms, and once more for what changed meanwhile', async () => {
    const clock = createManualClock('manual');
    const begun: number[] = [];
    let end = (): void => undefined;
    const refresh = createStatusRefresh({
      clock,
      run: () => new Promise((resolve) => (begun.push(clock.now()), (end = resolve))),
    });
    for (let change = 0; change < 5; change++) refresh.changed();
    await nextTask();
    assert.equal(begun.length, 1);
    refresh.changed();
    refresh.changed();
    await nextTask();
    assert.equal(begun.length, 1, 'while it runs, no other does');
    end();
    await nextTask();
    assert.equal(begun.length, 1);
    clock.advance(statusPauseMs);
    await nextTask();
    assert.equal(begun.length, 2);
    end();
    await nextTask();
    clock.advance(10_000);
    await nextTask();
    assert.equal(begun.length, 2, 'nothing has changed');
  });

  it('is ended when it takes too long, and with the window', async () => {
    const clock = createManualClock('manual');
    const signals: AbortSignal[] = [];
    const refresh = createStatusRefresh({
      clock,
      run: (signal) => (
        signals.push(signal),
        new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      ),
    });
    refresh.changed();
    await nextTask();
    clock.advance(statusTimeoutMs);
    await nextTask();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
    refresh.changed();
    await nextTask();
    refresh.dispose();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true],
    );
    refresh.changed();
    await nextTask();
    assert.equal(signals.length, 2);
  });

  it('has no credential in its environment', async () => {
    const handlers = createNodeHookHandlers({
      environment: async () => ({ ...process.env, ANTHROPIC_API_KEY: 'sk-secret', GITHUB_TOKEN: 'ghp' }),
    });
    const result = await handlers.command(
      { command: 'cat; env', cwd: '/', input: '{"model":1}', variables: {} },
      () => undefined,
      AbortSignal.timeout(20_000),
    );
    assert.ok(result.kind === 'ended' && result.exitCode === 0 && result.stdout.startsWith('{"model":1}'));
    assert.doesNotMatch(result.stdout, /sk-secret/);
  });
});
