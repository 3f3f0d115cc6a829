import assert from 'node:assert/strict';
import { importedOnce } from '../../../../src/vscode/host/imported-once';

describe('what is imported at the first call', () => {
  it('is loaded once, and again after a failure', async () => {
    let times = 0;
    const load = importedOnce(async () => {
      if (++times === 1) throw new Error('The file is being replaced.');
      return { times };
    });
    await assert.rejects(load(), /being replaced/);
    const [first, second] = await Promise.all([load(), load()]);
    assert.deepEqual([first === second, first.times, times], [true, 2, 2]);
  });
});
