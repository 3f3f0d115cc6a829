// Approvals above the composer, one at a time: what is asked, why, and the answers.
import { useEffect } from 'preact/hooks';
import { type ApprovalCard } from '../../src/shared/chat';
import { accessWords } from '../../src/shared/permission';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { PlanCard } from './plan-card';
import { announce } from '../state/announce';
import { altName, chat, received } from '../state/chat';
import { wordsOf, writeWords } from '../state/half-made';
import { rejectKeyOf } from './approval-keys';
import { DiffCount } from '../tools/diff-view';
import { AlwaysButton } from './always-button';
import { Preview } from './preview';
import { acceptAll, decide, decided, reject, settling, shownCard, type Decision } from './decide';
import { dropped } from './dropped';
import { DroppedLine } from './dropped-line';
import { CardCount } from './card-count';
import { Feedback } from './feedback';
import { Reason } from './reason';
import { Risks } from './risks';

export function ApprovalDock() {
  const approvals = chat.facts.value.approvals;
  const card = shownCard();
  const shownId = card?.id;
  useEffect(() => {
    if (card)
      announce(`${card.agent === undefined ? 'Approval needed' : `${card.agent} needs an approval`}: ${card.title}`);
  }, [shownId]);

  if (!card) return null;
  if (dropped.value > 0) return <DroppedLine count={dropped.value} />;
  const Shown = card.plan === undefined ? Card : PlanCard;
  return <Shown key={card.id} card={card} count={approvals.length} at={approvals.indexOf(card) + 1} />;
}

/** Edits that wait: all of them can be accepted at once. */
function waitingEdits(card: ApprovalCard): string[] {
  const edits = chat.facts.value.approvals.filter(({ hasDiff, plan }) => hasDiff && plan === undefined);
  return edits.includes(card) && edits.length > 1 ? edits.map(({ id }) => id) : [];
}

function Card({ card, count, at }: { card: ApprovalCard; count: number; at: number }) {
  const edits = waitingEdits(card);
  const words = wordsOf(card.id).trim() === '' ? '' : ' with your words';
  const closed = decided.value.has(card.id) || settling.value;
  const answer = (decision: Decision) => decide(card.id, decision);
  const name = `Approve: ${card.title}`;
  const rejectWithReason = () => reject(card.id);
  return (
    <div class="approval" role="group" aria-label={name}>
      <div class="approval-head">
        <h2 class="approval-title">{titleOf(card)}</h2>
        {card.description !== undefined && (
          <span class="approval-description" title={`What the agent says it is for: ${card.description}`}>
            {card.description}
          </span>
        )}
        {card.access !== undefined && (
          <span class="quiet approval-access" title="What the tool may do at most">
            {accessWords[card.access]}
          </span>
        )}
        {(card.view.kind === 'diff' || card.view.kind === 'changes') && (
          <DiffCount added={card.view.added} removed={card.view.removed} />
        )}
        {card.view.kind === 'diff' && card.view.created && <span class="quiet">new file</span>}
        <CardCount at={at} count={count} />
      </div>
      <Preview
        view={card.view}
        toolUseId={card.toolUseId}
        {...(card.hasDiff && !closed ? { approvalId: card.id } : {})}
      />
      <Risks risks={card.risks} />
      {card.changed === true && (
        <div class="approval-reason">Changed by you: Accept applies it as shown in the diff.</div>
      )}
      {card.place !== undefined && <div class="approval-reason">{card.place}</div>}
      <Reason card={card} />
      <div class="buttons">
        <Button
          kind="primary"
          label="Accept"
          hint={`${altName()}+⏎`}
          title={`Accept${words} (${altName()}+Enter)`}
          disabled={closed}
          onClick={() => answer({ behavior: 'accept' })}
        />
        <Button
          label="Reject"
          hint={rejectKeyOf(received.surroundings.value.platform).hint}
          title={`Reject${words} (${rejectKeyOf(received.surroundings.value.platform).name})`}
          disabled={closed}
          onClick={rejectWithReason}
        />
        {edits.length > 0 && (
          <Button
            kind="quiet"
            label={`Accept all ${edits.length}`}
            title={`Accept all ${edits.length} edits that wait`}
            disabled={closed}
            onClick={() => acceptAll(edits)}
          />
        )}
        {card.hasDiff && (
          <Button
            kind="quiet"
            label="Open diff"
            title={
              card.view.kind === 'changes'
                ? 'Open the diff of the first file; each name above opens its own, and you can change them before you accept'
                : 'Open the diff; you can change it before you accept'
            }
            onClick={() => post({ type: 'openDiff', approvalId: card.id })}
          />
        )}
        <AlwaysButton
          suggestions={card.suggestions}
          disabled={closed}
          onChoose={(suggestion) => answer({ behavior: 'always', suggestion })}
        />
      </div>
      {card.byUser !== true && (
        <Feedback
          value={wordsOf(card.id)}
          placeholder="Words for the agent, with Accept or Reject …"
          title="They go to the agent with your answer, whichever it is. Enter rejects"
          onInput={(text) => writeWords(card.id, text)}
          onEnter={() => !closed && rejectWithReason()}
        />
      )}
    </div>
  );
}

/** What happens when the user accepts. */
function titleOf({ view, title, toolName }: ApprovalCard): string {
  // Where the command has a name of its own, such as a task, the title says it.
  if (view.kind === 'terminal') return title.startsWith(toolName) ? 'Run this command?' : title;
  if (view.kind === 'diff' && view.created && title.startsWith(`${toolName} `))
    return `Create ${title.slice(toolName.length + 1)}`;
  return title;
}
