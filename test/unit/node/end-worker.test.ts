// Worker threads that have given their result: they end by themselves, and are ended where they do not.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { letEnd } from '../../../src/node/end-worker';

describe('a worker that has given its result', () => {
  const exitOf = async (after: string, patience: number): Promise<unknown> => {
    const worker = new Worker(`require('node:worker_threads').parentPort.postMessage('done'); ${after}`, {
      eval: true,
    });
    const exit = once(worker, 'exit');
    await once(worker, 'message');
    letEnd(worker, patience);
    return ((await exit) as unknown[])[0];
  };

  it('ends by itself, with what it has left to do', async () => {
    assert.equal(await exitOf('setTimeout(() => process.exit(7), 1);', 60_000), 7);
    assert.equal(await exitOf('', 60_000), 0);
  });

  it('is ended where it does not', async () => {
    assert.equal(await exitOf('setInterval(() => undefined, 60_000);', 1), 1);
  });
});
