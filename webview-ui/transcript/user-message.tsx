// The user's own message, with what was attached to it.
import { type UserItem } from '../../src/shared/chat';
import { headOf } from '../../src/shared/cut-text';
import { useOpener } from '../find/openers';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { useRowState } from '../state/row-state';
import { RewindMenu } from './rewind-menu';

/** Longer messages show their beginning. */
const MAX_LINES = 20;
const MAX_LENGTH = 2_000;

export function UserMessage({ item }: { item: UserItem }) {
  const [whole, setWhole] = useRowState(`message ${item.id}`, false);
  useOpener([item.id], () => setWhole(true));
  const short = shorten(item.text);
  return (
    <div class="user">
      {item.text !== '' && <div class="user-text">{whole ? item.text : short}</div>}
      {!chat.facts.value.external && <RewindMenu id={item.id} text={item.text} />}
      {short !== item.text && (
        <button
          type="button"
          class="link-button"
          aria-expanded={whole}
          title={whole ? 'Show only the beginning of the message' : 'Show all of the message'}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : 'Show all of the message'}
        </button>
      )}
      {(item.attachments.length > 0 || item.images > 0 || item.steering) && (
        <ul class="chips" aria-label="Attached">
          {item.attachments.map((label, index) => (
            <li class="chip" key={index} title={label}>
              <Icon name="file" />
              <span class="chip-label">{label}</span>
            </li>
          ))}
          {item.images > 0 && (
            <li class="chip">
              <Icon name="file-media" />
              <span class="chip-label">{item.images === 1 ? '1 image' : `${item.images} images`}</span>
            </li>
          )}
          {item.steering && <li class="quiet">Sent while Deft was working</li>}
        </ul>
      )}
    </div>
  );
}

function shorten(text: string): string {
  const lines = text.split('\n');
  const cut = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join('\n') : text;
  return cut.length > MAX_LENGTH ? `${headOf(cut, MAX_LENGTH)} …` : cut;
}
