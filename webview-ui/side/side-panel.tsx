// Questions beside the conversation: what was asked and answered, a field for the next one, and the button that forgets them.
import { useEffect, useRef } from 'preact/hooks';
import { focusComposer } from '../composer/draft';
import { post } from '../host/vscode-api';
import { Markdown } from '../markdown/markdown';
import { IconButton } from '../parts/button';
import { chat } from '../state/chat';

export function SidePanel() {
  const { side } = chat.facts.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [side]);
  if (side.length === 0) return null;
  const close = () => {
    post({ type: 'side', text: '' });
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const field = event.target;
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && field instanceof HTMLInputElement && field.value.trim() !== '') {
      post({ type: 'side', text: field.value });
      field.value = '';
    }
  };
  return (
    <section class="side" aria-label="Side questions" onKeyDown={onKeyDown}>
      <div class="question-head">
        <span class="quiet">Beside the conversation</span>
        <IconButton class="question-count" icon="close" label="Close side questions" title="Close and forget (Esc)" onClick={close} />
      </div>
      <div class="side-list" tabIndex={0} role="log" aria-label="Side answers" ref={list}>
        {side.map(({ question, answer, state }, index) => (
          <div key={index}>
            <div class="side-question">{question}</div>
            {state === 'failed' ? <div class="quiet">{answer}</div> : <Markdown text={answer || '…'} streaming={state === 'asking' && answer !== ''} />}
          </div>
        ))}
      </div>
      <input class="input" aria-label="Another side question" placeholder="Ask on the side" maxLength={10_000} />
    </section>
  );
}
