// Messages that wait for their turn: each can be taken back into the textbox or removed.
import { type QueuedMessage } from '../../src/shared/chat';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { draft, focusComposer, placeText } from './draft';

export function QueueList() {
  const queue = chat.facts.value.queue;
  if (queue.length === 0) return null;
  return (
    <ul class="queue" aria-label="Queued messages">
      {queue.map((message) => (
        <li class="queued" key={message.id}>
          <Icon name="history" />
          <span class="queued-text" title={message.text}>
            {message.text}
          </span>
          <IconButton icon="edit" label="Edit queued message" title="Take back and edit (↑ in the empty message)" onClick={() => takeBack(message)} />
          <IconButton icon="close" label="Remove queued message" onClick={() => remove(message)} />
        </li>
      ))}
    </ul>
  );
}

/** Into the textbox again, above what is written there. */
export function takeBack(message: QueuedMessage): void {
  post({ type: 'unqueue', id: message.id });
  const written = draft.peek();
  placeText(written === '' ? message.text : `${message.text}\n${written}`);
}

function remove(message: QueuedMessage): void {
  post({ type: 'unqueue', id: message.id });
  focusComposer();
}
