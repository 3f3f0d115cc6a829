// "Always allow …": one button that names the rule it saves; the other rules that would do come out on demand.
import { useState } from 'preact/hooks';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';

export interface AlwaysButtonProps {
  suggestions: readonly { label: string }[];
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
      {open && others.map(({ label }, index) => <Button key={label} label={label} disabled={disabled} onClick={() => onChoose(index + 1)} />)}
    </>
  );
}
