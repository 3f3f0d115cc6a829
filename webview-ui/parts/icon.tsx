// A codicon. Pictures only: text next to it says what it means.

export interface IconProps {
  name: string;
  spin?: boolean;
  class?: string;
}

export function Icon({ name, spin, class: extra }: IconProps) {
  const classes = ['codicon', `codicon-${name}`, spin ? 'codicon-modifier-spin' : '', extra ?? ''];
  return <span class={classes.filter((part) => part !== '').join(' ')} aria-hidden="true" />;
}
