// One strip above the composer, only when there is something: the lines of features, the agent's tasks, what runs in the background, the changed files.
import { computed } from '@preact/signals';
import { ChangesStrip } from '../approvals/changes-strip';
import { chat } from '../state/chat';
import { Background } from './background';
import { Line } from './feature-line';
import { Tasks } from './tasks';

/** A list that is done is over with its turn. */
const tasks = computed(() => {
  const { todos, status } = chat.facts.value;
  return status === 'idle' && todos.every((todo) => todo.status === 'completed') ? [] : todos;
});

export function Strip() {
  const { changes, background, lines } = chat.facts.value;
  if ([lines, tasks.value, background, changes].every((part) => part.length === 0)) return null;
  return (
    <div class="strip">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {tasks.value.length > 0 && <Tasks todos={tasks.value} />}
      {background.length > 0 && <Background items={background} />}
      {changes.length > 0 && <ChangesStrip changes={changes} />}
    </div>
  );
}
