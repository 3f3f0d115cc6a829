// What screen readers speak while the conversation continues.
import { announcements } from '../state/announce';

export function LiveRegion() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-relevant="additions">
      {announcements.value.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}
