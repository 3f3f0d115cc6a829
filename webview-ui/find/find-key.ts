// The keys of the find bar: one opens it from anywhere in the conversation, the others work within it.
import { page, received } from '../state/chat';
import { closeFind, isOpen, openFind, toHit } from './find';

/** True where the key was one. VS Code does not get it: in the side bar it would search in the editor. */
export function findKey(event: KeyboardEvent): boolean {
  if (event.isComposing || page.peek() !== 'conversation' || !act(event)) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function act(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isMac = received.surroundings.peek().platform === 'mac';
  const modifier = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (modifier && !altKey && !shiftKey && key.toLowerCase() === 'f') {
    openFind();
    return true;
  }
  if (!isOpen.peek() || ctrlKey || metaKey || altKey) return false;
  if (key === 'F3') {
    toHit(shiftKey ? -1 : 1);
    return true;
  }
  // It lies over the conversation, so it goes before anything is stopped; what lies over the composer has gone by then.
  if (key === 'Escape' && !event.defaultPrevented) closeFind();
  else if (key === 'Enter' && event.target instanceof HTMLInputElement && event.target.closest('.find') !== null)
    toHit(shiftKey ? -1 : 1);
  else return false;
  return true;
}
