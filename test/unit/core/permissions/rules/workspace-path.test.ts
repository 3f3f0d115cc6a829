// Inside or outside: a folder is inside itself, and so is a file that is named by itself.
import assert from 'node:assert/strict';
import { isInsideAny } from '../../../../../src/core/permissions/rules/workspace-path';

describe('inside a folder', () => {
  const log = '/home/me/.deft/sessions/w/a.jsonl';
  it('takes an equal path for inside', () => assert.ok(isInsideAny(log, ['/tmp/out', log], false)));
  it('takes no neighbour whose name begins alike', () => assert.ok(!isInsideAny(`${log}.bak`, [log], false)));
  it('looks at the case of names only where the disk does', () =>
    assert.deepEqual(
      [true, false].map((ignoreCase) => isInsideAny(log.toUpperCase(), [log], ignoreCase)),
      [true, false],
    ));
});
