// What servers ask of the user while a chat calls their tools: waits in that chat until it is answered.
import { type HookedPeopleOptions, withElicitationHooks } from '../../../core/mcp/hooked-people';
import { maxSampleChars } from '../../../core/mcp/limits';
import { type McpElicitation, type McpPeople } from '../../../core/ports/mcp';
import { type McpFieldValue, type McpRequest } from '../../../shared/mcp-view';

export type McpAnswer = { action: 'accept'; content: Record<string, McpFieldValue> } | { action: 'decline' | 'cancel' };

export interface PendingMcpRequests {
  readonly people: McpPeople;
  readonly requests: readonly McpRequest[];
  find(id: string): McpRequest | undefined;
  /** False where it was settled already. */
  answer(id: string, answer: McpAnswer): boolean;
  /** The chat or its session is left. */
  cancelAll(): void;
}

const longestText = maxSampleChars;
/** Further requests of a server with this many open are declined. */
const mostOfServer = 5;

/** `changed` is called whenever one begins or ends to wait. `hooks` are those of the chat's session. */
export function createPendingMcpRequests(
  changed: (asked?: McpRequest) => void,
  hooks?: HookedPeopleOptions,
): PendingMcpRequests {
  const pending = new Map<string, { request: McpRequest; settle: (answer: McpAnswer) => void }>();
  const ask = async (request: McpRequest, signal: AbortSignal): Promise<McpAnswer> => {
    if (signal.aborted) return { action: 'cancel' };
    if ([...pending.values()].filter((one) => one.request.server === request.server).length >= mostOfServer)
      return { action: 'decline' };
    const cancel = (): void => pending.get(request.id)?.settle({ action: 'cancel' });
    try {
      return await new Promise<McpAnswer>((resolve) => {
        pending.set(request.id, { request, settle: resolve });
        signal.addEventListener('abort', cancel, { once: true });
        changed(request);
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      pending.delete(request.id);
      changed();
    }
  };
  const people: McpPeople = {
    elicit: (request, signal) => ask(requestOf(request), signal),
    // Nobody can agree to what they do not see.
    allowSampling: async ({ server, text }, signal) =>
      text.length <= longestText &&
      (await ask({ id: crypto.randomUUID(), kind: 'sampling', server, message: text }, signal)).action === 'accept',
  };
  return {
    people: hooks === undefined ? people : withElicitationHooks(people, hooks),
    get requests() {
      return [...pending.values()].map(({ request }) => request);
    },
    find: (id) => pending.get(id)?.request,
    answer(id, answer) {
      const found = pending.get(id);
      pending.delete(id);
      found?.settle(answer);
      return found !== undefined;
    },
    cancelAll() {
      for (const { settle } of pending.values()) settle({ action: 'cancel' });
    },
  };
}

function requestOf(request: McpElicitation): McpRequest {
  const { server, message } = request;
  const common = { id: crypto.randomUUID(), server, message: message.slice(0, longestText) };
  return request.kind === 'url'
    ? { ...common, kind: 'url', url: request.url }
    : { ...common, kind: 'form', fields: request.fields };
}
