// EnterPlanMode: offered only where somebody can accept a plan.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { enterPlanModeTool } from '../../../../../src/core/tools/plan/enter-plan-mode';
import { exitPlanModeTool } from '../../../../../src/core/tools/plan/exit-plan-mode';

describe('EnterPlanMode', () => {
  it('is not offered where nobody can be asked; leaving a mode that was chosen at the start is', () => {
    const offered = (interactive: boolean): boolean[] =>
      [enterPlanModeTool, exitPlanModeTool].map((tool) =>
        tool.isEnabled(availabilityOf({}, { interactive, platform: 'linux' })),
      );
    assert.deepEqual(offered(true), [true, true]);
    assert.deepEqual(offered(false), [false, true]);
  });
});
