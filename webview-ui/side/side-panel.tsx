// Questions outside the conversation: what was asked and answered, a field for the next one, and the button that forgets them.
import { useEffect, useRef } from 'preact/hooks';
import { type SideExchange } from '../../src/shared/chat';
import { focusComposer } from '../state/draft';
import { post } from '../host/vscode-api';
import { Markdown } from '../markdown/markdown';
import { IconButton } from '../parts/button';
import { announce } from '../state/announce';
import { chat } from '../state/chat';
import { useStaysAtEnd } from '../parts/stays-at-end';

/** False where no panel is open. */
export function closeSide(): boolean {
  if (chat.facts.peek().side.length === 0) return false;
  post({ type: 'side', text: '' });
  // At once, so that a next Esc is not taken for one more of these.
  chat.apply([{ type: 'side', side: [] }]);
  focusComposer();
  return true;
}

export function SidePanel() {
  const { side } = chat.facts.value;
  return side.length === 0 ? null : <Panel side={side} />;
}

function Panel({ side }: { side: readonly SideExchange[] }) {
  const list = useStaysAtEnd(side.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const field = event.target instanceof HTMLInputElement ? event.target : undefined;
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (field !== undefined && field.value !== '') field.value = '';
      else closeSide();
    } else if (event.key === 'Enter' && field !== undefined && field.value.trim() !== '') {
      post({ type: 'side', text: field.value });
      field.value = '';
    }
  };
  return (
    <section class="side" aria-label="Side questions" onKeyDown={onKeyDown}>
      <div class="question-head">
        <span class="quiet">Side questions</span>
        <IconButton
          class="question-count"
          icon="close"
          label="Close side questions"
          title="Close side questions and forget them (Esc)"
          onClick={closeSide}
        />
      </div>
      {/* Each finished block is announced; the list itself would be read anew with every word. */}
      <div class="side-list" tabIndex={0} role="log" aria-live="off" aria-label="Answers to side questions" ref={list}>
        <div class="side-exchanges">
          {side.map((exchange, index) => (
            <Exchange key={index} {...exchange} />
          ))}
        </div>
      </div>
      <input class="input" aria-label="Another side question" placeholder="Another side question" maxLength={10_000} />
    </section>
  );
}

function Exchange({ question, answer, state }: SideExchange) {
  const awaited = useRef(state === 'asking');
  const failed = state === 'failed';
  useEffect(() => {
    if (failed && awaited.current) announce(answer.slice(answer.lastIndexOf('\n\n') + 1));
  }, [failed]);
  return (
    <div>
      <div class="side-question">{question}</div>
      {failed ? <div class="quiet">{answer}</div> : <Markdown text={answer} streaming={state === 'asking'} announced />}
      {state === 'asking' && answer === '' && <div class="quiet">…</div>}
    </div>
  );
}
