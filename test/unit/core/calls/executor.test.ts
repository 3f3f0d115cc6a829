// Which calls run together: the partition, and the streaming executor that must keep the same schedule.
import { defined } from '../../../../src/shared/defined';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  partitionToolCalls,
  maxConcurrentTools,
  StreamingToolExecutor,
} from '../../../../src/core/calls/streaming-tool-executor';
import { type ExecutedCall, type ToolCall } from '../../../../src/core/calls/tool-call';
import { createToolRegistry, getAllBaseTools } from '../../../../src/core/tools/registry';
import { fakeTool, latch, safeTool, type Latch } from '../../../support/fake-tools';

const registry = createToolRegistry([
  safeTool('Safe'),
  fakeTool('Unsafe'),
  safeTool('Torn', {
    isConcurrencySafe: () => {
      throw new Error('undecided');
    },
  }),
]);
const isSafe = ({ name }: ToolCall): boolean => name === 'Safe' || name === 'Unknown';

describe('partitionToolCalls', () => {
  it('keeps the order, puts safe neighbours together and every other call alone', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40, size: 'max' }), (safety) => {
        const calls = safety.map((safe, index) => ({ safe, index }));
        const batches = partitionToolCalls(calls, ({ safe }) => safe);
        assert.deepEqual(batches.flat(), calls);
        for (const batch of batches)
          assert.ok(batch.length > 0 && (batch.length === 1 || batch.every(({ safe }) => safe)));
        batches.slice(1).forEach((batch, index) => {
          const before = batches[index] ?? [];
          assert.ok(
            !(before.every(({ safe }) => safe) && batch.every(({ safe }) => safe)),
            'batches are as long as they can be',
          );
        });
      }),
    );
  });

  it('only ever adds to its last batch when another call arrives', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30, size: 'max' }), (safety) => {
        const calls = safety.map((safe, index) => ({ safe, index }));
        const whole = partitionToolCalls(calls, ({ safe }) => safe);
        const before = partitionToolCalls(calls.slice(0, -1), ({ safe }) => safe);
        assert.deepEqual(before.slice(0, -1), whole.slice(0, Math.max(0, before.length - 1)));
        assert.deepEqual(before.at(-1) ?? [], (whole[before.length - 1] ?? []).slice(0, before.at(-1)?.length));
      }),
    );
  });

  it('runs no built-in tool that changes something beside another', () => {
    const inputs: [string, object][] = [
      ['Read', { file_path: '/w/a' }],
      ['Edit', { file_path: '/w/a', old_string: 'a', new_string: 'b' }],
      ['Write', { file_path: '/w/a', content: '' }],
      ['NotebookEdit', { notebook_path: '/w/n.ipynb', cell_id: 'a', new_source: '' }],
      ['Glob', { pattern: '*' }],
      ['Grep', { pattern: 'a' }],
      ['Bash', { command: 'ls' }],
      ['Bash', { command: 'rm a' }],
      ['Bash', { command: 'ls', run_in_background: true }],
      ['PowerShell', { command: 'Get-ChildItem' }],
      ['PowerShell', { command: 'Remove-Item a' }],
      ['REPL', { language: 'python', code: '1' }],
      ['TodoWrite', { todos: [] }],
      ['AskUserQuestion', { questions: [] }],
      ['Config', { setting: 'effort', value: 'high' }],
      ['WebFetch', { url: 'https://a.test', prompt: 'p' }],
    ];
    const tools = createToolRegistry(getAllBaseTools());
    const known = inputs.map(([name, input]) => {
      const tool = tools.find(name) ?? assert.fail(name);
      return { name, safe: tool.isConcurrencySafe(input), changes: !tool.isReadOnly(input) };
    });
    assert.deepEqual(
      known.filter(({ safe, changes }) => safe && changes),
      [],
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...known), { maxLength: 20, size: 'max' }), (calls) => {
        for (const batch of partitionToolCalls(calls, ({ safe }) => safe))
          assert.ok(batch.length === 1 || !batch.some(({ changes }) => changes));
      }),
    );
  });
});

