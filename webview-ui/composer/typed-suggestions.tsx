// The lists for what is being typed, files for "@" and commands for "/": the textbox keeps the focus and steers them.
import { useEffect, useState } from 'preact/hooks';
import { type VNode } from 'preact';
import { type MentionSuggestion, type SlashCommand } from '../../src/shared/answers';
import { caret, draft, placeText, setDraft } from '../state/draft';
import { applyMention, mentionAt } from './mention';
import { MENTION_LIST_ID, MentionPopup, optionId, useMentions } from './mention-popup';
import { applySlash, runsAtOnce, slashAt } from './slash';
import { SLASH_LIST_ID, slashOptionId, SlashPopup, useSlash } from './slash-popup';
import { type Suggestions } from './suggestions';

export interface TypedSuggestions {
  popup: VNode;
  /** The open list, and its active option; undefined while none is open. */
  listId: string | undefined;
  activeId: string | undefined;
  /** True where the key was for an open list. */
  onKey: (event: KeyboardEvent) => boolean;
  close: () => void;
}

/** `send` sends the draft: a command that needs no more words runs when it is chosen. */
export function useTypedSuggestions(send: () => void): TypedSuggestions {
  const text = draft.value;
  const cursor = caret.value;
  /** Where the "@" or "/" stands whose list the user has closed. */
  const [closedAt, setClosedAt] = useState<number>();
  const found = mentionAt(text, cursor);
  const mention = found && found.start !== closedAt ? found : undefined;
  const mentions = useMentions(mention);
  const slash = slashAt(text, cursor);
  const commands = useSlash(closedAt === 0 ? undefined : slash);
  useEffect(() => {
    if (found === undefined && slash === undefined) setClosedAt(undefined);
  }, [found === undefined && slash === undefined]);

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

  const popup = mentions.items.length > 0;
  const menu = commands.items.length > 0;
  return {
    popup: (
      <>
        {popup && <MentionPopup {...mentions} onChoose={choose} />}
        {menu && <SlashPopup {...commands} onChoose={(item) => chooseCommand(item, true)} />}
      </>
    ),
    listId: popup ? MENTION_LIST_ID : menu ? SLASH_LIST_ID : undefined,
    activeId: popup ? optionId(mentions.active) : menu ? slashOptionId(commands.active) : undefined,
    onKey: (event) =>
      (popup && steer(event, mentions, { choose, close: () => setClosedAt(mention?.start) })) ||
      (menu &&
        steer(event, commands, {
          choose: (item) => chooseCommand(item, event.key === 'Enter'),
          close: () => setClosedAt(0),
        })),
    close: () => setClosedAt(found?.start ?? (slash === undefined ? undefined : 0)),
  };
}

/** True where the key was for the list, also if it does nothing there. */
function steer<Item>(
  event: KeyboardEvent,
  { items, active, setActive, fresh }: Suggestions<Item>,
  { choose, close }: { choose: (item: Item) => void; close: () => void },
): boolean {
  if (withModifier(event)) return false;
  if (event.key === 'ArrowDown') setActive((active + 1) % items.length);
  else if (event.key === 'ArrowUp') setActive((active - 1 + items.length) % items.length);
  else if (event.key === 'Escape') close();
  else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
    // What is listed is for less than what is there: Enter sends that, Tab goes nowhere.
    if (!fresh) return event.key === 'Tab';
    const item = items[active];
    if (item) choose(item);
  } else return false;
  return true;
}

/** Such keys are for others than the lists: Alt+Enter answers an approval. */
function withModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey;
}
