// One entry of the conversation, by its kind.
import { type ChatItem } from '../../src/shared/chat';
import { ledgerLine } from '../../src/shared/ledger-words';
import { useState } from 'preact/hooks';
import { Markdown } from '../markdown/markdown';
import { WHOLE_TEXT } from '../markdown/step';
import { CopyButton } from '../parts/copy-button';
import { chat } from '../state/chat';
import { continuesAnswer, wholeAnswer } from '../state/turn-answer';
import { ToolCard } from '../tools/tool-card';
import { Boundary } from './boundary';
import { CompactionCard } from './compaction-card';
import { LedgerCard } from './ledger-card';
import { NoticeCard } from './notice-card';
import { Thinking } from './thinking';
import { UserMessage } from './user-message';

/** Of a row of the conversation itself, not of one inside a card. */
export interface RowPlace {
  readonly key: string;
  readonly classes: string;
  /** How high it was when it was there before: a long text is drawn in steps, and must not push what is below it about. */
  readonly knownHeight: number | undefined;
}

/** Redraws with its own item only. */
export function ItemView({ id, place }: { id: string; place?: RowPlace }) {
  const item = chat.item(id)?.value;
  const [whole, setWhole] = useState(false);
  if (!item) return null;
  const reserved = !whole && item.kind === 'text' && item.text.length > WHOLE_TEXT ? place?.knownHeight : undefined;
  return (
    <div
      class={`row row-${item.kind} ${place?.classes ?? ''}`}
      id={`row-${id}`}
      data-key={place?.key}
      data-row
      style={{ minHeight: reserved === undefined ? '' : `${reserved}px` }}
    >
      <Boundary text={plainTextOf(item)}>
        <Body item={item} onWhole={() => setWhole(true)} />
      </Boundary>
    </div>
  );
}

function Body({ item, onWhole }: { item: ChatItem; onWhole: () => void }) {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'text':
      return (
        <div class="answer">
          <Markdown text={item.text} streaming={item.streaming} marks={item.marks} announced onWhole={onWhole} />
          {!item.streaming && item.text.trim() !== '' && (
            <span class="answer-copy">
              <CopyButton text={() => item.text} label="Copy this text" />
              {continuesAnswer(item.id) && (
                <CopyButton icon="clippy" text={() => wholeAnswer(item.id)} label="Copy the whole answer" />
              )}
            </span>
          )}
        </div>
      );
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool':
      return <ToolCard tool={item} />;
    case 'notice':
      return <NoticeCard notice={item} />;
    case 'compaction':
      return <CompactionCard item={item} />;
    case 'ledger':
      return <LedgerCard item={item} />;
  }
}

/** What can be read of it without any drawing. */
function plainTextOf(item: ChatItem): string {
  switch (item.kind) {
    case 'user':
    case 'text':
    case 'thinking':
      return item.text;
    case 'tool':
      return `${item.name} ${item.detail}\n${item.message ?? ''}`.trim();
    case 'notice':
      return `${item.title}\n${item.detail}`;
    case 'ledger':
      return ledgerLine(item.ledger);
    case 'compaction':
      return 'The conversation was compacted here.';
  }
}
