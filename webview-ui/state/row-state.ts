// What the user did to single rows of the conversation (unfolded, asked, scrolled): it outlives their elements. Gone with the session.
import { effect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { chat } from './chat';

const kept = new Map<string, unknown>();

/** As useState. `name` is of its own among all states of all rows. */
export function useRowState<Value>(name: string, initial: Value): [Value, (next: Value) => void] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial));
  return [
    value,
    (next) => {
      keepRowState(name, next);
      setValue(next);
    },
  ];
}

export function keepRowState(name: string, value: unknown): void {
  kept.set(name, value);
}

export function rowState(name: string): unknown {
  return kept.get(name);
}

let shownSession = '';

effect(() => {
  const { sessionId } = chat.facts.value;
  if (sessionId !== shownSession) kept.clear();
  shownSession = sessionId;
});
