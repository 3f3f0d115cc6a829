// One strip above the composer, only when there is something: the goal, a loop, the agent's tasks, what runs in the background, the changed files.
import { computed } from '@preact/signals';
import { type LoopItem } from '../../src/shared/chat';
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
  if (goal === '' && loop === null && tasks.value.length === 0 && background.length === 0 && changes.length === 0)
    return null;
  return (
    <div class="strip">
      {goal !== '' && (
        <KeptAt id="goal" name="Goal" icon="target" text={goal} stop="Take the goal back" stopped="Goal taken back" />
      )}
      {loop && (
        <KeptAt
          id="loop"
          name="Loop"
          icon="sync"
          text={loop.prompt}
          progress={progressOf(loop)}
          stop="Stop the loop"
          stopped="Loop stopped"
        />
      )}
      {tasks.value.length > 0 && <Tasks todos={tasks.value} />}
      {background.length > 0 && <Background items={background} />}
      {changes.length > 0 && <ChangesStrip changes={changes} />}
    </div>
  );
}

/** Redraws each second only while a round is waited for. */
function progressOf({ round, pace, nextAt }: LoopItem): string {
  if (round === 0) return `${pace}, starts after this turn`;
  return `round ${round}, ${pace}${nextAt === null ? '' : `, next in ${durationText(Math.max(0, nextAt - now.value))}`}`;
}
