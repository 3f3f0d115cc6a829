// Moves the focus into the question that is shown: to what is chosen, else to its first option.

export function focusOptions(card: Element | null): boolean {
  const option =
    card?.querySelector<HTMLInputElement>('.choice input:checked') ??
    card?.querySelector<HTMLInputElement>('.choice input');
  option?.focus();
  return option != null;
}

/** False where none is shown. */
export function focusQuestion(): boolean {
  return focusOptions(document.querySelector('.question'));
}
