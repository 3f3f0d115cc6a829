// Where the user writes: the textbox with everything around it.
import { stopIfDropped } from '../approvals/dropped';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { focusQuestion } from '../questions/focus';
import { chat, received, working } from '../state/chat';
import { followEnd } from '../state/follow';
import { AsideLine } from './aside-line';
import { AttachedImages } from './attached-images';
import {
  beginRecall,
  caret,
  clearDraft,
  draft,
  focusComposer,
  images,
  imagesAreThere,
  placeText,
  setDraft,
  setTextbox,
} from '../state/draft';
import { filesAreRead, forgetProblems, problemText } from '../state/taking';
import { Footer } from './footer';
import { takePasted, useDropping } from './take-files';
import { QueueList } from './queue-list';
import { useSelectionChip } from './selection-chip';
import { newestQueued, recallMessage, takeBack } from './take-back';
import { useTypedSuggestions } from './typed-suggestions';

const GROWS_BY_ITSELF = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

export function Composer() {
  const text = draft.value;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const selection = useSelectionChip();

  useLayoutEffect(() => {
    setTextbox(textarea.current);
    return () => setTextbox(null);
  }, []);
  useLayoutEffect(() => growToFit(textarea.current), [text]);

  const dropping = useDropping();
  const send = () => {
    if (!filesAreRead(send) || !imagesAreThere(send)) return;
    if (draft.peek().trim() === '' && images.peek().length === 0) return;
    stopIfDropped();
    post({
      type: 'send',
      text: draft.peek(),
      images: images.peek().map(({ name, mediaType, data }) => ({ name, mediaType, data })),
      withSelection: selection.shown,
    });
    clearDraft();
    followEnd();
    forgetProblems();
    focusComposer();
  };
  const suggestions = useTypedSuggestions(send);

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an input method's composition is not meant for us.
    if (event.isComposing) return;
    if (suggestions.onKey(event)) return stop(event);
    if (event.key === 'Enter' && sends(event)) {
      stop(event);
      send();
    } else if (
      event.key === 'ArrowUp' &&
      draft.peek() === '' &&
      !event.shiftKey &&
      (event.repeat || focusQuestion() || recall())
    ) {
      stop(event);
    }
  };

  return (
    <div class={dropping ? 'composer dropping' : 'composer'}>
      {suggestions.popup}
      <QueueList />
      <AsideLine />
      <div class="composer-box">
        {dropping && (
          <div class="drop-hint">Drop with Shift held: pictures are attached, files and folders mentioned</div>
        )}
        <AttachedImages />
        <textarea
          class="message"
          ref={textarea}
          rows={1}
          aria-label="Message"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={suggestions.listId}
          aria-activedescendant={suggestions.activeId}
          placeholder={placeholder()}
          value={text}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
            caret.value = event.currentTarget.selectionStart;
          }}
          onSelect={(event) => void (caret.value = event.currentTarget.selectionStart)}
          onBlur={suggestions.close}
          onKeyDown={onKeyDown}
          onPaste={takePasted}
        />
        {problemText.value !== '' && (
          <div class="composer-problem">
            <Icon name="error" />
            <span>{problemText.value}</span>
          </div>
        )}
        <Footer onSend={send} selection={selection} />
      </div>
    </div>
  );
}

function placeholder(): string {
  if (chat.facts.value.questions.length > 0) return 'Choose above (↑), or answer in your own words';
  return working.value ? 'Add a message for Deft to read next' : 'Ask Deft, @ for files, / for commands';
}

function sends(event: KeyboardEvent): boolean {
  if (event.shiftKey || event.altKey) return false;
  return received.surroundings.peek().sendWith !== 'ctrlEnter' || event.ctrlKey || event.metaKey;
}

/** Takes back what is queued, else writes the last message again. False where there is neither. */
function recall(): boolean {
  const queued = newestQueued();
  if (queued) {
    void takeBack(queued, true);
    return true;
  }
  // The host has not answered yet.
  if (chat.facts.peek().queue.length > 0) return true;
  const last = chat.turns.peek().findLast((turn) => chat.item(turn.ids[0] ?? '')?.peek().kind === 'user');
  const item = last && chat.item(last.ids[0] ?? '')?.peek();
  if (item?.kind !== 'user' || (item.text === '' && item.images === 0)) return false;
  // The page holds no images of what was sent.
  if (item.images === 0) placeText(item.text);
  // Pressed again before the host has answered: one answer is enough.
  else if (beginRecall(item.id)) void recallMessage(item.id);
  return true;
}

function growToFit(element: HTMLTextAreaElement | null): void {
  if (!element || GROWS_BY_ITSELF) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
