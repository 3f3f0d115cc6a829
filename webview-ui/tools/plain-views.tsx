// Task lists, and what tools without a view of their own say.
import { type JsonView, type TodoItem } from '../../src/shared/tool-view';
import { CodeLines, useColouredLines } from '../markdown/code-block';
import { Hidden } from '../parts/disclosure';
import { Icon } from '../parts/icon';

const todoStates = {
  pending: { icon: 'circle-large-outline', word: 'To do: ' },
  in_progress: { icon: 'circle-large-filled', word: 'In progress: ' },
  completed: { icon: 'pass-filled', word: 'Done: ' },
} as const;

export function TodoBody({ items }: { items: readonly TodoItem[] }) {
  return (
    <ul class="todo" aria-label="Tasks">
      {items.map((item, index) => (
        <li key={index} class={`todo-${item.status}`}>
          <Icon name={todoStates[item.status].icon} />
          <span>
            <Hidden>{todoStates[item.status].word}</Hidden>
            {item.status === 'in_progress' ? item.activeForm : item.content}
            {item.owner !== undefined && <span class="todo-fact">{item.owner}</span>}
            {item.waitsFor !== undefined && <span class="todo-fact">{`waits for ${item.waitsFor.join(', ')}`}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function JsonBody({ view }: { view: JsonView }) {
  const language = /^\s*[[{]/.test(view.text) ? 'json' : undefined;
  return (
    <div class="json">
      <CodeLines lines={useColouredLines(view.text, language)} label="Result" />
    </div>
  );
}
