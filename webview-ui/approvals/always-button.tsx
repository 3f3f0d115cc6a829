// "Always allow …": one button that names the rule it saves; the other rules that would do come out on demand.
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { type ApprovalCard } from '../../src/shared/chat';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';
import { useOpened } from '../parts/opened';
import { codeParts } from '../parts/with-code';

type Suggestion = ApprovalCard['suggestions'][number];

export interface AlwaysButtonProps {
  suggestions: readonly Suggestion[];
  disabled: boolean;
  onChoose: (index: number) => void;
}

export function AlwaysButton({ suggestions, disabled, onChoose }: AlwaysButtonProps) {
  const [open, setOpen] = useState(false);
  useOpened(open, () => setOpen(false));
  const [first, ...others] = suggestions;
  if (first === undefined) return null;
  return (
    <>
      <span class="split always">
        <Choice suggestion={first} disabled={disabled} onClick={() => onChoose(0)} />
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
      <Saves suggestion={first} first={!open} />
      {open &&
        others.map((suggestion, index) => (
          <Fragment key={suggestion.label}>
            <Choice suggestion={suggestion} disabled={disabled} onClick={() => onChoose(index + 1)} />
            <Saves suggestion={suggestion} />
          </Fragment>
        ))}
    </>
  );
}

/** Where the view is narrow, its last words, which say how long it holds, are cut first: the tooltip has them. */
function Choice({
  suggestion: { label, saves },
  disabled,
  onClick,
}: {
  suggestion: Suggestion;
  disabled: boolean;
  onClick: () => void;
}) {
  const place = / in this (?:project|session)$/.exec(label)?.[0] ?? '';
  const written = saves === undefined ? '' : `\n${savesWords(saves)}`;
  return (
    <Button
      class="always-choice"
      label={place === '' ? label : label.slice(0, -place.length)}
      tail={place}
      title={`${codeParts(label).join('')}${written}`}
      disabled={disabled}
      onClick={onClick}
    />
  );
}

function savesWords({ rules, file }: NonNullable<Suggestion['saves']>): string {
  return `${file === undefined ? 'Allows' : 'Saves'} ${rules.join(' ')}${file === undefined ? '' : ` to ${file}`}`;
}

/** What the click allows and writes, word for word, before it is made. */
function Saves({ suggestion: { label, saves }, first = false }: { suggestion: Suggestion; first?: boolean }) {
  if (saves === undefined) return null;
  // Where it is low, a label that names the rule will do: the tooltip has the file.
  const isNamed = first && label.includes('`');
  return (
    <div class={isNamed ? 'saves saves-named' : 'saves'} title={savesWords(saves)}>
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
