// What goes on until it is stopped: the agent's goal, or a prompt that repeats, each with the button that ends it.
import { useState } from 'preact/hooks';
import { focusComposer } from '../state/draft';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Twistie } from '../parts/disclosure';
import { useHandOnFocus } from '../parts/hand-on-focus';
import { Icon } from '../parts/icon';
import { announce } from '../state/announce';

export interface KeptAtProps {
  id: 'goal' | 'loop';
  name: string;
  icon: string;
  text: string;
  /** How far it is; never cut. */
  progress?: string;
  stop: string;
  stopped: string;
}

export function KeptAt({ id, name, icon, text, progress, stop, stopped }: KeptAtProps) {
  const [open, setOpen] = useState(false);
  const section = useHandOnFocus<HTMLElement>(focusComposer);
  const end = () => {
    post({ type: 'stopTask', taskId: id });
    announce(stopped);
  };
  return (
    <section class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'} aria-label={name} ref={section}>
      <div class="strip-line kept-at">
        <Twistie open={open} onToggle={() => setOpen(!open)} label={name} controls={`kept-${id}`} />
        <Icon name={icon} />
        <span class="strip-count">{name}</span>
        <span class="kept-words" id={`kept-${id}`} tabIndex={open ? 0 : undefined}>
          <span class="kept-text quiet">{text}</span>
          {progress !== undefined && <span class="kept-progress quiet">{progress}</span>}
        </span>
        <IconButton icon="close" label={stop} onClick={end} />
      </div>
    </section>
  );
}
