// Where the user writes: the textbox with everything around it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type MentionSuggestion, type SlashCommand } from '../../src/shared/answers';
import { post } from '../host/vscode-api';
import { Icon } from '../parts/icon';
import { focusQuestion } from '../questions/focus';
import { announce } from '../state/announce';
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
import { Footer } from './footer';
import { takePasted, useDropping } from './take-files';
import { applyMention, mentionAt } from './mention';
import { MENTION_LIST_ID, MentionPopup, optionId, useMentions } from './mention-popup';
import { QueueList } from './queue-list';
import { applySlash, runsAtOnce, slashAt } from './slash';
import { SLASH_LIST_ID, slashOptionId, SlashPopup, useSlash } from './slash-popup';
import { useSelectionChip } from './selection-chip';
import { newestQueued, recallMessage, takeBack } from './take-back';

const GROWS_BY_ITSELF = typeof CSS !== 'undefined' && CSS.supports('field-sizing', 'content');

export function Composer() {
  const text = draft.value;
  const cursor = caret.value;
  const [closedAt, setClosedAt] = useState<number>();
  const [problem, setProblem] = useState('');
  const textarea = useRef<HTMLTextAreaElement>(null);
  const selection = useSelectionChip();
  const found = mentionAt(text, cursor);
  const mention = found && found.start !== closedAt ? found : undefined;
  const mentions = useMentions(mention);
  const popup = mentions.items.length > 0;
  const slash = slashAt(text, cursor);
  const commands = useSlash(closedAt === 0 ? undefined : slash);
  const menu = commands.items.length > 0;

  useLayoutEffect(() => {
    setTextbox(textarea.current);
    return () => setTextbox(null);
  }, []);
  useLayoutEffect(() => growToFit(textarea.current), [text]);
  useEffect(() => {
    if (found === undefined && slash === undefined) setClosedAt(undefined);
  }, [found === undefined && slash === undefined]);

  const refuse = (message: string) => {
    setProblem(message);
    if (message !== '') announce(message);
  };
  const dropping = useDropping(refuse);
  const send = () => {
    if (!imagesAreThere(send)) return;
    if (draft.peek().trim() === '' && images.peek().length === 0) return;
    post({
      type: 'send',
      text: draft.peek(),
      images: images.peek().map(({ name, mediaType, data }) => ({ name, mediaType, data })),
      withSelection: selection.shown,
    });
    clearDraft();
    followEnd();
    refuse('');
    focusComposer();
  };
  const choose = (item: MentionSuggestion) => {
    if (!mention) return;
    const applied = applyMention(draft.peek(), cursor, mention, item);
    placeText(applied.text, applied.cursor);
  };

  const chooseCommand = (item: SlashCommand, runs: boolean) => {
    if (runs && runsAtOnce(draft.peek(), item)) {
      setDraft(`/${item.name}`);
      send();
      return;
    }
    const applied = applySlash(draft.peek(), cursor, item);
    placeText(applied.text, applied.cursor);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an input method's composition is not meant for us.
    if (event.isComposing) return;
    if (popup && popupKey(event)) return stop(event);
    if (menu && menuKey(event)) return stop(event);
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
  const popupKey = (event: KeyboardEvent): boolean => {
    if (withModifier(event)) return false;
    const count = mentions.items.length;
    if (event.key === 'ArrowDown') mentions.setActive((mentions.active + 1) % count);
    else if (event.key === 'ArrowUp') mentions.setActive((mentions.active - 1 + count) % count);
    else if (event.key === 'Escape') setClosedAt(mention?.start);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      // What is listed is for less than what stands there: Enter sends that, Tab goes nowhere.
      if (!mentions.fresh) return event.key === 'Tab';
      const item = mentions.items[mentions.active];
      if (item) choose(item);
    } else return false;
    return true;
  };
  const menuKey = (event: KeyboardEvent): boolean => {
    if (withModifier(event)) return false;
    const count = commands.items.length;
    if (event.key === 'ArrowDown') commands.setActive((commands.active + 1) % count);
    else if (event.key === 'ArrowUp') commands.setActive((commands.active - 1 + count) % count);
    else if (event.key === 'Escape') setClosedAt(0);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      if (!commands.fresh) return event.key === 'Tab';
      const item = commands.items[commands.active];
      if (item) chooseCommand(item, event.key === 'Enter');
    } else return false;
    return true;
  };

  return (
    <div class={dropping ? 'composer dropping' : 'composer'}>
      {popup && <MentionPopup {...mentions} onChoose={choose} />}
      {menu && <SlashPopup {...commands} onChoose={(item) => chooseCommand(item, true)} />}
      <QueueList />
      <AsideLine />
      <div class="composer-box">
        <AttachedImages />
        <textarea
          class="message"
          ref={textarea}
          rows={1}
          aria-label="Message"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={popup ? MENTION_LIST_ID : menu ? SLASH_LIST_ID : undefined}
          aria-activedescendant={popup ? optionId(mentions.active) : menu ? slashOptionId(commands.active) : undefined}
          placeholder={placeholder()}
          value={text}
          onInput={(event) => {
            setDraft(event.currentTarget.value);
            caret.value = event.currentTarget.selectionStart;
          }}
          onSelect={(event) => void (caret.value = event.currentTarget.selectionStart)}
          onBlur={() => setClosedAt(found?.start ?? (slash === undefined ? undefined : 0))}
          onKeyDown={onKeyDown}
          onPaste={(event) => takePasted(event, refuse)}
        />
        {problem !== '' && (
          <div class="composer-problem">
            <Icon name="error" />
            <span>{problem}</span>
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
  const last = chat.turns.peek().findLast((turn) => chat.item(turn.ids.peek()[0] ?? '')?.peek().kind === 'user');
  const item = last && chat.item(last.ids.peek()[0] ?? '')?.peek();
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

/** Such keys are for others than the lists: Alt+Enter answers an approval. */
function withModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
