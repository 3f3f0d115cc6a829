// Conversations to show: what a host would send for each picture and check.
import {
  emptyChat,
  type ApprovalCard,
  type ChatItem,
  type ChatState,
  type FeatureLine,
  type ToolItem,
} from '../../../src/shared/chat';
import { type ChatSurroundings } from '../../../src/shared/surroundings';
import { type HostMessage } from '../../../src/shared/host-messages';
import { surroundings } from '../surroundings';
import { permissionModes } from '../../../src/shared/permission';
import { type QuestionRequest } from '../../../src/shared/question';
import { type DiffView, type TodoItem } from '../../../src/shared/tool-view';

const shown = surroundings({
  suggestions: [
    'Fix the 2 failing tests in date.test.ts',
    'Explain the 3 open problems in src/server',
    'Review my changes since the last commit',
  ],
  modes: [...permissionModes],
  selection: { label: 'src/date.ts:12-30', path: '/work/app/src/date.ts' },
});

export function snapshot(state: Partial<ChatState>, around: Partial<ChatSurroundings> = {}, epoch = 1): HostMessage {
  return {
    type: 'snapshot',
    epoch,
    seq: 0,
    state: { ...emptyChat('session', 'default', 'claude-opus-5'), ...state },
    surroundings: { ...shown, ...around },
  };
}

export const dateDiff: DiffView = {
  kind: 'diff',
  path: 'src/date.ts',
  created: false,
  added: 4,
  removed: 2,
  truncated: false,
  hunks: [
    {
      oldStart: 1,
      oldLines: 3,
      newStart: 1,
      newLines: 4,
      lines: [" import { z } from 'zod';", "+import { parseISO } from 'date-fns';", ' ', ' /** Parses an ISO date. */'],
    },
    {
      oldStart: 11,
      oldLines: 6,
      newStart: 12,
      newLines: 7,
      lines: [
        ' export function parseDate(text: string): Date {',
        '-  if (!text) return new Date(NaN);',
        '-  return new Date(text);',
        '+  if (text === "") return new Date(Number.NaN);',
        '+  // A date without a zone is local time.',
        '+  return parseISO(text);',
        ' }',
      ],
    },
  ],
};

const tool = (id: string, change: Partial<ToolItem> & Pick<ToolItem, 'name' | 'sentence'>): ToolItem => ({
  kind: 'tool',
  id,
  state: 'done',
  readOnly: false,
  detail: '',
  ...change,
});

const read = (id: string, path: string): ToolItem =>
  tool(id, {
    name: 'Read',
    sentence: { now: `Reading ${path}`, past: `Read ${path}` },
    readOnly: true,
    detail: '1–80',
    view: { kind: 'files', items: [{ path, startLine: 1, endLine: 80 }], total: 1, truncated: false },
    durationMs: 12,
  });

const search = tool('grep', {
  name: 'Grep',
  sentence: { now: 'Searching "parseDate"', past: 'Searched "parseDate"' },
  readOnly: true,
  detail: '12 matches',
  durationMs: 92,
  view: {
    kind: 'matches',
    pattern: 'parseDate',
    matches: 12,
    files: 4,
    truncated: true,
    items: [
      { path: 'src/date.ts', line: 12, text: 'export function parseDate(text: string): Date {' },
      { path: 'src/server/orders.ts', line: 88, text: '  const due = parseDate(order.due);' },
      { path: 'test/date.test.ts', line: 7, text: "    assert.equal(parseDate('2024-02-30'), undefined);" },
    ],
  },
});

const npmTest = tool('bash', {
  name: 'Bash',
  sentence: { now: 'Running npm test', past: 'Ran npm test' },
  state: 'running',
  startedAt: Date.now() - 12_400,
  view: {
    kind: 'terminal',
    command: 'npm test',
    state: 'running',
    bytes: 24_000,
    tail: [
      '> app@1.0.0 test',
      '> mocha',
      '',
      '  date',
      '    ✓ parses a date',
      '    ✓ parses a time',
      '    ✓ keeps the zone',
      '  orders',
      '    ✓ sums',
      '    \u001b[32m✓\u001b[0m rounds',
    ].join('\n'),
  },
});

const user = (id: string, text: string, change: Partial<Extract<ChatItem, { kind: 'user' }>> = {}): ChatItem => ({
  kind: 'user',
  id,
  text,
  attachments: [],
  images: 0,
  steering: false,
  ...change,
});

