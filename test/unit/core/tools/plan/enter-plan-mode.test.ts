// EnterPlanMode: offered only where somebody can accept a plan.
import assert from 'node:assert/strict';
import { availabilityOf } from '../../../../../src/core/tool/availability';
import { enterPlanModeTool } from '../../../../../src/core/tools/plan/enter-plan-mode';
import { exitPlanModeTool } from '../../../../../src/core/tools/plan/exit-plan-mode';

describe('EnterPlanMode', () => {
  it('is not offered where nobody can be asked; leaving the mode is where the session begins in it', () => {
    const offered = (interactive: boolean, inPlan = false): boolean[] =>
      [enterPlanModeTool, exitPlanModeTool].map((tool) =>
        tool.isEnabled(availabilityOf({}, { interactive, platform: 'linux', startsInPlan: () => inPlan })),
      );
    assert.deepEqual(offered(true), [true, true]);
    assert.deepEqual(offered(false), [false, false]);
    assert.deepEqual(offered(false, true), [false, true]);
  });
});
