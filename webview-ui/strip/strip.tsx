// One strip above the composer, only when there is something: the lines of features, the agent's tasks, what runs in the background, the changed files, what reviews found, comments that wait to be sent.
import { computed } from '@preact/signals';
import { ChangesStrip, DraftsStrip, EditedStrip, FindingsStrip } from '../approvals/changes-strip';
import { chat } from '../state/chat';
import { Background } from './background';
import { Line } from './feature-line';
import { Tasks } from './tasks';

/** A list that is done is over with its turn. */
const tasks = computed(() => {
  const { todos, status } = chat.facts.value;
  return status === 'idle' && todos.every((todo) => todo.status === 'completed') ? [] : todos;
});

/** Neither the conversation nor anybody in the background works on them. */
const tasksRest = computed(() => chat.facts.value.status === 'idle' && chat.facts.value.background.length === 0);

/** While the agent works, or something waits, there is more to look at. */
const edited = computed(() => {
  const { review, changes, status, external } = chat.facts.value;
  return status === 'idle' && changes.length === 0 && external === undefined ? review.edited : [];
});

export function Strip() {
  const {
    changes,
    background,
    lines,
    review: { drafts },
  } = chat.facts.value;
  const shown = [lines, tasks.value, background, changes, edited.value];
  if (drafts.comments + drafts.findings.comments === 0 && shown.every((part) => part.length === 0)) return null;
  return (
    <div class="strip">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {tasks.value.length > 0 && <Tasks todos={tasks.value} rest={tasksRest.value} />}
      {background.length > 0 && <Background items={background} />}
      {changes.length > 0 && <ChangesStrip changes={changes} />}
      {edited.value.length > 0 && <EditedStrip edited={edited.value} />}
      {drafts.findings.comments > 0 && <FindingsStrip findings={drafts.findings} />}
      {drafts.comments > 0 && <DraftsStrip drafts={drafts} />}
    </div>
  );
}