const text = (id: string, content: string, streaming = false): ChatItem => ({
  kind: 'text',
  id,
  text: content,
  streaming,
});

export const usage = { contextTokens: 46_000, contextWindow: 200_000, costUsd: 0.1234, costKnown: true, byModel: [] };
export const changes = [
  { path: 'src/date.ts', added: 4, removed: 2 },
  { path: 'test/date.test.ts', added: 8, removed: 2 },
  { path: 'package.json', added: 1, removed: 0 },
];

export const working: Partial<ChatState> = {
  title: 'Fix the failing date test',
  status: 'working',
  usage,
  changes,
  items: [
    user('u1', 'Fix the failing date test in @test/date.test.ts', {
      attachments: ['test/date.test.ts', 'src/date.ts:12-30'],
      images: 1,
    }),
    {
      kind: 'thinking',
      id: 'th1',
      text: 'The test names a date that does not exist.',
      streaming: false,
      durationMs: 4_200,
    },
    text('t1', "I'll find the test first."),
    search,
    read('r1', 'src/date.ts'),
    text(
      't2',
      '`parseDate` in `src/date.ts:12` hands everything to `new Date`, which rolls over dates that do not exist. I use `parseISO` instead.',
    ),
    tool('edit', {
      name: 'Edit',
      sentence: { now: 'Editing src/date.ts', past: 'Edited src/date.ts' },
      detail: '+4 −2',
      durationMs: 8,
      view: dateDiff,
    }),
    npmTest,
  ],
};

export const markdown = `## What was wrong

\`new Date("2024-02-30")\` rolls over to **1 March**. Three places relied on it:

1. [src/date.ts](src/date.ts:12), the parser itself
2. \`src/server/orders.ts:88\`, where due dates are read
   - and their reminders
3. the tests

| Input | Before | Now |
| --- | --- | ---: |
| \`2024-02-30\` | 1 March | invalid |
| \`2024-02-29\` | 29 February | 29 February |

\`\`\`ts
import { parseISO } from 'date-fns';

/** Parses an ISO date; invalid ones give an invalid Date. */
export function parseDate(text: string): Date {
  if (text === '') return new Date(Number.NaN);
  return parseISO(text); // local time
}
\`\`\`

> The zone matters: a date without one is local time.

- [x] parser
- [ ] reminders, see [the documentation](https://date-fns.org)
`;

export const finished: Partial<ChatState> = {
  ...working,
  status: 'idle',
  items: [
    ...(working.items ?? []).map((item) =>
      item.id === 'bash'
        ? tool('bash', {
            name: 'Bash',
            sentence: { now: 'Running npm test', past: 'Ran npm test' },
            durationMs: 14_200,
            view: {
              kind: 'terminal',
              command: 'npm test',
              state: 'exited',
              exitCode: 0,
              bytes: 26_000,
              tail: '  41 passing (2s)\n',
            },
          })
        : item,
    ),
    text('t3', markdown),
  ],
};

export const goalLine: FeatureLine = {
  id: 'goal',
  name: 'Goal',
  icon: 'target',
  text: 'npm test passes and the parser of dates knows time zones, for all of the samples in test/fixtures',
  stop: 'Clear the goal',
  stopped: 'Goal cleared',
};

export const loopLine: FeatureLine = {
  id: 'loop',
  name: 'Loop',
  icon: 'sync',
  text: 'Check whether the build is green and fix what fails',
  progress: 'round 3, every 5m',
  stop: 'Stop the loop',
  stopped: 'Loop stopped',
};

/** What runs alongside the conversation. */
export const sideWork: Partial<ChatState> = {
  ...finished,
  lines: [goalLine, loopLine],
  side: [
    {
      question: 'Why does a date without a zone count as local time?',
      answer:
        'Because `parseISO` reads it so: the string has no offset, and the *specification* leaves it to the reader.',
      state: 'done',
    },
    { question: 'And with a Z?', answer: 'Then it is UTC', state: 'asking' },
  ],
};

