// What runs in the background: how much, and on demand what each does, since when, its output, and a Stop.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type BackgroundItem } from '../../src/shared/chat';
import { post, request } from '../host/vscode-api';
import { Button, IconButton } from '../parts/button';
import { Hidden, Twistie } from '../parts/disclosure';
import { useHandOnFocus } from '../parts/hand-on-focus';
import { Icon } from '../parts/icon';
import { page } from '../state/chat';
import { now } from '../state/now';
import { durationText } from '../tools/tool-words';

const kinds: Readonly<Record<BackgroundItem['kind'], { icon: string; word: string; file: string }>> = {
  command: { icon: 'terminal', word: 'Command', file: 'output' },
  agent: { icon: 'hubot', word: 'Agent', file: 'transcript' },
  teammate: { icon: 'organization', word: 'Teammate', file: 'transcript' },
};

/** How often commands are asked what they print, while somebody looks. */
const askMs = 2_000;

/** Opens the list, where something runs. */
let openList: (() => void) | undefined;

export function showBackground(): void {
  page.value = 'conversation';
  openList?.();
}

export function Background({ items }: { items: readonly BackgroundItem[] }) {
  const [open, setOpen] = useState(false);
  const [lines, setLines] = useState<Readonly<Record<string, string>>>({});
  const list = useRef<HTMLUListElement>(null);
  const section = useRef<HTMLElement>(null);
  const summary = `Background ${items.length}`;
  const close = (): void => {
    setOpen(false);
    focusTwistie(section.current);
  };
  useEffect(() => {
    openList = () => {
      setOpen(true);
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('button')?.focus());
    };
    return () => void (openList = undefined);
  }, []);
  const hasCommands = items.some(({ kind }) => kind === 'command');
  useEffect(() => {
    if (!open || !hasCommands) return undefined;
    const ask = (): void => {
      if (document.visibilityState === 'visible') void request('backgroundLines', {}).then(setLines);
    };
    ask();
    const timer = setInterval(ask, askMs);
    return () => clearInterval(timer);
  }, [open, hasCommands]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    // It closes this and stops nothing.
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    <section
      class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'}
      aria-label="Background work"
      ref={section}
      onKeyDown={onKeyDown}
    >
      <div class="strip-line">
        <span class="strip-summary">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={summary} controls="background" />
          <Icon name="server-process" />
          <span class="strip-count">{summary}</span>
        </span>
        {open && items.length > 1 && <StopAll items={items} />}
      </div>
      {open && (
        <ul class="strip-list background-list" id="background" aria-label="Background work" ref={list}>
          {items.map((item) => (
            <Row key={item.id} item={item} line={item.now ?? lines[item.id]} />
          ))}
        </ul>
      )}
    </section>
  );
}

function StopAll({ items }: { items: readonly BackgroundItem[] }) {
  const place = useHandOnFocus<HTMLSpanElement>((gone) => focusTwistie(gone.closest('section')));
  return (
    <span class="strip-actions" ref={place}>
      <Button
        label="Stop all"
        kind="quiet"
        title={`Stop all ${items.length}`}
        onClick={() => items.forEach(({ id }) => post({ type: 'stopTask', taskId: id }))}
      />
    </span>
  );
}

function focusTwistie(section: Element | null): void {
  section?.querySelector<HTMLElement>('.twistie')?.focus();
}

/** The Stop of the row behind it; where it was the last one, what opens the list. */
function focusAfter(row: Element): void {
  const stop = row.nextElementSibling?.querySelector<HTMLElement>('.background-stop');
  if (stop) stop.focus();
  else focusTwistie(row.closest('section'));
}

function Row({ item, line }: { item: BackgroundItem; line: string | undefined }) {
  const { id, title, kind, startedAt, output, idle } = item;
  const row = useHandOnFocus<HTMLLIElement>(focusAfter);
  const { icon, word, file } = kinds[kind];
  const doing = idle === true ? 'Waits for messages' : line;
  return (
    <li class="background-item" ref={row}>
      <Icon name={icon} {...(item.color === undefined ? {} : { class: `agent-${item.color}` })} />
      <span class="background-words">
        <span class="background-head">
          <span class="background-title" title={title}>
            <Hidden>{`${word}: `}</Hidden>
            {title}
          </span>
          <span class="tool-duration" title={`Since ${new Date(startedAt).toLocaleTimeString()}`}>
            {durationText(Math.max(0, now.value - startedAt))}
          </span>
        </span>
        {doing !== undefined && doing !== '' && (
          <span class={kind === 'command' ? 'background-now background-printed' : 'background-now'} title={doing}>
            {doing}
          </span>
        )}
      </span>
      {output !== undefined && (
        <IconButton
          icon="go-to-file"
          label={`Open the ${file} of ${title}`}
          title={`Open the ${file}`}
          onClick={() => post({ type: 'openFile', path: output })}
        />
      )}
      <IconButton
        class="background-stop"
        icon="debug-stop"
        label={`Stop ${title}`}
        title="Stop"
        onClick={() => post({ type: 'stopTask', taskId: id })}
      />
    </li>
  );
}
