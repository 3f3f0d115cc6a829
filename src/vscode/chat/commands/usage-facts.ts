// The usage page: what the session has cost, and what fills the model's window, told to the webview.
import { isAbort, messageOf } from '../../../core/text/errors';
import { contextReport, countedContext } from '../../../core/usage/context-report';
import { usageReport } from '../../../core/usage/usage-report';
import { type HostMessage } from '../../../shared/protocol';
import { type Chat } from '../conversation/chat';

const longestCountMs = 30_000;

/** The estimate at once; `count` lets the API count, which costs nothing and nobody waits for. */
export async function postUsage(
  chat: Chat,
  count: boolean,
  post: (message: HostMessage) => void,
  log: (level: 'warn', message: string) => void,
): Promise<void> {
  const session = await chat.session();
  const { request, compactsAt } = await session.nextRequest();
  const services = { model: session.modelClient, compactsAt };
  const usage = usageReport(session.records);
  const context = count
    ? await countedContext(request, session.records, services, AbortSignal.timeout(longestCountMs)).catch(
        (error: unknown) => {
          if (!isAbort(error)) log('warn', `The tokens were not counted: ${messageOf(error)}`);
          return { ...contextReport(request, session.records, services), counted: 'failed' as const };
        },
      )
    : contextReport(request, session.records, services);
  post({ type: 'usage', usage, context });
}
