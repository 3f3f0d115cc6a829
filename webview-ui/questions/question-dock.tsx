// The agent's question above the composer: the oldest that waits, once no approval does.
import { useEffect } from 'preact/hooks';
import { announce } from '../state/announce';
import { chat } from '../state/chat';
import { QuestionCard } from './question-card';

export function QuestionDock() {
  const { approvals, questions } = chat.facts.value;
  const request = approvals.length === 0 ? questions[0] : undefined;
  const shownId = request?.id;
  useEffect(() => {
    if (request)
      announce(`Question: ${request.questions[0]?.question ?? ''} Arrow up in the empty message goes there.`);
  }, [shownId]);
  return request ? <QuestionCard key={request.id} request={request} /> : null;
}
