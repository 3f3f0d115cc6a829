// Tasks in a job queue written in TypeScript.
import {
  bySense,
  edit,
  editAll,
  find,
  lines,
  list,
  read,
  recorded,
  slip,
  symbol,
  write,
  type Intent,
  type Step,
  type Task,
} from '../intents';

const failing = (name: string, expected: string, received: string): string => `
> steady-queue@2.3.1 test
> vitest run


 RUN  v3.2.4 /repo

 ✓ test/backoff.test.ts (1 test) 2ms
 ❯ test/queue.test.ts (4 tests | 1 failed) 31ms
   ✓ Queue > runs jobs in the order in which they came 3ms
   ✓ Queue > prefers a higher priority 1ms
   ✓ Queue > retries 9ms
   × Queue > ${name} 12ms
     → expected ${received} to deeply equal ${expected}

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/queue.test.ts > Queue > ${name}
AssertionError: expected ${received} to deeply equal ${expected}

- Expected
+ Received

- ${expected}
+ ${received}

 ❯ test/queue.test.ts:48:18
     46|     await queue.drain();
     47|     expect(seen)
       |                  ^

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 4 passed (5)
   Start at  09:00:00
   Duration  402ms (transform 41ms, setup 0ms, collect 62ms, tests 33ms, environment 0ms, prepare 121ms)
`;

const passing = (tests: number): string => `
> steady-queue@2.3.1 test
> vitest run


 RUN  v3.2.4 /repo

 ✓ test/backoff.test.ts (1 test) 2ms
 ✓ test/queue.test.ts (${tests - 1} tests) 29ms

 Test Files  2 passed (2)
      Tests  ${tests} passed (${tests})
   Start at  09:00:00
   Duration  388ms (transform 39ms, setup 0ms, collect 60ms, tests 31ms, environment 0ms, prepare 118ms)
`;

const orderTest = `
  it('keeps the order of jobs of equal priority', async () => {
    const seen: string[] = [];
    const queue = new Queue();
    queue.handle('s', (data) => void seen.push(data as string));
    for (const name of ['a', 'b', 'c']) queue.add('s', name, { priority: 3 });
    await queue.drain();
    expect(seen).toEqual(['a', 'b', 'c']);
  });
`;

const lastTest = `    expect(job.state).toBe('done');
    expect(attempts).toBe(3);
  });
`;

const renamedErrors = `src/queue.ts(66,50): error TS2339: Property 'name' does not exist on type 'Job<unknown>'.
src/queue.ts(67,76): error TS2339: Property 'name' does not exist on type 'Job<unknown>'.
src/queue.ts(68,44): error TS2339: Property 'data' does not exist on type 'Job<unknown>'.
`;

/** Of ESLint, which finds nothing in any file. */
const clean = JSON.stringify(
  ['backoff', 'events', 'index', 'job', 'options', 'queue', 'waiting-list'].map((file) => ({
    filePath: `/repo/src/${file}.ts`,
    messages: [],
    suppressedMessages: [],
    errorCount: 0,
    warningCount: 0,
  })),
);

const checked = (output: string, code: number): Intent => ({
  kind: 'sense',
  tool: 'Problems',
  input: {},
  programs: [
    { program: 'npx', output, code },
    { program: 'npx', output: clean, code: 0 },
  ],
});

/** The types are looked at after the class has changed, and again after its uses have. */
function renamedFields(name: string, [first, second]: readonly [Step, Step]): Task {
  return {
    name,
    repository: 'queue',
    prompt: 'Call `name` and `data` of a Job `task` and `payload`. Types and lint must be clean.',
    steps: [
      read('src/job.ts', 'src/queue.ts'),
      [
        edit(
          'src/job.ts',
          '  readonly name: string;\n  readonly data: Data;\n',
          '  readonly task: string;\n  readonly payload: Data;\n',
        ),
        edit('src/job.ts', 'constructor(name: string, data: Data,', 'constructor(task: string, payload: Data,'),
        edit(
          'src/job.ts',
          '    this.name = name;\n    this.data = data;\n',
          '    this.task = task;\n    this.payload = payload;\n',
        ),
        ...first,
      ],
      [
        editAll('src/queue.ts', 'job.name', 'job.task'),
        edit('src/queue.ts', 'handler(job.data, job)', 'handler(job.payload, job)'),
        ...second,
      ],
    ],
    answer: 'The fields of a Job are called `task` and `payload`; types and lint are clean.',
  };
}

