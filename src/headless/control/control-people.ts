// Whom a run asks where a program drives it: that program, about calls, about what the agent wants to know, and about what MCP servers ask.
import { readElicitationAnswer } from '../../core/mcp/elicitation-answer';
import { type McpElicitation, type McpPeople } from '../../core/ports/mcp';
import { type QuestionAnswer, type Questioner } from '../../core/ports/questions';
import { defined } from '../../shared/defined';
import { isObject } from '../../shared/plain-object';
import { type ControlChannel } from './control-channel';

type Asked = Pick<ControlChannel, 'ask'>;

/** Questions go out as a call that is to be allowed: its input comes back with the answers in it, as the public format has it. */
export function createControlQuestioner(channel: Asked, endsTurn: () => void): Questioner {
  return {
    async askQuestions({ toolUseId, questions }, signal) {
      const input = { questions };
      const answer = await channel.ask(
        { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input, tool_use_id: toolUseId, title: 'Questions' },
        signal,
      );
      const response = answer.kind === 'success' && isObject(answer.response) ? answer.response : {};
      if (response['behavior'] === 'deny' && response['interrupt'] === true) endsTurn();
      return readAnswers(response);
    },
  };
}

/** What is not clearly an answer is none; the words of a no reach the model as what the user wrote instead. */
function readAnswers(response: Record<string, unknown>): QuestionAnswer {
  const { behavior, message, updatedInput } = response;
  if (behavior === 'deny' && typeof message === 'string' && message.trim() !== '')
    return { behavior: 'answered', answers: {}, response: message };
  if (behavior !== 'allow' || !isObject(updatedInput) || !isObject(updatedInput['answers']))
    return { behavior: 'dismissed' };
  const { answers, response: words } = updatedInput;
  const texts = Object.entries(answers as Record<string, unknown>).flatMap(([question, answer]): [string, string][] => {
    if (typeof answer === 'string') return [[question, answer]];
    return Array.isArray(answer) ? [[question, answer.map(String).join(', ')]] : [];
  });
  return {
    behavior: 'answered',
    answers: Object.fromEntries(texts),
    ...defined({ response: typeof words === 'string' ? words : undefined }),
  };
}

/** Only for a program that has begun with `initialize`: another one would leave every question without an answer. */
export function createControlElicitation(channel: Asked, warn: (sentence: string) => void): McpPeople {
  return {
    async elicit(request, signal) {
      const answer = await channel.ask(elicitationOf(request), signal);
      const response = answer.kind === 'success' && isObject(answer.response) ? answer.response : {};
      const read = readElicitationAnswer(response, request);
      if (typeof read !== 'string') return read;
      if (answer.kind === 'success') warn(`The answer to the MCP server ${request.server} was not used: ${read}`);
      return { action: 'decline' };
    },
    // The public protocol has no request for it.
    allowSampling: async () => false,
  };
}

function elicitationOf(request: McpElicitation): Record<string, unknown> {
  const { server, message, kind } = request;
  const asked = { subtype: 'elicitation', mcp_server_name: server, message, mode: kind };
  if (request.kind === 'url') return { ...asked, url: request.url };
  const schema = isObject(request.schema) ? request.schema : {};
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  return { ...asked, requested_schema: schema, property_order: properties };
}
