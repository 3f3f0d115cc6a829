// Whether a log ends while its plan waits for the user.
import { callsWithoutResult } from '../sessions/messages-from-records';
import { callRecord } from '../sessions/call-records';
import { type SessionRecord } from '../ports/record';

export const exitPlanModeName = 'ExitPlanMode';

/** The session then continues in plan mode: the plan is to be accepted first. */
export function waitsForPlan(records: readonly SessionRecord[]): boolean {
  return callsWithoutResult(records).some(({ toolUseId }) =>
    callRecord(records, toolUseId)?.message.content.some(
      (block) => block.type === 'tool_use' && block.id === toolUseId && block.name === exitPlanModeName,
    ),
  );
}
