// A `sleep` for each test that no other process runs, so that its processes can be counted, and are ended with the test.
import { processesWith } from './machine-processes';

export interface LongSleep {
  /** The command's argument: seconds. */
  readonly nap: string;
  running(): number;
}

/** Called within `describe`; `first` is the seconds of its first test, which no other suite may use. */
export function withLongSleeps(first: number): LongSleep {
  let seconds = first;
  let nap = '';
  beforeEach(() => (nap = `${seconds++}.${process.pid}`));
  afterEach(() => {
    for (const pid of processesWith(`sleep ${nap}`)) process.kill(pid, 'SIGKILL');
  });
  return {
    get nap() {
      return nap;
    },
    running: () => processesWith(`sleep ${nap}`).length,
  };
}
