// Heartbeats of long calls in stream-json: every 30 seconds while a tool runs, and not a moment longer.
import assert from 'node:assert/strict';
import { createOutput } from '../../../src/headless/output';
import { createTurnRunner } from '../../../src/headless/run-turn';
import { heartbeatMs } from '../../../src/headless/tool-heartbeat';
import { type OutputFormat } from '../../../src/headless/command-line/run-options';
import { askingTool, latch, type Latch, safeTool, said } from '../../support/fake-tools';
import { createManualClock, type ManualClock } from '../../support/manual-clock';
import { reply, toolUse } from '../../support/messages-api/script';
import { createScriptedModel } from '../../support/scripted-model';
import { createHarness, type Harness, prompt } from '../../support/session-harness';

interface Run {
  clock: ManualClock;
  harness: Harness;
  gate: Latch;
  /** Of the output, in order. */
  beats(): Record<string, unknown>[];
  ended: Promise<boolean>;
  stop: AbortController;
}

/** A run whose tools Slow and Ask wait for the gate, Quick does not. */
function start(
  calls: readonly string[],
  { format = 'stream-json', approval }: { format?: OutputFormat; approval?: Latch } = {},
): Run {
  const clock = createManualClock('manual');
  const gate = latch();
  const written: string[] = [];
  const stop = new AbortController();
  const wait = { call: async () => (await gate.opened, said('ok')) };
  const runner = createTurnRunner({
    partialMessages: false,
    replayMessages: false,
    output: createOutput(format, (text) => written.push(text)),
    clock,
    model: createScriptedModel([reply(...calls.map((name, index) => toolUse(name, {}, `t${index}`))), reply('Done.')]),
    host: { warn: (message) => assert.fail(message), interruption: stop },
  });
  const harness = createHarness({
    model: runner.model,
    clock,
    tools: [safeTool('Slow', wait), safeTool('Quick'), askingTool('Ask', wait)],
    answer: async () => (await approval?.opened, { behavior: 'allow' }),
    onEvent: runner.emit,
  });
  const ended = runner.run(
    harness.session,
    { id: 'session-1', path: '', append: () => undefined, sync: async () => undefined, close: async () => undefined },
    prompt('Go'),
  );
  const beats = () =>
    written
      .flatMap((line) => (format === 'text' ? [] : [JSON.parse(line) as Record<string, unknown>]))
      .filter(({ type }) => type === 'tool_progress');
  return { clock, harness, gate, beats, ended, stop };
}

const isRunning = (id: string) => (event: { type: string }) =>
  event.type === 'tool_state' &&
  'state' in event &&
  event.state === 'running' &&
  'toolUseId' in event &&
  event.toolUseId === id;
/** Lets everything that is due happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('tool heartbeat', () => {
  it('comes every 30 seconds while a call runs, in the documented shape', async () => {
    const { clock, harness, gate, beats, ended } = start(['Slow']);
    await harness.when(isRunning('t0'));
    await clock.sleeping(1);
    clock.advance(heartbeatMs - 1);
    await settle();
    assert.deepEqual(beats(), []);
    clock.advance(1);
    await clock.sleeping(2);
    clock.advance(heartbeatMs);
    await clock.sleeping(3);
    const [first, second, ...more] = beats();
    const { uuid, ...rest } = first ?? {};
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      type: 'tool_progress',
      tool_use_id: 't0',
      tool_name: 'Slow',
      parent_tool_use_id: null,
      elapsed_time_seconds: 30,
      session_id: 'session-1',
    });
    assert.deepEqual([second?.['elapsed_time_seconds'], second?.['uuid'] === uuid, more], [60, false, []]);
    gate.open();
    assert.equal(await ended, true);
    clock.advance(10 * heartbeatMs);
    await settle();
    assert.equal(beats().length, 2, 'none once the call has ended');
  });

  it('is for each of the calls that run, and for no other', async () => {
    const { clock, harness, gate, beats, ended } = start(['Slow', 'Quick', 'Slow']);
    await Promise.all([harness.when(isRunning('t0')), harness.when(isRunning('t2'))]);
    await harness.when(
      (event) => event.type === 'record' && event.record.type === 'user' && event.record.toolState === 'done',
    );
    clock.advance(heartbeatMs);
    await settle();
    assert.deepEqual(
      beats()
        .map((beat) => beat['tool_use_id'])
        .sort(),
      ['t0', 't2'],
    );
    gate.open();
    await ended;
  });

  it('does not count while the user is asked', async () => {
    const approval = latch();
    const { clock, harness, gate, beats, ended } = start(['Ask'], { approval });
    await harness.when(({ type }) => type === 'approval_asked');
    clock.advance(3 * heartbeatMs);
    await settle();
    assert.deepEqual(beats(), []);
    approval.open();
    await harness.when(isRunning('t0'));
    await clock.sleeping(1);
    clock.advance(heartbeatMs);
    await settle();
    assert.deepEqual(
      beats().map((beat) => beat['elapsed_time_seconds']),
      [30],
    );
    gate.open();
    await ended;
  });

  it('is part of stream-json alone', async () => {
    const { clock, harness, gate, beats, ended } = start(['Slow'], { format: 'json' });
    await harness.when(isRunning('t0'));
    await clock.sleeping(1);
    clock.advance(heartbeatMs);
    await settle();
    assert.deepEqual(beats(), []);
    gate.open();
    await ended;
  });
});
