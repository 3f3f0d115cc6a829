// One entry of the conversation, by its kind.
import { type ChatItem } from '../../src/shared/chat';
import { Markdown } from '../markdown/markdown';
import { chat } from '../state/chat';
import { ToolCard } from '../tools/tool-card';
import { Boundary } from './boundary';
import { CompactionCard } from './compaction-card';
import { NoticeCard } from './notice-card';
import { Thinking } from './thinking';
import { UserMessage } from './user-message';

/** Redraws with its own item only. */
export function ItemView({ id }: { id: string }) {
  const item = chat.item(id)?.value;
  if (!item) return null;
  return (
    <div class={`row row-${item.kind}`} id={`row-${id}`} data-row>
      <Boundary text={plainTextOf(item)}>
        <Body item={item} />
      </Boundary>
    </div>
  );
}

function Body({ item }: { item: ChatItem }) {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'text':
      return <Markdown text={item.text} streaming={item.streaming} announced />;
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool':
      return <ToolCard tool={item} />;
    case 'notice':
      return <NoticeCard notice={item} />;
    case 'compaction':
      return <CompactionCard item={item} />;
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
    case 'compaction':
      return 'The conversation was compacted here.';
  }
}
