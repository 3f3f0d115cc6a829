// The conversation: what is near the view of its turns, in a log that stays at its end while the reader does.
import { useEffect, useRef } from 'preact/hooks';
import { FindBar } from '../find/find-bar';
import { IconButton } from '../parts/button';
import { chat, received } from '../state/chat';
import { askOlder } from '../state/ask-older';
import { useScroll } from './scroll';
import { StatusLine } from './status-line';
import { drawnTurns } from './turn';
import { useMountedRows } from './use-mounted-rows';
import { useCompleteCopies } from './copies';
import { noteScroll } from './row-scrolls';
import { EmptyChat } from './empty-chat';

export function Transcript() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useScroll(scroller, content);
  const { atEnd, toEnd, holdPosition } = scroll;
  const turns = chat.turns.value;
  const first = turns[0]?.ids[0];
  const drawnFirst = useRef(first);
  // Older items are about to be drawn above: what the reader looks at stays where it is.
  if (first !== drawnFirst.current) holdPosition();
  drawnFirst.current = first;
  const mounted = useMountedRows(scroller, scroll);
  useCompleteCopies(scroller);
  const empty = turns.length === 0 && chat.facts.value.status === 'idle' && received.ready.value;
  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        ref={scroller}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        tabIndex={0}
        data-session={chat.facts.value.sessionId}
        onScrollCapture={noteScroll}
      >
        <div class="transcript-content" ref={content}>
          <Older />
          {empty && <EmptyChat />}
          {drawnTurns(mounted)}
          {!empty && <StatusLine />}
        </div>
      </div>
      <FindBar />
      {!atEnd && (
        <IconButton
          class="to-end"
          icon="arrow-down"
          label="Jump to latest"
          title="Jump to latest (End)"
          onClick={toEnd}
        />
      )}
    </div>
  );
}

/** Fetches older items when the reader comes near the beginning. */
function Older() {
  const mark = useRef<HTMLDivElement>(null);
  const older = chat.facts.value.olderItems;
  const first = chat.turns.value[0]?.ids[0];
  const opened = received.opened.value;
  const more = older > 0;

  useEffect(() => {
    if (!mark.current || !more) return undefined;
    const root = mark.current.closest('.transcript');
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && askOlder(),
      {
        root,
        rootMargin: '1200px 0px 0px 0px',
      },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [more, first, opened]);

  return (
    <div class="older" ref={mark}>
      {more && <span class="quiet">{`${older.toLocaleString()} older entries`}</span>}
    </div>
  );
}
