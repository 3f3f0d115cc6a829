// Messages that wait for their turn: each can be taken back into the textbox or removed.
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { takeBack } from './take-back';

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
          <IconButton
            icon="edit"
            label="Edit queued message"
            title="Recall and edit (↑ in an empty message)"
            onClick={() => takeBack(message, true)}
          />
          <IconButton icon="close" label="Remove queued message" onClick={() => takeBack(message, false)} />
        </li>
      ))}
    </ul>
  );
}
