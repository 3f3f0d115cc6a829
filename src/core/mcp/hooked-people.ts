// What servers ask the user, where hooks have a say: they may answer or decline in the user's place, and look at what the user answers.
import { type HookEvent } from '../ports/hook-events';
import { type HookOutcome } from '../hooks/hook-outcome';
import { type McpElicitation, type McpPeople } from '../ports/mcp';
import { type ElicitationAnswer, readElicitationAnswer } from './elicitation-answer';

/** Those of the session whose call the server works on. Rejects where there is none any more. */
export type ElicitationEvent = (
  event: HookEvent,
  fields: () => Record<string, unknown>,
  signal: AbortSignal,
) => Promise<HookOutcome>;

export interface HookedPeopleOptions {
  event: ElicitationEvent;
  /** For the user: why a hook's answer was not taken. */
  onProblem: (sentence: string) => void;
}

/** A server that asks for more at once is not heard: no hook is run for it. */
const mostOfServer = 5;

export function withElicitationHooks(people: McpPeople, { event, onProblem }: HookedPeopleOptions): McpPeople {
  const hear = async (
    name: 'Elicitation' | 'ElicitationResult',
    fields: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<HookOutcome | undefined> => {
    try {
      return await event(name, () => fields, signal);
    } catch {
      // Without its session the question is the user's alone.
      return undefined;
    }
  };
  const taken = (
    outcome: HookOutcome | undefined,
    request: McpElicitation,
    hookName: string,
  ): ElicitationAnswer | undefined => {
    if (outcome === undefined) return undefined;
    if (outcome.block !== undefined || outcome.stop !== undefined) return { action: 'decline' };
    if (outcome.elicitation === undefined) return undefined;
    const answer = readElicitationAnswer(outcome.elicitation, request);
    if (typeof answer !== 'string') return answer;
    onProblem(`The ${hookName} hook's answer to ${request.server} was ignored: ${answer}`);
    return undefined;
  };
  const asking = new Map<string, number>();
  const elicit: McpPeople['elicit'] = async (request, signal) => {
    const facts = {
      mcp_server_name: request.server,
      message: request.message,
      mode: request.kind,
      ...(request.kind === 'url' ? { url: request.url } : { requested_schema: request.schema ?? {} }),
    };
    const own = taken(await hear('Elicitation', facts, signal), request, 'Elicitation');
    if (own !== undefined) return own;
    const answer = await people.elicit(request, signal);
    const content = answer.action === 'accept' && request.kind === 'form' ? { content: answer.content } : {};
    const changed = taken(
      await hear(
        'ElicitationResult',
        { mcp_server_name: request.server, mode: request.kind, action: answer.action, ...content },
        signal,
      ),
      request,
      'ElicitationResult',
    );
    // The user's no stays a no.
    return changed === undefined || answer.action !== 'accept' ? answer : changed;
  };
  return {
    ...people,
    async elicit(request, signal) {
      const running = asking.get(request.server) ?? 0;
      if (running >= mostOfServer) return { action: 'decline' };
      asking.set(request.server, running + 1);
      try {
        return await elicit(request, signal);
      } finally {
        asking.set(request.server, (asking.get(request.server) ?? 1) - 1);
      }
    },
  };
}
