import assert from 'node:assert/strict';
import { heldVariables } from '../../../../src/vscode/model/held-variables';

describe('held variables', () => {
  it('copies the environment once for all who ask within a moment, and again later', () => {
    let now = 0;
    const own: Record<string, string> = { KEY: 'a' };
    const added = {};
    const variables = heldVariables(
      own,
      () => added,
      () => now,
    );
    const first = variables();
    own['KEY'] = 'b';
    now = 249;
    assert.equal(variables(), first);
    assert.deepEqual(first, { KEY: 'a' });
    now = 250;
    assert.deepEqual(variables(), { KEY: 'b' });
  });

  it('takes what settings files say at once', () => {
    let added: Record<string, string> = { KEY: 'of a file' };
    const variables = heldVariables(
      { KEY: 'own', OTHER: 'own' },
      () => added,
      () => 0,
    );
    assert.deepEqual(variables(), { KEY: 'of a file', OTHER: 'own' });
    added = { KEY: 'changed' };
    assert.deepEqual(variables(), { KEY: 'changed', OTHER: 'own' });
  });
});
