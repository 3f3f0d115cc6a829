// The conversation: turns from old to new, in a log that stays at its end while the reader does.
import { type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FindBar } from '../find/find-bar';
import { IconButton } from '../parts/button';
import { type Turn } from '../state/chat-store';
import { chat, received } from '../state/chat';
import { askOlder } from '../state/ask-older';
import { useMountedTurns } from './mounted-turns';
import { useScroll } from './scroll';
import { StatusLine } from './status-line';
import { TurnArticle } from './turn';
import { EmptyChat } from './empty-chat';

export function Transcript() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd, holdPosition } = useScroll(scroller, content);
  const turns = chat.turns.value;
  const { from, mountMore } = useMountedTurns(turns, holdPosition);
  const first = turns[0]?.ids.value[0];
  const drawnFirst = useRef(first);
  // Older items are about to be drawn above: what the reader looks at stays where it is.
  if (first !== drawnFirst.current) holdPosition();
  drawnFirst.current = first;
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
      >
        <div class="transcript-content" ref={content}>
          <Older hidden={from > 0} onNear={mountMore} />
          {empty && <EmptyChat />}
          {turns.slice(from).map(turnNode)}
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

const turnNodes = new WeakMap<Turn, VNode>();

/** A turn redraws itself: the same node again saves looking at thousands of turns for one that is new. */
function turnNode(turn: Turn): VNode {
  const kept = turnNodes.get(turn);
  if (kept) return kept;
  const node = <TurnArticle key={turn.key} turn={turn} />;
  turnNodes.set(turn, node);
  return node;
}

interface OlderProps {
  /** Turns that are there already come first. */
  hidden: boolean;
  onNear: () => void;
}

/** Fetches older items when the reader comes near the beginning. */
function Older({ hidden, onNear }: OlderProps) {
  const mark = useRef<HTMLDivElement>(null);
  const older = chat.facts.value.olderItems;
  const first = chat.turns.value[0]?.ids.value[0];
  const opened = received.opened.value;
  const more = hidden || older > 0;

  useEffect(() => {
    if (!mark.current || !more) return undefined;
    const near = () => {
      if (hidden) return onNear();
      askOlder();
    };
    const root = mark.current.closest('.transcript');
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && near(), {
      root,
      rootMargin: '1200px 0px 0px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [hidden, more, first, opened, onNear]);

  return (
    <div class="older" ref={mark}>
      {!hidden && older > 0 && <span class="quiet">{`${older.toLocaleString()} older entries`}</span>}
    </div>
  );
}
