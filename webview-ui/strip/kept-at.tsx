// What goes on until it is stopped: the agent's goal, or a prompt that repeats, each with the button that ends it.
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';

export interface KeptAtProps {
  id: 'goal' | 'loop';
  name: string;
  icon: string;
  text: string;
  stop: string;
}

export function KeptAt({ id, name, icon, text, stop }: KeptAtProps) {
  return (
    <section class="strip-part strip-tasks" aria-label={name}>
      <div class="strip-line kept-at">
        <Icon name={icon} />
        <span class="strip-count">{name}</span>
        <span class="strip-current quiet" title={text}>
          {text}
        </span>
        <IconButton icon="close" label={stop} onClick={() => post({ type: 'stopTask', taskId: id })} />
      </div>
    </section>
  );
}
