// What waits for the user in one chat: approvals, questions, requests of servers. Shown as they come and go, with the status that follows.
import { type Prompt } from '../../../core/events/steering-queue';
import { type HookedPeopleOptions } from '../../../core/mcp/hooked-people';
import { type ChatEvent } from '../../../shared/chat';
import { type McpRequest } from '../../../shared/mcp-view';
import { type QuestionRequest } from '../../../shared/question';
import { createPendingMcpRequests, type PendingMcpRequests } from './pending-mcp-requests';
import { type ChatServices } from './chat-needs';
import { type EventPoster } from './event-poster';
import { createPendingApprovals, type PendingApprovals } from './pending-approvals';
import { createPendingQuestions, type PendingQuestions } from './pending-questions';

interface WaitingParts {
  services: Pick<ChatServices, 'proposals' | 'notify'>;
  poster: Pick<EventPoster, 'state' | 'push'>;
  /** A turn runs. */
  running: () => boolean;
  hooks: HookedPeopleOptions;
}

export interface WaitingForUser {
  readonly approvals: PendingApprovals;
  readonly questions: PendingQuestions;
  readonly mcpRequests: PendingMcpRequests;
  /** Of the chat, now. */
  status(): ChatEvent;
  /** Whether this was the answer to the question that waits, and nothing more. */
  takesAsAnswer(prompt: Prompt): boolean;
}

export function createWaitingForUser({ services, poster, running, hooks }: WaitingParts): WaitingForUser {
  const approvals = createPendingApprovals(services.proposals, ({ title }) => services.notify('approval', title));
  const questions = createPendingQuestions((asked) => questionsChanged(asked));
  const mcpRequests = createPendingMcpRequests((asked) => mcpRequestsChanged(asked), hooks);

  const status = (): ChatEvent => {
    const waits = poster.state.approvals.length + questions.requests.length + mcpRequests.requests.length > 0;
    return { type: 'status', status: waits ? 'waiting' : running() ? 'working' : 'idle' };
  };
  const questionsChanged = (asked: QuestionRequest | undefined): void => {
    poster.push([{ type: 'questions', questions: [...questions.requests] }, status()]);
    if (asked === undefined) return;
    poster.push([{ type: 'tool', id: asked.toolUseId, change: { state: 'waiting' } }]);
    services.notify('question', asked.questions[0]?.question ?? '');
  };
  const mcpRequestsChanged = (asked: McpRequest | undefined): void => {
    poster.push([{ type: 'mcpRequests', mcpRequests: [...mcpRequests.requests] }, status()]);
    if (asked !== undefined) services.notify('question', `${asked.server}: ${asked.message}`);
  };

  return {
    approvals,
    questions,
    mcpRequests,
    status,
    // What is written while a question waits is the answer to it; what has more than words follows as a message.
    takesAsAnswer({ content, display }) {
      const [question] = questions.requests;
      if (question === undefined) return false;
      const wordsOnly = content.length === 1 && content[0]?.type === 'text' && content[0].text === display.text;
      if (wordsOnly)
        return questions.answer(question.id, { behavior: 'answered', answers: {}, response: display.text });
      questions.answer(question.id, { behavior: 'wrote' });
      return false;
    },
  };
}