export const cards: Partial<ChatState> = {
  title: 'Every card',
  status: 'idle',
  usage,
  items: [
    user('u1', 'Show me every card'),
    read('r1', 'src/a.ts'),
    read('r2', 'src/b.ts'),
    read('r3', 'src/c.ts'),
    search,
    tool('glob', {
      name: 'Glob',
      sentence: { now: 'Listing **/*.ts', past: 'Listed **/*.ts' },
      detail: '214 files',
      durationMs: 31,
      view: {
        kind: 'files',
        total: 214,
        truncated: true,
        items: [{ path: 'src/a.ts' }, { path: 'src/a-very-long-folder-name/with-more/inside/of-it/file.ts' }],
      },
    }),
    tool('write', {
      name: 'Write',
      sentence: { now: 'Writing src/new.ts', past: 'Wrote src/new.ts' },
      view: {
        kind: 'diff',
        path: 'src/new.ts',
        created: true,
        added: 2,
        removed: 0,
        truncated: false,
        hunks: [
          {
            oldStart: 0,
            oldLines: 0,
            newStart: 1,
            newLines: 2,
            lines: ['+export const a = 1;', '+export const b = 2;'],
          },
        ],
      },
    }),
    tool('failed', {
      name: 'Bash',
      sentence: { now: 'Running npm run build', past: 'Ran npm run build' },
      state: 'failed',
      durationMs: 65_000,
      view: {
        kind: 'terminal',
        command: 'npm run build -- --project packages/server --outdir dist/server && cp -r assets dist/',
        state: 'exited',
        exitCode: 2,
        bytes: 120,
        tail: "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
        note: 'Left running: node (4711).',
      },
    }),
    tool('missing', {
      name: 'Read',
      sentence: { now: 'Reading src/gone.ts', past: 'Read src/gone.ts' },
      readOnly: true,
      state: 'failed',
      message: 'File does not exist: /work/app/src/gone.ts. Did you mean /work/app/src/done.ts?',
      said: 'src/gone.ts does not exist.',
    }),
    tool('denied', {
      name: 'Edit',
      sentence: { now: 'Editing .env', past: 'Edited .env' },
      state: 'denied',
      message: 'You rejected this edit: keep the keys out of it.',
    }),
    tool('stopped', {
      name: 'Bash',
      sentence: { now: 'Running npm start', past: 'Ran npm start' },
      state: 'stopped',
      view: { kind: 'terminal', command: 'npm start', state: 'interrupted', bytes: 12, tail: 'listening\n' },
    }),
    tool('waiting', {
      name: 'Edit',
      sentence: { now: 'Editing src/b.ts', past: 'Edited src/b.ts' },
      state: 'waiting',
      view: { ...dateDiff, path: 'src/b.ts' },
    }),
    tool('image', {
      name: 'Read',
      sentence: { now: 'Reading logo.png', past: 'Read logo.png' },
      view: { kind: 'image', path: 'media/logo.png', mediaType: 'image/png', width: 512, height: 512, bytes: 48_211 },
    }),
    tool('todo', {
      name: 'TodoWrite',
      sentence: { now: 'Planning', past: 'Updated the tasks' },
      view: {
        kind: 'todo',
        items: [
          { content: 'Find the parser', activeForm: 'Finding the parser', status: 'completed' },
          { content: 'Fix the parser', activeForm: 'Fixing the parser', status: 'in_progress' },
          { content: 'Run the tests', activeForm: 'Running the tests', status: 'pending' },
        ],
      },
    }),
    tool('json', {
      name: 'mcp__db__query',
      sentence: { now: 'Asking db', past: 'Asked db' },
      view: { kind: 'json', text: '{\n  "rows": 3,\n  "names": ["a", "b"]\n}' },
    }),
    tool('markdown', {
      name: 'Agent',
      sentence: { now: 'Exploring', past: 'Explored the server' },
      view: { kind: 'markdown', text: 'The server has **three** parts.' },
    }),
    {
      kind: 'notice',
      id: 'n1',
      level: 'warning',
      title: 'The model is overloaded',
      detail: 'Deft tries again by itself; 2 of 10.',
      retryAt: Date.now() + 8_000,
    },
    {
      kind: 'notice',
      id: 'n2',
      level: 'error',
      title: 'The API key was not accepted.',
      detail: 'The API key was not accepted by api.anthropic.com: invalid x-api-key. Set another API key.',
      action: { label: 'Change key', command: 'setApiKey' },
      more: [{ label: 'Try again', command: 'retry' }],
    },
    { kind: 'notice', id: 'n3', level: 'info', title: 'Stopped by you', detail: 'What was done so far is kept.' },
  ],
};

