// EnterPlanMode, row by row.
import assert from 'node:assert/strict';
import { type Planning } from '../../../src/core/plan/planning';
import { enterPlanModeTool } from '../../../src/core/tools/plan/enter-plan-mode';
import { type PermissionMode } from '../../../src/shared/permission';
import { type ToolRow, toolTable } from '../../support/tool-table';

const planning = (mode: PermissionMode): { planning: Planning } => ({
  planning: { mode: () => mode, directory: () => '/w/plans' },
});

const rows: ToolRow[] = [
  ...(['default', 'acceptEdits', 'auto'] as const).map((mode): ToolRow => ({
    name: `from ${mode}`,
    input: {},
    session: planning(mode),
    text: /^The permission mode is now Plan: only read/,
    check: ({ change, asked }) => {
      assert.deepEqual(change, { mode: 'plan' });
      assert.deepEqual(asked, []);
    },
  })),
  { name: 'in plan mode', input: {}, session: planning('plan'), code: 'in-plan-mode', text: /is already Plan/ },
  { name: 'where nobody can accept a plan', input: {}, code: 'no-plan-here', text: /Only the main session/ },
];

describe('EnterPlanMode, row by row', () => toolTable(enterPlanModeTool, rows));
