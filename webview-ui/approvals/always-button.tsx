// "Always allow …": one button that names the rule it saves; the other rules that would do come out on demand.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { type ApprovalCard } from '../../src/shared/chat';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';

type Suggestion = ApprovalCard['suggestions'][number];

export interface AlwaysButtonProps {
  suggestions: readonly Suggestion[];
  disabled: boolean;
  onChoose: (index: number) => void;
}

export function AlwaysButton({ suggestions, disabled, onChoose }: AlwaysButtonProps) {
  const [open, setOpen] = useState(false);
  const [first, ...others] = suggestions;
  if (first === undefined) return null;
  return (
    <>
      <span class="split">
        <Button label={first.label} disabled={disabled} onClick={() => onChoose(0)} />
        {others.length > 0 && (
          <button
            type="button"
            class="button button-secondary split-more"
            aria-expanded={open}
            aria-label="Other rules"
            title="Other rules that would allow this"
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevron-up' : 'chevron-down'} />
          </button>
        )}
      </span>
      <Saves suggestion={first} />
      {open &&
        others.map((suggestion, index) => (
          <Fragment key={suggestion.label}>
            <Button label={suggestion.label} disabled={disabled} onClick={() => onChoose(index + 1)} />
            <Saves suggestion={suggestion} />
          </Fragment>
        ))}
    </>
  );
}

/** What the click allows and writes, word for word, before it is made. */
function Saves({ suggestion: { saves } }: { suggestion: Suggestion }) {
  if (saves === undefined) return null;
  return (
    <div class="saves">
      {saves.file === undefined ? 'Allows' : 'Saves'}{' '}
      {saves.rules.map((rule) => (
        <Fragment key={rule}>
          <code>{rule}</code>{' '}
        </Fragment>
      ))}
      {saves.file !== undefined && `to ${saves.file}`}
    </div>
  );
}
