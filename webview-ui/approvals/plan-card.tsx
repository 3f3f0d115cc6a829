// The agent's plan above the composer: accepted with or without a question for each edit, or sent back.
import { type ApprovalCard } from '../../src/shared/chat';
import { decide, decided, reject, settling, type Decision } from './decide';
import { CardCount } from './card-count';
import { Feedback } from './feedback';
import { Reason } from './reason';
import { post } from '../host/vscode-api';
import { Markdown } from '../markdown/markdown';
import { Button } from '../parts/button';
import { rejectKeyOf } from './approval-keys';
import { altName, received } from '../state/chat';
import { wordsOf, writeWords } from '../state/half-made';

export function PlanCard({ card, count, at }: { card: ApprovalCard; count: number; at: number }) {
  const closed = decided.value.has(card.id) || settling.value;
  const answer = (decision: Decision) => decide(card.id, decision);
  const keepPlanning = () => reject(card.id);
  return (
    <div class="approval plan" role="group" aria-label={`Approve: ${card.title}`}>
      <div class="approval-head">
        <h2 class="approval-title">Start with this plan?</h2>
        <CardCount at={at} count={count} />
      </div>
      {card.view.kind === 'markdown' && (
        <div class="approval-preview plan-text" tabIndex={0} role="region" aria-label="The plan">
          <Markdown text={card.view.text} />
        </div>
      )}
      <Reason card={card} />
      <div class="buttons">
        <Button
          kind="primary"
          label="Accept and ask for each edit"
          hint={`${altName()}+⏎`}
          title={`Accept; every edit is shown to you first (${altName()}+Enter)`}
          disabled={closed}
          onClick={() => answer({ behavior: 'accept' })}
        />
        {card.suggestions.map(({ label }, suggestion) => (
          <Button
            key={label}
            label={label}
            title="Edits in the workspace are applied at once; you review them afterwards"
            disabled={closed}
            onClick={() => answer({ behavior: 'always', suggestion })}
          />
        ))}
        <Button
          label="Keep planning"
          hint={rejectKeyOf(received.surroundings.value.platform).hint}
          title={`Send the plan back, with your comments on its lines (${rejectKeyOf(received.surroundings.value.platform).name})`}
          disabled={closed}
          onClick={keepPlanning}
        />
        <Button
          kind="quiet"
          label="Open plan"
          title="Open the plan in the editor, to change it or to comment on its lines"
          onClick={() => post({ type: 'openDiff', approvalId: card.id })}
        />
      </div>
      <Feedback
        value={wordsOf(card.id)}
        placeholder="What should change?"
        title="It goes to the agent with your answer, whichever it is. Enter keeps planning"
        onInput={(text) => writeWords(card.id, text)}
        onEnter={() => !closed && keepPlanning()}
      />
    </div>
  );
}
