// What servers ask the user, where hooks have a say: they may answer or decline in the user's place, and look at what the user answers.
import { type McpFieldValue, type McpRequestField } from '../../shared/mcp-view';
import { type HookEvent } from '../ports/hook-events';
import { type HookOutcome } from '../hooks/hook-outcome';
import { type McpElicitation, type McpPeople } from '../ports/mcp';
import { isObject } from '../../shared/plain-object';

type Answer = Awaited<ReturnType<McpPeople['elicit']>>;

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
  const taken = (outcome: HookOutcome | undefined, request: McpElicitation, hookName: string): Answer | undefined => {
    if (outcome === undefined) return undefined;
    if (outcome.block !== undefined || outcome.stop !== undefined) return { action: 'decline' };
    if (outcome.elicitation === undefined) return undefined;
    const answer = answerOf(outcome.elicitation, request);
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

/** A sentence where the hook's answer is none. */
function answerOf(
  { action, content = {} }: NonNullable<HookOutcome['elicitation']>,
  request: McpElicitation,
): Answer | string {
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return `\`action\` must be accept, decline or cancel, not ${JSON.stringify(action)}.`;
  if (request.kind === 'url') return { action, content: {} };
  if (!isObject(content)) return '`content` must be an object.';
  const fields = new Map(request.fields.map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(content)) {
    const field = fields.get(name);
    if (field === undefined) return `the server did not ask for \`${name}\`.`;
    if (!fits(value, field)) return `\`${name}\` does not fit what the server asked for (${field.type}).`;
  }
  const missing = request.fields.find(({ name, required }) => required && !Object.hasOwn(content, name));
  return missing === undefined
    ? { action, content: content as Record<string, McpFieldValue> }
    : `\`${missing.name}\` is missing.`;
}

function fits(value: unknown, { type, choices }: McpRequestField): value is McpFieldValue {
  const isChoice = (one: unknown): boolean => choices.some((choice) => choice.value === one);
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return isChoice(value);
    case 'choices':
      return Array.isArray(value) && value.every(isChoice);
  }
}
