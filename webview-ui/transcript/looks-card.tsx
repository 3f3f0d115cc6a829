// A run of reads and searches as one line; opened, each of them.
import { chat } from '../state/chat';
import { useOpener } from '../find/openers';
import { looksSummary } from '../state/turn-rows';
import { useRowState } from '../state/row-state';
import { Hidden, Twistie } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { ItemView, type RowPlace } from './item';

export interface LooksCardProps {
  ids: readonly string[];
  /** Of the row. */
  place: RowPlace;
}

export function LooksCard({ ids, place }: LooksCardProps) {
  const [open, setOpen] = useRowState(`looks ${ids[0]}`, false);
  useOpener(ids, () => setOpen(true));
  const items = ids.flatMap((id) => chat.item(id)?.value ?? []);
  const running = items.some((item) => item.kind === 'tool' && item.state === 'running');
  const summary = looksSummary(items);
  const bodyId = `looks-${ids[0]}`;
  return (
    <div class={`row row-tool ${place.classes}`} id={`row-${place.key}`} data-key={place.key} data-row>
      <div class="tool" role="group" aria-label={summary}>
        <div class="tool-line">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={`Details of: ${summary}`} controls={bodyId} />
          <Icon name={running ? 'loading' : 'search'} spin={running} class="tool-icon" />
          <span class="tool-text">
            <span class="tool-sentence">{summary}</span>
            <Hidden>, {running ? 'running' : 'done'}</Hidden>
          </span>
        </div>
        {open && (
          <div class="looks-body" id={bodyId}>
            {ids.map((id) => (
              <ItemView key={id} id={id} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
