// ExitPlanMode, row by row: what is asked, what comes back, and the file that holds it.
import assert from 'node:assert/strict';
import { type Planning } from '../../../src/core/plan/planning';
import { exitPlanModeTool } from '../../../src/core/tools/plan/exit-plan-mode';
import { type PermissionMode } from '../../../src/shared/permission';
import { type ToolRow, toolTable } from '../../support/tool-table';

const planning = (mode: PermissionMode): { planning: Planning } => ({
  planning: { mode: () => mode, directory: () => '/w/plans' },
});
const plan = '# Fix it\n\n1. Look';

const rows: ToolRow[] = [
  {
    name: 'accepted as it is',
    input: { plan },
    session: planning('plan'),
    answer: {},
    text: /^The user accepted the plan\. The plan is kept in \/w\/plans\/fix-it\.md\. The permission mode is no longer Plan\. The user approves each edit and command/,
    after: { '/w/plans/fix-it.md': `${plan}\n` },
    detail: 'accepted',
    check: ({ change, asked, output }) => {
      assert.deepEqual(change, { mode: 'default' });
      assert.deepEqual(
        asked.map(({ title, plan: shown }) => [title, shown?.file]),
        [['plan', '/w/plans/fix-it.md']],
      );
      assert.deepEqual(output, { plan, filePath: '/w/plans/fix-it.md', mode: 'default' });
    },
  },
  {
    name: 'accepted with changes',
    input: { plan },
    session: planning('plan'),
    answer: { text: `${plan} twice\n` },
    text: /^The user changed the plan and accepted their version[\s\S]*-1\. Look\n\+1\. Look twice[\s\S]*The plan to follow:\n\n# Fix it\n\n1\. Look twice$/,
    after: { '/w/plans/fix-it.md': `${plan} twice\n` },
    detail: 'accepted with your changes',
  },
  {
    name: 'with only the end of the last line gone',
    input: { plan },
    session: planning('plan'),
    answer: { text: plan },
    text: /^The user accepted the plan/,
    after: { '/w/plans/fix-it.md': `${plan}\n` },
  },
  {
    name: 'beside another plan of that name',
    files: { '/w/plans/fix-it.md': 'old' },
    input: { plan },
    session: planning('plan'),
    answer: {},
    text: /fix-it-2\.md/,
    after: { '/w/plans/fix-it-2.md': `${plan}\n` },
  },
  {
    name: 'in another mode',
    input: { plan },
    session: planning('acceptEdits'),
    code: 'not-in-plan-mode',
    text: /The permission mode is not Plan/,
  },
  { name: 'where nobody can accept it', input: { plan }, code: 'not-in-plan-mode', text: /not Plan/ },
  { name: 'no plan', input: {}, session: planning('plan'), code: 'InputValidationError', text: /`plan`: Required/ },
  {
    name: 'an empty plan',
    input: { plan: '' },
    session: planning('plan'),
    code: 'InputValidationError',
    text: /`plan`/,
  },
];

describe('ExitPlanMode, row by row', () => toolTable(exitPlanModeTool, rows));
