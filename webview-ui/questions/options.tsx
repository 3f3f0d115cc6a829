// The options of one question, as radios or checkboxes, and "Other" with a field for the user's own words.
import { useRef } from 'preact/hooks';
import { type Question } from '../../src/shared/question';
import { type Choice, choose, chooseOther, write } from '../forms/choices';

export interface OptionsProps {
  /** Joins the radios. */
  name: string;
  question: Question;
  choice: Choice;
  onChange: (choice: Choice) => void;
  /** The option that has the focus. */
  onSeen: (label: string | undefined) => void;
  /** Enter: the choice counts. */
  onGoOn: (choice: Choice) => void;
}

export function Options({ name, question, choice, onChange, onSeen, onGoOn }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const { multiSelect, options } = question;

  /** Arrows go through checkboxes as the browser lets them go through radios. */
  const arrow = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!multiSelect || step === undefined) return false;
    const all = [...(list.current?.querySelectorAll<HTMLInputElement>('.choice input[type=checkbox]') ?? [])];
    const at = all.findIndex((input) => input === event.target);
    all[(at + step + all.length) % all.length]?.focus();
    return true;
  };
  const onOptionKey = (event: KeyboardEvent, chosen: boolean, chosenNow: Choice) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      const nothing = choice.labels.length === 0 && !choice.other;
      onGoOn(chosen || (multiSelect && !nothing) ? choice : chosenNow);
    } else if (!arrow(event)) return;
    event.preventDefault();
  };

  return (
    <div
      class="options"
      role={multiSelect ? 'group' : 'radiogroup'}
      aria-label={multiSelect ? 'Choose one or more' : 'Choose one'}
      ref={list}
    >
      {multiSelect && <div class="quiet">Choose one or more.</div>}
      {options.map(({ label, description }, index) => {
        const checked = choice.labels.includes(label);
        return (
          <label class="choice" key={label}>
            <input
              type={inputType(question)}
              name={name}
              checked={checked}
              aria-label={label}
              aria-describedby={`${name}-${index}`}
              onChange={() => onChange(choose(choice, question, label))}
              onFocus={() => onSeen(label)}
              onKeyDown={(event) => onOptionKey(event, checked, choose(choice, question, label))}
            />
            <span class="choice-text">
              <span>{label}</span>
              <span class="choice-detail" id={`${name}-${index}`}>
                {description}
              </span>
            </span>
          </label>
        );
      })}
      <Other {...{ name, question, choice, onChange, onSeen, onGoOn, onOptionKey }} />
    </div>
  );
}

interface OtherProps extends OptionsProps {
  /** What the keys of all options do; `chosenNow` is the choice with this option chosen. */
  onOptionKey: (event: KeyboardEvent, chosen: boolean, chosenNow: Choice) => void;
}

function Other({ name, question, choice, onChange, onSeen, onGoOn, onOptionKey }: OtherProps) {
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const written = choice.text.trim() !== '';
    if (event.key === 'Enter' && !written && !event.isComposing) {
      event.preventDefault();
      field.current?.focus();
    } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // The key goes to the field.
      field.current?.focus();
    } else {
      onOptionKey(event, choice.other, chooseOther(choice, question));
    }
  };
  return (
    <div class="choice">
      <label class="choice-other">
        <input
          type={inputType(question)}
          name={name}
          checked={choice.other}
          aria-label="Other"
          onChange={(event) => onChange(chooseOther(choice, question, event.currentTarget.checked))}
          // A click wants to write; arrows only pass by.
          onClick={(event) => event.detail > 0 && event.currentTarget.checked && field.current?.focus()}
          onFocus={() => onSeen(undefined)}
          onKeyDown={onKeyDown}
        />
        <span>Other</span>
      </label>
      <input
        class="input"
        type="text"
        ref={field}
        aria-label="Other answer"
        maxLength={100_000}
        placeholder={question.otherHint ?? 'In your own words'}
        value={choice.text}
        onFocus={() => onSeen(undefined)}
        onInput={(event) => onChange(write(choice, question, event.currentTarget.value))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.isComposing || event.altKey) return;
          event.preventDefault();
          if (choice.text.trim() !== '') onGoOn(chooseOther(choice, question));
        }}
      />
    </div>
  );
}

function inputType({ multiSelect }: Question): 'checkbox' | 'radio' {
  return multiSelect ? 'checkbox' : 'radio';
}
