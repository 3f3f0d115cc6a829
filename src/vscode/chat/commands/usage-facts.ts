// The usage page: what the session has cost, and what fills the model's window.
import { setImmediate as nextTask } from 'node:timers/promises';
import { isAbort, messageOf } from '../../../core/text/errors';
import { wholeRecords } from '../../../core/sessions/light-records';
import { contextReport, countedContext } from '../../../core/usage/context-report';
import { usageReport } from '../../../core/usage/usage-report';
import { type UsageAnswer } from '../../../shared/answers';
import { type Chat } from '../conversation/chat';

const longestCountMs = 30_000;

/** The estimate at once; `count` lets the API count, which is free. */
export async function usageOf(
  chat: Chat,
  count: boolean,
  log: (level: 'warn', message: string) => void,
): Promise<UsageAnswer> {
  const session = await chat.session();
  const { request, compactsAt } = await session.requests.upcoming();
  const services = { model: session.ports.model, compactsAt };
  const usage = usageReport(await wholeRecords(session.records, { pause: nextTask, now: () => performance.now() }));
  const context = count
    ? await countedContext(request, session.records, services, AbortSignal.timeout(longestCountMs)).catch(
        (error: unknown) => {
          if (!isAbort(error)) log('warn', `The tokens were not counted: ${messageOf(error)}`);
          return { ...contextReport(request, session.records, services), counted: 'failed' as const };
        },
      )
    : contextReport(request, session.records, services);
  return { usage, context };
}