export const queueTasks: readonly Task[] = [
  {
    name: 'queue/equal-priority-order',
    repository: 'queue',
    prompt: 'Jobs of the same priority run in the reverse order. Find out why, fix it and add a test.',
    steps: [
      [lines('priority', 'src/**'), list('test/**/*.ts')],
      read('src/waiting-list.ts', 'test/queue.test.ts'),
      [edit('test/queue.test.ts', lastTest, lastTest + orderTest)],
      [
        recorded(
          'npm test',
          failing('keeps the order of jobs of equal priority', "[ 'a', 'b', 'c' ]", "[ 'c', 'b', 'a' ]"),
          1,
        ),
      ],
      [
        edit('src/waiting-list.ts', 'other.priority <= job.priority', 'other.priority < job.priority'),
        recorded('npm test', passing(5)),
      ],
    ],
    answer:
      'The list put a job before others of its priority: `src/waiting-list.ts:12` compares with `<` now. Tests pass.',
  },
  {
    name: 'queue/backoff-doubles',
    repository: 'queue',
    prompt:
      'The documentation says that the delay doubles with each retry, but it grows with the square. Fix the code and test it.',
    steps: [
      [lines('backoff', '*.{ts,md}'), symbol('delayOf')],
      read('src/backoff.ts', 'test/backoff.test.ts'),
      [
        edit('src/backoff.ts', 'return base * attempts ** 2;', 'return base * 2 ** (attempts - 1);'),
        edit(
          'test/backoff.test.ts',
          'expect(delayOf(1, 100)).toBe(100);\n});\n',
          "expect(delayOf(1, 100)).toBe(100);\n});\n\nit('doubles with each further one', () => {\n  expect([2, 3, 4].map((attempts) => delayOf(attempts, 100))).toEqual([200, 400, 800]);\n});\n",
        ),
        recorded('npm test', passing(5)),
      ],
    ],
    answer: 'The delay is 100, 200, 400 … milliseconds now (`src/backoff.ts:3`), with a test.',
  },
  {
    name: 'queue/no-retries-for-a-job',
    repository: 'queue',
    prompt: 'A job with `retries: 0` is retried as often as the queue says. It should never be retried.',
    steps: [
      [lines('retries')],
      read('src/job.ts', 'src/queue.ts', 'test/queue.test.ts'),
      [slip('src/job.ts', 'this.retries = options.retries ?? undefined;', 'this.retries = options.retries;')],
      [
        edit('src/job.ts', 'this.retries = options.retries || undefined;', 'this.retries = options.retries;'),
        edit(
          'test/queue.test.ts',
          lastTest,
          `${lastTest}
  it('does not retry a job that asks for none', async () => {
    const queue = new Queue({ retries: 2, backoff: 1 });
    queue.handle('bad', () => {
      throw new Error('no');
    });
    const job = queue.add('bad', null, { retries: 0 });
    await queue.drain();
    expect(job.attempts).toBe(1);
  });
`,
        ),
        edit('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- Fixed: a job with `retries: 0` is not retried.\n'),
        recorded('npm test', passing(5)),
      ],
    ],
    answer: '`0` was taken for "not given" in `src/job.ts:22`. Fixed, with a test and a line in the changelog.',
  },
  {
    name: 'queue/pause-and-resume',
    repository: 'queue',
    prompt:
      'Add `pause()` and `resume()` to Queue: while paused, no job starts; running ones finish. Document both and test them.',
    steps: [
      [list('src/**/*.ts'), ...read('src/queue.ts', 'README.md', 'test/queue.test.ts', 'CHANGELOG.md')],
      [
        edit('src/queue.ts', '  #running = 0;\n', '  #running = 0;\n  #paused = false;\n'),
        edit(
          'src/queue.ts',
          '  drain(): Promise<void> {',
          '  /** No job starts until `resume`; those that run finish. */\n  pause(): void {\n    this.#paused = true;\n  }\n\n  resume(): void {\n    this.#paused = false;\n    this.#next();\n  }\n\n  drain(): Promise<void> {',
        ),
        edit(
          'src/queue.ts',
          'while (this.#running < this.#options.concurrency) {',
          'while (!this.#paused && this.#running < this.#options.concurrency) {',
        ),
        edit(
          'README.md',
          'await queue.drain();\n```\n',
          'await queue.drain();\n```\n\n`queue.pause()` lets no job start until `queue.resume()`; those that run finish.\n',
        ),
        edit('CHANGELOG.md', '## Unreleased\n', '## Unreleased\n\n- Added: `pause()` and `resume()`.\n'),
        edit(
          'test/queue.test.ts',
          lastTest,
          `${lastTest}
  it('starts nothing while it is paused', async () => {
    const seen: number[] = [];
    const queue = new Queue();
    queue.handle('n', (data) => void seen.push(data as number));
    queue.pause();
    queue.add('n', 1);
    await Promise.resolve();
    expect(seen).toEqual([]);
    queue.resume();
    await queue.drain();
    expect(seen).toEqual([1]);
  });
`,
        ),
      ],
      [recorded('npm test', passing(5)), recorded('npx tsc --noEmit', '')],
    ],
    answer:
      'Added `pause()` and `resume()` (`src/queue.ts`), with a test, a paragraph in the README and a changelog line.',
  },
  {
    name: 'queue/rename-waiting-list',
    repository: 'queue',
    prompt: 'Rename the class WaitingList to PriorityList, and its file too.',
    steps: [
      [lines('WaitingList|waiting-list')],
      read('src/waiting-list.ts', 'src/queue.ts'),
      [
        write(
          'src/priority-list.ts',
          `import type { Job } from './job.js';

/** Jobs by priority; those of equal priority in the order in which they came. */
export class PriorityList {
  readonly #jobs: Job[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  push(job: Job): void {
    const at = this.#jobs.findIndex((other) => other.priority <= job.priority);
    if (at === -1) this.#jobs.push(job);
    else this.#jobs.splice(at, 0, job);
  }

  shift(): Job | undefined {
    return this.#jobs.shift();
  }

  remove(id: number): boolean {
    const at = this.#jobs.findIndex((job) => job.id === id);
    if (at === -1) return false;
    this.#jobs.splice(at, 1);
    return true;
  }
}
`,
        ),
        write('src/waiting-list.ts', "export { PriorityList as WaitingList } from './priority-list.js';\n"),
        edit(
          'src/queue.ts',
          "import { WaitingList } from './waiting-list.js';",
          "import { PriorityList } from './priority-list.js';",
        ),
        edit('src/queue.ts', 'new WaitingList()', 'new PriorityList()'),
      ],
      [find('WaitingList'), recorded('npx tsc --noEmit', ''), recorded('npm test', passing(4))],
    ],
    answer: 'Renamed. `src/waiting-list.ts` only passes the old name on, since deleting files was not asked for.',
  },
  {
    name: 'queue/js-extension-to-ts',
    repository: 'queue',
    prompt: 'Use the type-only import for Job in events.ts and rename `emit` of the emitter to `tell` everywhere.',
    steps: [
      [lines('emit\\b|import type', 'src/**', 1)],
      read('src/events.ts', 'src/queue.ts'),
      [
        edit('src/events.ts', '  emit<Name', '  tell<Name'),
        editAll('src/queue.ts', '#emitter.emit(', '#emitter.tell('),
        lines('emit\\('),
        recorded('npx tsc --noEmit', ''),
      ],
    ],
    answer: 'The import was type-only already. `emit` is called `tell` now in its 5 places; the types are sound.',
  },
  renamedFields('queue/renamed-fields', [
    [recorded('npx tsc --noEmit', renamedErrors, 2), recorded('npx eslint src', '')],
    [recorded('npx tsc --noEmit', ''), recorded('npx eslint src', '')],
  ]),
  {
    ...renamedFields(`queue/renamed-fields${bySense}`, [[checked(renamedErrors, 2)], [checked('', 0)]]),
    settings: {
      problemCommands: [{ command: 'npx tsc --noEmit --pretty false' }, { command: 'npx eslint -f json src' }],
    },
  },
];
