// One strip above the composer, only when there is something: the goal, a loop, the agent's tasks, what runs in the background, the changed files.
import { computed } from '@preact/signals';
import { ChangesStrip } from '../approvals/changes-strip';
import { chat } from '../state/chat';
import { Background } from './background';
import { now } from '../state/now';
import { durationText } from '../tools/tool-words';
import { KeptAt } from './kept-at';
import { Tasks } from './tasks';

/** A list that is done is over with its turn. */
const tasks = computed(() => {
  const { todos, status } = chat.facts.value;
  return status === 'idle' && todos.every((todo) => todo.status === 'completed') ? [] : todos;
});

export function Strip() {
  const { changes, background, goal, loop } = chat.facts.value;
  if (goal === '' && loop === null && tasks.value.length === 0 && background.length === 0 && changes.length === 0) return null;
  return (
    <div class="strip">
      {goal !== '' && <KeptAt id="goal" name="Goal" icon="target" text={goal} stop="Take the goal back" />}
      {loop && <KeptAt id="loop" name={`Loop ${loop.round}`} icon="sync" text={`${loop.pace}${wait(loop.nextAt)}: ${loop.prompt}`} stop="Stop the loop" />}
      {tasks.value.length > 0 && <Tasks todos={tasks.value} />}
      {background.length > 0 && <Background items={background} />}
      {changes.length > 0 && <ChangesStrip changes={changes} />}
    </div>
  );
}

/** Redraws each second only while a round is waited for. */
function wait(nextAt: number | null): string {
  return nextAt === null ? '' : `, next in ${durationText(Math.max(0, nextAt - now.value))}`;
}
