// Why Deft asks: in one sentence, and on demand with every step of the decision.
import { useState } from 'preact/hooks';
import { type ApprovalCard } from '../../src/shared/chat';
import { codeParts, WithCode } from '../parts/with-code';
import { useOpened } from '../parts/opened';
import { Why } from '../tools/why';

export function Reason({ card }: { card: ApprovalCard }) {
  const [open, setOpen] = useState(false);
  useOpened(open, () => setOpen(false));
  const id = `why-approval-${card.id}`;
  return (
    <>
      <div class="approval-reason">
        <span class="reason-text" title={codeParts(card.reason).join('')}>
          {card.agent !== undefined && <strong>{`${card.agent} asks: `}</strong>}
          <WithCode text={card.reason} />
        </span>{' '}
        {card.byUser !== true && (
          <button
            type="button"
            class="link-button"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            aria-label="Why does Deft ask?"
            title="The rules that were checked"
            onClick={() => setOpen(!open)}
          >
            Why?
          </button>
        )}
      </div>
      {open && <Why id={id} toolUseId={card.toolUseId} />}
    </>
  );
}
