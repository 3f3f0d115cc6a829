// Which of several cards that wait is shown, and the way to the next one.
import { IconButton } from '../parts/button';
import { nextCard } from './decide';

export function CardCount({ at, count }: { at: number; count: number }) {
  if (count < 2) return null;
  return (
    <span class="quiet approval-count">
      {at} of {count}
      <IconButton icon="chevron-right" label="Show the next one" onClick={nextCard} />
    </span>
  );
}
