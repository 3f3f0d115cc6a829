// Buttons: with words, and with a picture alone.
import { type ComponentChildren, type Ref } from 'preact';
import { Icon } from './icon';
import { codeParts, WithCode } from './with-code';

export interface ButtonProps {
  /** `Code` in it is shown as code. */
  label: string;
  onClick: () => void;
  /** The tooltip; names the key where there is one. */
  title?: string;
  kind?: 'primary' | 'secondary' | 'quiet';
  icon?: string;
  disabled?: boolean;
  /** Works on what it was pressed for: it keeps the focus, and another press does nothing. */
  busy?: boolean;
  /** Follows the label, as a key does. */
  hint?: string;
  /** The label's end, which may be left out where there is no room: read all the same. */
  tail?: string;
  class?: string;
  buttonRef?: Ref<HTMLButtonElement>;
}

export function Button({
  label,
  onClick,
  title,
  kind = 'secondary',
  icon,
  disabled,
  busy,
  hint,
  tail,
  class: extra,
  buttonRef,
}: ButtonProps) {
  return (
    <button
      type="button"
      class={`button button-${kind}${extra === undefined ? '' : ` ${extra}`}`}
      title={title ?? codeParts(label).join('')}
      disabled={disabled}
      aria-disabled={busy === true ? true : undefined}
      onClick={() => busy !== true && onClick()}
      ref={buttonRef ?? null}
    >
      {icon && <Icon name={icon} />}
      <span class="button-label">
        <WithCode text={label} />
        {tail !== undefined && <span class="button-tail">{tail}</span>}
      </span>
      {hint && (
        <span class="button-hint" aria-hidden="true">
          {hint}
        </span>
      )}
    </button>
  );
}

export interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  title?: string;
  disabled?: boolean;
  class?: string;
  buttonRef?: Ref<HTMLButtonElement>;
  /** It opens a menu, which is open or not. */
  menuOpen?: boolean;
  children?: ComponentChildren;
}

export function IconButton({
  icon,
  label,
  onClick,
  title,
  disabled,
  class: extra,
  buttonRef,
  menuOpen,
  children,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={extra ? `icon-button ${extra}` : 'icon-button'}
      title={title ?? label}
      aria-label={label}
      aria-haspopup={menuOpen === undefined ? undefined : 'menu'}
      aria-expanded={menuOpen}
      disabled={disabled}
      onClick={onClick}
      ref={buttonRef ?? null}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}