/** An executor whose calls end when the test says so. */
function controlled(maxConcurrent?: number): {
  executor: StreamingToolExecutor;
  running: () => string[];
  ended: string[];
  settled: string[];
  most: () => number;
  end: (id: string, result?: Partial<ExecutedCall>) => Promise<void>;
} {
  const latches = new Map<string, Latch & { result: Partial<ExecutedCall> }>();
  const ended: string[] = [];
  const settled: string[] = [];
  let most = 0;
  const executor = new StreamingToolExecutor({
    registry,
    execute: async (call) => {
      const one = { ...latch(), result: {} };
      latches.set(call.id, one);
      most = Math.max(most, latches.size);
      await one.opened;
      latches.delete(call.id);
      return { ...done(call), ...one.result };
    },
    ended: ({ id }) => void ended.push(id),
    settled: ({ id }) => void settled.push(id),
    fault: (_call, error) => assert.fail(String(error)),
    ...defined({ maxConcurrent }),
  });
  return {
    executor,
    running: () => [...latches.keys()],
    ended,
    settled,
    most: () => most,
    end: async (id, result = {}) => {
      const one = latches.get(id) ?? assert.fail(`${id} does not run`);
      one.result = result;
      one.open();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function done(call: ToolCall): ExecutedCall {
  return {
    block: { type: 'tool_result', tool_use_id: call.id, content: call.id },
    structured: {},
    state: 'done',
    newMessages: [],
    endsTurn: false,
    durationMs: 0,
  };
}

const callOf = (name: string, id: string): ToolCall => ({ id, name, input: {} });

describe('StreamingToolExecutor', () => {
  it('keeps the schedule of partitionToolCalls, whenever calls arrive and end', async () => {
    const step = fc.record({
      name: fc.constantFrom('Safe', 'Safe', 'Unsafe', 'Unknown', 'Torn'),
      endsBefore: fc.array(fc.nat(), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14, size: 'max' }),
        fc.infiniteStream(fc.nat()),
        async (steps, order) => {
          const { executor, running, ended, settled, end } = controlled();
          const calls: ToolCall[] = [];
          const check = (): void => {
            const batches = partitionToolCalls(calls, isSafe);
            const first = batches.find((batch) => batch.some(({ id }) => !ended.includes(id))) ?? [];
            const open = first.filter(({ id }) => !ended.includes(id)).map(({ id }) => id);
            assert.deepEqual([...running()].sort(), open.slice(0, maxConcurrentTools).sort());
          };
          const endOne = async (choice: number): Promise<void> => {
            const ids = running();
            const id = ids[choice % ids.length];
            if (id !== undefined) await end(id);
            check();
          };
          for (const [index, { name, endsBefore }] of steps.entries()) {
            for (const choice of endsBefore) await endOne(choice);
            calls.push(callOf(name, `c${index}`));
            executor.add(calls[index] ?? assert.fail());
            check();
          }
          const results = executor.finish();
          for (const choice of order) {
            if (running().length === 0) break;
            await endOne(choice);
          }
          assert.deepEqual(
            (await results).map(({ block }) => block.tool_use_id),
            calls.map(({ id }) => id),
          );
          assert.deepEqual(
            settled,
            calls.map(({ id }) => id),
            'changes are applied in call order',
          );
          assert.deepEqual([...ended].sort(), [...settled].sort());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('runs at most ten at once', async () => {
    const { executor, running, most, end } = controlled();
    for (let index = 0; index < 25; index++) executor.add(callOf('Safe', `c${index}`));
    assert.equal(running().length, 10);
    const results = executor.finish();
    while (running().length > 0) await end(running()[0] ?? '');
    assert.equal((await results).length, 25);
    assert.equal(most(), 10);
  });

  it('is finished where nothing was added', async () => {
    assert.deepEqual(await controlled().executor.finish(), []);
  });

  it('answers what has not started when it is stopped, and waits for what runs', async () => {
    const { executor, running, ended, end } = controlled();
    for (const id of ['a', 'b', 'c']) executor.add(callOf('Unsafe', id));
    executor.stop('the user interrupted the turn.');
    executor.add(callOf('Safe', 'd'));
    assert.deepEqual(ended, ['b', 'c', 'd']);
    assert.deepEqual(running(), ['a']);
    const results = executor.finish();
    await end('a');
    assert.deepEqual(
      (await results).map(({ block, state }) => [block.tool_use_id, state]),
      [
        ['a', 'done'],
        ['b', 'stopped'],
        ['c', 'stopped'],
        ['d', 'stopped'],
      ],
    );
  });

  it('runs nothing more once a rejection ended the turn', async () => {
    const { executor, running, end } = controlled();
    for (const id of ['a', 'b']) executor.add(callOf('Unsafe', id));
    const results = executor.finish();
    await end('a', { endsTurn: true });
    assert.deepEqual(running(), []);
    const [, second] = await results;
    assert.match(String(second?.block.content), /was not run: the user ended the turn/);
  });

  it('keeps the other results when one call throws past every guard', async () => {
    const executor = new StreamingToolExecutor({
      registry,
      execute: async (call) => {
        if (call.id === 'b') throw new Error('a fault of Deft');
        return done(call);
      },
      ended: () => undefined,
      settled: () => undefined,
      fault: (_call, error) => assert.fail(String(error)),
    });
    for (const id of ['a', 'b', 'c']) executor.add(callOf('Safe', id));
    const results = await executor.finish();
    assert.deepEqual(
      results.map(({ block }) => block.is_error ?? false),
      [false, true, false],
    );
    assert.match(String(results[1]?.block.content), /a fault of Deft/);
  });

  it('comes to an end when telling of a result throws, and names the fault', async () => {
    for (const broken of ['ended', 'settled'] as const) {
      const faults: string[] = [];
      const reported: string[] = [];
      const fail = ({ id }: ToolCall): void => {
        if (id === 'b') throw new Error('a fault of Deft');
        reported.push(id);
      };
      const executor = new StreamingToolExecutor({
        registry,
        execute: async (call) => done(call),
        ended: () => undefined,
        settled: () => undefined,
        [broken]: fail,
        fault: ({ id }, error) => void faults.push(`${id}: ${(error as Error).message}`),
      });
      for (const id of ['a', 'b', 'c']) executor.add(callOf('Unsafe', id));
      assert.deepEqual(
        (await executor.finish()).map(({ block }) => block.tool_use_id),
        ['a', 'b', 'c'],
      );
      assert.deepEqual(reported, ['a', 'c']);
      assert.deepEqual(faults, ['b: a fault of Deft']);
    }
  });

  it('is not torn by a throw when a call that never ran is answered', async () => {
    const faults: string[] = [];
    const executor = new StreamingToolExecutor({
      registry,
      execute: () => {
        throw new Error('at once');
      },
      ended: () => {
        throw new Error('a fault of Deft');
      },
      settled: () => undefined,
      fault: ({ id }) => void faults.push(id),
    });
    executor.add(callOf('Unsafe', 'a'));
    executor.stop('the user interrupted the turn.');
    executor.add(callOf('Unsafe', 'b'));
    const results = await executor.finish();
    assert.match(String(results[0]?.block.content), /at once/);
    assert.match(String(results[1]?.block.content), /was not run/);
    assert.deepEqual(faults, ['b', 'a']);
  });
});
