// Whom a session asks that an editor drives by the Agent Client Protocol: the editor's user, about calls, questions and what MCP servers ask.
import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type ElicitationPropertySchema,
  type PermissionOption,
  type RequestPermissionRequest,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { readElicitationAnswer } from '../../core/mcp/elicitation-answer';
import { type ApprovalDecision, type ApprovalRequest } from '../../core/ports/approver';
import { type McpElicitation, type McpPeople } from '../../core/ports/mcp';
import { type QuestionAnswer, type Questioner } from '../../core/ports/questions';
import { isObject } from '../../shared/plain-object';
import { type Question } from '../../shared/question';
import { type AskingApprover, createAskingApprover } from '../control/asking-approver';
import { kindOf, proposalContent, viewContent } from './acp-content';

/** The session whose user is asked. */
export interface AskedSession {
  client: AgentContext;
  capabilities: ClientCapabilities;
  id: string;
}

export function createAcpApprover({ client, id }: AskedSession, endsTurn: () => void): AskingApprover {
  return createAskingApprover(async (request, signal) => {
    const asked: RequestPermissionRequest = { sessionId: id, toolCall: callOf(request), options: optionsOf(request) };
    const { outcome } = await client.request('session/request_permission', asked, waits(signal));
    // The prompt was cancelled.
    if (outcome.outcome !== 'selected') return { behavior: 'deny', interrupt: true };
    return decisionOf(outcome.optionId, request);
  }, endsTurn);
}

function callOf({ toolUseId, toolName, title, view, proposal, plan, input }: ApprovalRequest): ToolCallUpdate {
  const isChange = proposal !== undefined && plan === undefined;
  return {
    toolCallId: toolUseId,
    title,
    kind: kindOf(toolName),
    status: 'pending',
    content: isChange ? proposalContent(proposal) : viewContent(view, undefined),
    ...(isChange ? { locations: [proposal, ...(proposal.others ?? [])].map(({ path }) => ({ path })) } : {}),
    rawInput: input,
  };
}

function optionsOf({ suggestions, plan }: ApprovalRequest): PermissionOption[] {
  return [
    { optionId: 'allow', name: plan === undefined ? 'Allow' : 'Accept the plan', kind: 'allow_once' },
    ...suggestions.map(({ label }, at): PermissionOption => ({
      optionId: `allow:${at}`,
      name: label,
      kind: 'allow_always',
    })),
    { optionId: 'reject', name: plan === undefined ? 'Reject' : 'Keep planning', kind: 'reject_once' },
  ];
}

/** What is not clearly a yes is a no. */
function decisionOf(option: string, { suggestions }: ApprovalRequest): ApprovalDecision {
  if (option === 'allow') return { behavior: 'allow' };
  const chosen = suggestions.find((_one, at) => option === `allow:${at}`);
  return chosen === undefined ? { behavior: 'deny', interrupt: false } : { behavior: 'allow', updates: chosen.updates };
}

/** Undefined where the editor shows no forms: then the agent is not offered a tool that asks. */
export function createAcpQuestioner({ client, capabilities, id }: AskedSession): Questioner | undefined {
  if (capabilities.elicitation?.form == null) return undefined;
  return {
    async askQuestions({ toolUseId, questions }, signal) {
      const properties = Object.fromEntries(questions.map((question, at) => [`q${at + 1}`, propertyOf(question)]));
      const request: CreateElicitationRequest = {
        ...{ mode: 'form', sessionId: id, toolCallId: toolUseId },
        message: questions.map(({ question }) => question).join('\n'),
        requestedSchema: {
          type: 'object',
          properties: { ...properties, other: { type: 'string', title: 'In your own words' } },
        },
      };
      return answersOf(await client.request('elicitation/create', request, waits(signal)), questions);
    },
  };
}

function propertyOf({ header, question, options, multiSelect }: Question): ElicitationPropertySchema {
  const labels = options.map(({ label, description }) => ({ const: label, title: `${label}: ${description}` }));
  const words = { title: header, description: question };
  return multiSelect
    ? { type: 'array', ...words, items: { anyOf: labels } }
    : { type: 'string', ...words, oneOf: labels };
}

function answersOf(response: unknown, questions: readonly Question[]): QuestionAnswer {
  const content = isObject(response) && response['action'] === 'accept' ? response['content'] : undefined;
  if (!isObject(content)) return { behavior: 'dismissed' };
  const answers = questions.flatMap(({ question }, at): [string, string][] => {
    const answer = content[`q${at + 1}`];
    if (typeof answer === 'string') return [[question, answer]];
    return Array.isArray(answer) ? [[question, answer.join(', ')]] : [];
  });
  const { other } = content;
  return {
    behavior: 'answered',
    answers: Object.fromEntries(answers),
    ...(typeof other === 'string' ? { response: other } : {}),
  };
}

/** Undefined where the editor shows none: servers are then informed of it. */
export function createAcpElicitation({ client, capabilities, id }: AskedSession): McpPeople | undefined {
  const { form, url } = capabilities.elicitation ?? {};
  if (form == null && url == null) return undefined;
  return {
    async elicit(request, signal) {
      const isShown = request.kind === 'form' ? form != null : url != null;
      if (!isShown) return { action: 'decline' };
      const response: unknown = await client.request('elicitation/create', elicitationOf(request, id), waits(signal));
      const read = isObject(response) ? readElicitationAnswer(response, request) : 'no object';
      return typeof read === 'string' ? { action: 'decline' } : read;
    },
    // The protocol has no question for it.
    allowSampling: async () => false,
  };
}

function elicitationOf(request: McpElicitation, sessionId: string): CreateElicitationRequest {
  const message = `${request.server}: ${request.message}`;
  if (request.kind === 'url')
    return { mode: 'url', sessionId, message, url: request.url, elicitationId: `${request.server} ${request.url}` };
  const schema = isObject(request.schema) ? request.schema : { type: 'object', properties: {} };
  return { mode: 'form', sessionId, message, requestedSchema: schema };
}

function waits(signal: AbortSignal): { cancellationSignal: AbortSignal; stopWaitingOnCancel: true } {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
