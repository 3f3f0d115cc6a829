import assert from 'node:assert/strict';
import { createClosing } from '../../../../src/vscode/host/closing';

describe('what closes in the background', () => {
  const warnings: unknown[][] = [];
  const log = { warn: (...words: unknown[]) => void warnings.push(words) };
  beforeEach(() => void warnings.splice(0));

  it('is waited for to the last, whatever fails, and the log hears why', async () => {
    const closing = createClosing(log);
    const ended: string[] = [];
    closing.add('The first chat', Promise.reject(new Error('The disk is full.')));
    closing.add(
      'The second chat',
      new Promise<void>((resolve) => setImmediate(resolve)).then(() => ended.push('second')),
    );
    await closing.settled();
    assert.deepEqual([ended, warnings], [['second'], [['The first chat could not be closed.', 'The disk is full.']]]);
  });

  it('holds the end of the window up for a while at most', async () => {
    const closing = createClosing(log);
    closing.add('A chat whose hook hangs', new Promise(() => undefined));
    await closing.settled(0);
    assert.deepEqual(warnings, []);
  });
});
