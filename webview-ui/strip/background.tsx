// What runs in the background: how much, and on demand each with its time and a Stop.
import { useState } from 'preact/hooks';
import { type BackgroundItem } from '../../src/shared/chat';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Twistie } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { now } from '../state/now';
import { durationText } from '../tools/tool-words';

export function Background({ items }: { items: readonly BackgroundItem[] }) {
  const [open, setOpen] = useState(false);
  const summary = `Background ${items.length}`;
  return (
    <section class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'} aria-label="In the background">
      <div class="strip-line">
        <span class="strip-summary">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={summary} controls="background" />
          <Icon name="server-process" />
          <span class="strip-count">{summary}</span>
        </span>
      </div>
      {open && (
        <ul class="strip-list background-list" id="background" aria-label="Running in the background">
          {items.map((item) => (
            <li key={item.id} class="background-item">
              <Icon name={item.kind === 'agent' ? 'hubot' : 'terminal'} {...(item.color === undefined ? {} : { class: `agent-${item.color}` })} />
              <span class="background-title" title={item.title}>
                {item.title}
              </span>
              <span class="tool-duration">{durationText(Math.max(0, now.value - item.startedAt))}</span>
              <IconButton icon="debug-stop" label={`Stop ${item.title}`} title="Stop" onClick={() => post({ type: 'stopTask', taskId: item.id })} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
