// The agent's list of tasks: how far it is, what it is at, and all of them on demand.
import { useState } from 'preact/hooks';
import { type TodoItem } from '../../src/shared/tool-view';
import { Twistie } from '../parts/disclosure';
import { Icon } from '../parts/icon';
import { TodoBody } from '../tools/plain-views';

export function Tasks({ todos }: { todos: readonly TodoItem[] }) {
  const [open, setOpen] = useState(false);
  const summary = `Tasks ${todos.filter(({ status }) => status === 'completed').length}/${todos.length}`;
  const current = todos.find(({ status }) => status === 'in_progress');
  return (
    <section class={open ? 'strip-part strip-tasks open' : 'strip-part strip-tasks'} aria-label="Agent's tasks">
      <div class="strip-line">
        <span class="strip-summary">
          <Twistie open={open} onToggle={() => setOpen(!open)} label={summary} controls="tasks" />
          <Icon name="checklist" />
          <span class="strip-count">{summary}</span>
          {!open && current && (
            <span class="strip-current quiet" title={current.activeForm}>
              {current.activeForm}
            </span>
          )}
        </span>
      </div>
      {open && (
        <div class="strip-list" id="tasks">
          <TodoBody items={todos} />
        </div>
      )}
    </section>
  );
}
