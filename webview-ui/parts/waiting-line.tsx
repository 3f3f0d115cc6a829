// Says on the other pages that the agent waits for the user, and leads back to the conversation.
import { focusComposer } from '../state/draft';
import { chat, page } from '../state/chat';
import { Icon } from './icon';

export function WaitingLine() {
  const { approvals, questions, mcpRequests } = chat.facts.value;
  const asks =
    approvals.length > 0
      ? 'Deft asks for your approval'
      : questions.length + mcpRequests.length > 0
        ? 'Deft has a question for you'
        : undefined;
  if (asks === undefined || page.value === 'conversation') return null;
  const back = () => {
    page.value = 'conversation';
    // The composer is drawn first.
    requestAnimationFrame(focusComposer);
  };
  return (
    <button type="button" class="waiting-line" title="Back to the conversation" onClick={back}>
      <Icon name="bell" />
      <span>{asks}</span>
    </button>
  );
}
