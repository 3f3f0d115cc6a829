// In the place of the approvals, while they are about to be dropped.
import { Button } from '../parts/button';
import { bringBack, droppedWords } from './dropped';

export function DroppedLine({ count }: { count: number }) {
  return (
    <div class="approval dropped" role="group" aria-label="Dropped proposals">
      <span>{droppedWords(count)}</span>
      <Button
        kind="quiet"
        label="Bring back"
        title={count === 1 ? 'Decide about it after all' : 'Decide about them after all'}
        onClick={bringBack}
      />
    </div>
  );
}
