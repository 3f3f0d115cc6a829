// A codicon. Pictures only: what it means is said in words beside it.

export interface IconProps {
  name: string;
  spin?: boolean;
  class?: string;
}

export function Icon({ name, spin, class: extra }: IconProps) {
  const classes = ['codicon', `codicon-${name}`, spin ? 'codicon-modifier-spin' : '', extra ?? ''];
  return <span class={classes.filter((part) => part !== '').join(' ')} aria-hidden="true" />;
}
