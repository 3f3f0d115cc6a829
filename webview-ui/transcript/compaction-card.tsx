// Says that the conversation was compacted: how much room that made, and ways to read, rewrite and undo it.
import { useEffect, useRef } from 'preact/hooks';
import { type CompactionItem } from '../../src/shared/chat';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';
import { announce } from '../state/announce';
import { chat } from '../state/chat';

/** A card says that one runs: the next one, which takes its place, shows how it ended. The turn may be over with it. */
let isAwaited = false;

export function CompactionCard({ item }: { item: CompactionItem }) {
  const { state, id, holds } = item;
  const title = titleOf(item);
  // A card that was there before is not news: only one that comes while Deft is at work.
  const came = useRef(isAwaited || chat.facts.peek().status !== 'idle');
  const isAnnounced = state === 'running' || state === 'failed' || (state === 'done' && came.current);
  useEffect(() => {
    if (isAnnounced) announce(title);
  }, [isAnnounced, title]);
  useEffect(() => {
    if (state !== 'running') return;
    isAwaited = true;
    // What is drawn in its place is drawn first.
    return () => void setTimeout(() => (isAwaited = false));
  }, [state]);
  const act = (action: 'read' | 'edit' | 'undo') => () => post({ type: 'compaction', id, action });
  return (
    <div class="notice notice-info" role="group" aria-label={title}>
      <Icon
        name={state === 'running' ? 'loading' : state === 'failed' ? 'warning' : 'fold'}
        spin={state === 'running'}
        class="notice-icon"
      />
      <div class="notice-text">
        <div class="notice-title">{title}</div>
        <div class="notice-detail">{detailOf(item)}</div>
        {state === 'running' && (
          <div class="buttons">
            <Button label="Stop compacting" onClick={() => post({ type: 'stop' })} />
          </div>
        )}
        {(state === 'done' || state === 'edited') && (
          <div class="buttons">
            <Button label="Read summary" onClick={act('read')} />
            {holds && <Button label="Edit summary" onClick={act('edit')} />}
            {holds && <Button label="Undo" title="Restore the full conversation" onClick={act('undo')} />}
          </div>
        )}
      </div>
    </div>
  );
}

function titleOf({ state, tokensBefore, tokensAfter, message }: CompactionItem): string {
  switch (state) {
    case 'running':
      return 'Compacting the conversation…';
    case 'failed':
      return message ?? '';
    case 'undone':
      return 'Compaction undone';
    case 'done':
    case 'edited':
      return tokensBefore === undefined || tokensAfter === undefined
        ? 'Conversation compacted'
        : `Conversation compacted: ${short(tokensBefore)} → ${short(tokensAfter)} tokens`;
  }
}

function detailOf({ state, holds, automatic }: CompactionItem): string {
  switch (state) {
    case 'running':
      return 'The model is writing a summary of the conversation so far.';
    case 'failed':
      return '';
    case 'undone':
      return 'The whole conversation is sent again.';
    case 'done':
    case 'edited': {
      if (!holds) return 'A later compaction has replaced it.';
      const why = automatic ? "It was close to the model's limit. " : '';
      return `${why}Your own messages are kept word for word${state === 'edited' ? ', and the summary is as you edited it' : ''}. The messages above stay here to read.`;
    }
  }
}

function short(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
}
