// What fills the model's window, as a program asks for it.
import { type AgentSession } from '../../core/feature/agent-session';
import { contextReport, countedContext } from '../../core/usage/context-report';
import { type ControlRequest } from './control-messages';

const longestCountMs = 20_000;

/** `summary` is estimated; otherwise the API counts where it offers to. */
export async function contextUsage(
  { fields }: ControlRequest,
  session: AgentSession,
): Promise<Readonly<Record<string, unknown>>> {
  const { request, compactsAt } = await session.requests.upcoming();
  const services = { model: session.ports.model, compactsAt };
  const report =
    fields['detail'] === 'summary'
      ? contextReport(request, session.records, services)
      : await countedContext(request, session.records, services, AbortSignal.timeout(longestCountMs)).catch(() =>
          contextReport(request, session.records, services),
        );
  const { parts, used, window, model } = report;
  const free = Math.max(0, window - used);
  return {
    categories: [
      ...parts.map(({ name, tokens }) => ({ name, tokens, color: '', kind: 'used' })),
      { id: 'free_space', name: 'Free space', tokens: free, color: '', kind: 'free' },
    ],
    totalTokens: used,
    maxTokens: window,
    rawMaxTokens: window,
    percentage: Math.round((used / window) * 100),
    gridRows: [],
    model,
    memoryFiles: [],
    mcpTools: [],
    agents: [],
    isAutoCompactEnabled: compactsAt !== null,
    ...(compactsAt === null ? {} : { autoCompactThreshold: compactsAt }),
    apiUsage: null,
  };
}
