// The time, once a second, only while something on the page shows it.
import { signal } from '@preact/signals';

let timer: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since the epoch. Reading it in a component makes the component redraw every second. */
export const now = signal(Date.now(), {
  watched() {
    // Not within the drawing that began to watch.
    queueMicrotask(tick);
    timer = setInterval(tick, 1_000);
  },
  unwatched() {
    clearInterval(timer);
  },
});

function tick(): void {
  now.value = Date.now();
}
