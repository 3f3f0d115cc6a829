// A line of a feature: what continues until it is reached or stopped, with the button that ends it.
import { useState } from 'preact/hooks';
import { type FeatureLine } from '../../src/shared/chat';
import { focusComposer } from '../state/draft';
import { now } from '../state/now';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Twistie } from '../parts/disclosure';
import { useHandOnFocus } from '../parts/hand-on-focus';
import { Icon } from '../parts/icon';
import { announce } from '../state/announce';
import { durationText } from '../tools/tool-words';

export function Line({ line }: { line: FeatureLine }) {
  const { id, name, icon, text, stop, stopped } = line;
  const [open, setOpen] = useState(false);
  const section = useHandOnFocus<HTMLElement>(focusComposer);
  const progress = progressOf(line);
  const end = () => {
    post({ type: 'stopTask', taskId: id });
    announce(stopped);
  };
  return (
    <section class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'} aria-label={name} ref={section}>
      <div class="strip-line feature-line">
        <Twistie open={open} onToggle={() => setOpen(!open)} label={name} controls={`line-${id}`} />
        <Icon name={icon} />
        <span class="strip-count">{name}</span>
        <span class="feature-words" id={`line-${id}`} tabIndex={open ? 0 : undefined}>
          <span class="feature-text quiet">{text}</span>
          {progress !== undefined && <span class="feature-progress quiet">{progress}</span>}
        </span>
        <IconButton icon="close" label={stop} onClick={end} />
      </div>
    </section>
  );
}

/** Redraws each second only while there is a time to wait for. */
function progressOf({ progress, nextAt }: FeatureLine): string | undefined {
  if (nextAt === undefined) return progress;
  return [progress, `next in ${durationText(Math.max(0, nextAt - now.value))}`]
    .filter((part) => part !== undefined)
    .join(', ');
}
