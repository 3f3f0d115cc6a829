// What RunCells asks for: the notebook by its name, in no mode unasked, and nothing before it is loaded.
import assert from 'node:assert/strict';
import { permissionCall } from '../../../../../src/core/calls/resolve-targets';
import { decide } from '../../../../../src/core/permissions/decide';
import { runCellsTool } from '../../../../../src/core/tools/notebook/run-cells';
import { context } from '../../permissions/permission-table';

describe('RunCells and permission rules', () => {
  const rows: [path: string, rules: string[], behavior: 'allow' | 'ask' | 'deny'][] = [
    ['/ws/a.ipynb', [], 'ask'],
    ['/ws/a.ipynb', ['allow RunCells'], 'allow'],
    ['/ws/a.ipynb', ['allow RunCells(a.ipynb)'], 'allow'],
    ['/ws/sub/../a.ipynb', ['allow RunCells(a.ipynb)'], 'allow'],
    ['/ws/b.ipynb', ['allow RunCells(a.ipynb)'], 'ask'],
    ['/other/a.ipynb', ['allow RunCells(*)'], 'allow'],
    ['/other/a.ipynb', ['allow RunCells(a.ipynb)'], 'ask'],
    ['/ws/a.ipynb', ['allow RunCells', 'deny RunCells(a.*)'], 'deny'],
  ];
  for (const [path, rules, behavior] of rows)
    it(`${path} with ${rules.join(', ') || 'no rule'}: ${behavior}`, () => {
      const call = permissionCall(runCellsTool, { notebook_path: path }, { targets: [], lines: new Map(), cwd: '/ws' });
      assert.equal(decide(call, context('default', rules)).behavior, behavior);
    });

  it('asks where edits are accepted, and is denied in plan mode and in Restricted Mode', () => {
    const input = { notebook_path: '/ws/a.ipynb' };
    const call = permissionCall(runCellsTool, input, { targets: [], lines: new Map(), cwd: '/ws' });
    assert.equal(decide(call, context('acceptEdits')).behavior, 'ask');
    assert.equal(decide(call, context('plan', ['allow RunCells'])).behavior, 'deny');
    assert.equal(decide(call, context('default', ['allow RunCells'], { trusted: false })).behavior, 'deny');
  });

  it('costs one line of at most 100 bytes before it is loaded', () => {
    assert.ok(Buffer.byteLength(`- ${runCellsTool.name}: ${runCellsTool.seldom}\n`) <= 100);
  });
});
