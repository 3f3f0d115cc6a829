// The Approver where the program that started the run is asked: whatever is not a clear yes is a no.
import { defined } from '../../shared/defined';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod/v3';
import { readPermissionAnswer } from '../../core/hooks/permission-answer';
import { type ApprovalDecision, type ApprovalRequest } from '../../core/ports/approver';
import { type AskingApprover, createAskingApprover } from './asking-approver';
import { type ControlChannel } from './control-channel';
import { type ControlAnswer } from './control-messages';

const resultSchema = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.unknown()).nullish(),
    updatedPermissions: z.array(z.record(z.unknown())).nullish(),
    toolUseID: z.string().nullish(),
  }),
  z.object({ behavior: z.literal('deny'), message: z.string().optional(), interrupt: z.boolean().optional() }),
]);

export function createControlApprover(
  channel: Pick<ControlChannel, 'ask'>,
  endsTurn: () => void,
  warn: (sentence: string) => void,
): AskingApprover {
  return createAskingApprover(
    async (request, signal) =>
      decisionOf(await channel.ask(questionOf(request), signal), request, { warn, who: 'The program that runs Deft' }),
    endsTurn,
  );
}

function questionOf({
  toolUseId,
  toolName,
  title,
  reason,
  place,
  suggestions,
  outside,
  agent,
  input,
}: ApprovalRequest): Record<string, unknown> {
  // The others are other answers to the same question: a program that sends back all of them would grant them all.
  const updates = suggestions[0]?.updates ?? [];
  return {
    subtype: 'can_use_tool',
    tool_name: toolName,
    input,
    tool_use_id: toolUseId,
    title: `Approve: ${title}`,
    decision_reason: reason,
    ...(updates.length === 0 ? {} : { permission_suggestions: updates }),
    ...defined({ description: place, blocked_path: outside }),
    ...defined({ agent_id: agent?.id }),
  };
}

/** `who` begins the sentences about an answer that is none. */
export function decisionOf(
  answer: ControlAnswer,
  request: ApprovalRequest,
  { warn, who }: { warn(sentence: string): void; who: string },
): ApprovalDecision {
  if (answer.kind === 'closed') return undecided(`${who} has closed its input, so nobody can be asked.`);
  if (answer.kind === 'error') return undecided(`${who} could not decide: ${answer.message}`);
  const parsed = answer.kind === 'success' ? resultSchema.safeParse(answer.response) : undefined;
  if (parsed?.success !== true)
    return undecided(
      `${who} gave an unreadable answer: expected {"behavior":"allow"} or {"behavior":"deny","message":…}.`,
    );
  const result = parsed.data;
  if (result.behavior === 'deny')
    return {
      behavior: 'deny',
      interrupt: result.interrupt === true,
      ...defined({ message: result.message }),
    };
  if (typeof result.toolUseID === 'string' && result.toolUseID !== request.toolUseId)
    return undecided(`${who} answered about another call.`);
  const updates =
    readPermissionAnswer(result, (problem) => warn(`The answer about ${request.toolName}: ${problem}`))?.updates ?? [];
  // Programs send the input back where they want it as it is.
  const changed = result.updatedInput != null && !isDeepStrictEqual(result.updatedInput, plain(request.input));
  return {
    behavior: 'allow',
    ...(updates.length === 0 ? {} : { updates }),
    ...(changed && result.updatedInput != null ? { input: result.updatedInput } : {}),
  };
}

/** As it looks to who reads it from a line. */
function plain(input: unknown): unknown {
  return input === undefined ? undefined : (JSON.parse(JSON.stringify(input)) as unknown);
}

export function undecided(message: string): ApprovalDecision {
  return { behavior: 'deny', message, interrupt: false, unasked: true };
}
