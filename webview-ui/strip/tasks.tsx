// The agent's list of tasks: how far it is, what it is at, and all of them on demand.
import { useState } from 'preact/hooks';
import { type TodoItem } from '../../src/shared/tool-view';
import { Twistie } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { TodoBody } from '../tools/plain-views';

/** `rest`: the turn is over, so that nothing of it is under way, whatever the list says. */
export function Tasks({ todos, rest }: { todos: readonly TodoItem[]; rest: boolean }) {
  const [open, setOpen] = useState(false);
  const summary = `Tasks ${todos.filter(({ status }) => status === 'completed').length}/${todos.length}`;
  const current = todos.find(({ status }) => status === 'in_progress');
  const words = current && (rest ? `Left at: ${current.content}` : current.activeForm);
  const shown = rest ? todos.map(leftOpen) : todos;
  return (
    <section class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'} aria-label="Agent's tasks">
      <div class="strip-line">
        <span class="strip-summary">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={summary} controls="tasks" />
          <Icon name="checklist" />
          <span class="strip-count">{summary}</span>
          {!open && words !== undefined && (
            <span class="strip-current quiet" title={words}>
              {words}
            </span>
          )}
        </span>
      </div>
      {open && (
        <div class="strip-list" id="tasks">
          <TodoBody items={shown} />
        </div>
      )}
    </section>
  );
}

function leftOpen(todo: TodoItem): TodoItem {
  return todo.status === 'in_progress' ? { ...todo, status: 'pending' } : todo;
}