export const approvals: ApprovalCard[] = [
  {
    id: 'a1',
    toolUseId: 'edit',
    toolName: 'Edit',
    access: 'WorkspaceWrite',
    title: 'Edit src/date.ts',
    view: dateDiff,
    reason: 'Manual mode asks before every edit.',
    suggestions: [
      { label: 'Always allow edits in this session' },
      { label: 'Always allow editing `src/date.ts` in this session' },
    ],
    hasDiff: true,
  },
  {
    id: 'a2',
    toolUseId: 'bash',
    toolName: 'Bash',
    access: 'DangerFullAccess',
    title: 'Bash rm -rf build && npm run build',
    view: {
      kind: 'terminal',
      command:
        'rm -rf build && npm run build -- --project packages/server --outdir build/server --minify --sourcemap\necho done',
      state: 'not-started',
      bytes: 0,
      tail: '',
    },
    description: 'Build the server anew',
    risks: [
      { kind: 'deletes', text: 'Deletes `build`', grave: true },
      { kind: 'network', text: 'Uses the network' },
    ],
    reason: 'Deft asks before it runs `rm`.',
    suggestions: [
      {
        label: 'Always allow `npm run build *` in this project',
        saves: { rules: ['Bash(npm run build *)'], file: '.claude/settings.local.json' },
      },
      { label: 'Always allow `npm run build *` in this session' },
    ],
    hasDiff: false,
  },
];

export const planCard: ApprovalCard = {
  id: 'p1',
  toolUseId: 'plan',
  toolName: 'ExitPlanMode',
  title: 'plan',
  view: {
    kind: 'markdown',
    text: '# Strict dates\n\n1. `src/date.ts`: let the parser refuse dates that roll over, with an error that names the text\n2. `src/server/orders.ts`: tell the user which order has the wrong date\n3. Tests for 30 February, 29 February in both kinds of years, and a date without a zone\n\n## How it is tested\n\n`npm test`, and the import of last week by hand.\n\n## What stays as it is\n\nThe format of stored dates, and what the calendar shows.',
  },
  reason: 'Nothing is changed before you accept the plan. You can edit it, and comment on its lines, in the editor.',
  suggestions: [{ label: 'Accept and edit automatically' }],
  hasDiff: true,
  plan: { file: '/home/ann/.deft/plans/strict-dates.md' },
};

export const questions: QuestionRequest[] = [
  {
    id: 'q1',
    toolUseId: 'ask',
    questions: [
      {
        question: 'How should the page be laid out?',
        header: 'Layout',
        multiSelect: false,
        options: [
          {
            label: 'Side bar (Recommended)',
            description: 'The list stays in view.',
            preview: '+------+-------------+\n| list | detail      |\n+------+-------------+',
          },
          {
            label: 'Tabs',
            description: 'More room for each part.',
            preview: 'Tabs on **top**:\n\n```ts\nopenTabs({ position: "top" });\n```',
          },
        ],
      },
      {
        question: 'Which formats should the export know?',
        header: 'Formats',
        multiSelect: true,
        options: [
          { label: 'CSV', description: 'For spreadsheets, with a line of names first and commas between the values.' },
          { label: 'JSON', description: 'For other programs.' },
          { label: 'PDF', description: 'For print.' },
        ],
      },
    ],
  },
];

export const todos: TodoItem[] = [
  { content: 'Find the parser', activeForm: 'Finding the parser', status: 'completed' },
  {
    content: 'Mend the date parser for leap years',
    activeForm: 'Mending the date parser for leap years',
    status: 'in_progress',
  },
  { content: 'Run the tests', activeForm: 'Running the tests', status: 'pending' },
];

/** A long conversation: `turns` times a message, two looks, an answer. */
export function longConversation(turns: number): ChatItem[] {
  return Array.from({ length: turns }, (_, index) => [
    user(`u${index}`, `Question ${index}: what does part ${index} do?`),
    read(`r${index}`, `src/part-${index}.ts`),
    text(
      `t${index}`,
      `Part ${index} does this:\n\n- it reads **one** thing\n- it writes \`another\`\n\n${'A sentence with some words. '.repeat((index % 7) + 1)}`,
    ),
  ]).flat();
}
