// Tasks in a web client written in TypeScript with JSX and JSON texts.
import { edit, find, lines, list, read, recorded, symbol, write, type Task } from '../intents';

const vitest = (tests: number): string => `
 RUN  v3.2.4 /repo

 ✓ test/texts.test.ts (${tests} tests) 3ms

 Test Files  1 passed (1)
      Tests  ${tests} passed (${tests})
   Start at  09:00:00
   Duration  211ms (transform 30ms, setup 0ms, collect 34ms, tests 3ms, environment 0ms, prepare 59ms)

`;

export const clientTasks: readonly Task[] = [
  {
    name: 'client/only-open-shows-done',
    repository: 'client',
    prompt: '"Only open ones" shows the done ones. Also, deleting an item animates the wrong row: look at the keys.',
    steps: [
      [lines('onlyOpen')],
      read('src/todo-list.tsx'),
      [
        edit('src/todo-list.tsx', 'todos.filter((todo) => todo.done)', 'todos.filter((todo) => !todo.done)'),
        edit('src/todo-list.tsx', 'shown.map((todo, index) => (', 'shown.map((todo) => ('),
        edit('src/todo-list.tsx', 'key={index}', 'key={todo.id}'),
        recorded('npx tsc --noEmit', ''),
      ],
    ],
    answer: 'The filter was inverted (`src/todo-list.tsx:14`), and rows are keyed by id now.',
  },
  {
    name: 'client/all-placeholders',
    repository: 'client',
    prompt: 'text() fills only the first placeholder. Fix it with a test.',
    steps: [
      [symbol('text'), find('list\\.count')],
      read('src/texts.ts', 'test/texts.test.ts'),
      [
        edit('src/texts.ts', 'replace(/\\{(\\w+)\\}/, (', 'replace(/\\{(\\w+)\\}/g, ('),
        edit(
          'test/texts.test.ts',
          "it('speaks German'",
          "it('fills all of them in', () => {\n  expect(text('list.count', { open: 1, all: 3 })).toBe('1 of 3 open');\n});\n\nit('speaks German'",
        ),
        recorded('npx vitest run', vitest(3)),
      ],
    ],
    answer: 'The pattern replaces all placeholders now (`src/texts.ts:14`).',
  },
  {
    name: 'client/delete-has-no-body',
    repository: 'client',
    prompt: 'Deleting a todo throws "Unexpected end of JSON input": the server answers 204. Fix the client.',
    steps: [
      [lines('response\\.', 'src/**', 3)],
      [
        edit(
          'src/api.ts',
          '  return (await response.json()) as Result;\n',
          '  // 204 has no body.\n  return (response.status === 204 ? undefined : await response.json()) as Result;\n',
        ),
        recorded('npx tsc --noEmit', ''),
      ],
    ],
    answer: 'A 204 gives undefined instead of parsing an empty body (`src/api.ts:24`).',
  },
  {
    name: 'client/missing-german-text',
    repository: 'client',
    prompt:
      'The delete button says "x". Use the text item.delete in both languages, and test that no language lacks a key.',
    steps: [
      [lines('item\\.delete|onDelete\\(todo\\)'), list('src/texts/*.json')],
      read('src/todo-item.tsx', 'src/texts/de.json', 'src/texts/en.json', 'test/texts.test.ts'),
      [
        edit(
          'src/todo-item.tsx',
          '<button onClick={() => onDelete(todo)}>x</button>',
          "<button onClick={() => onDelete(todo)}>{text('item.delete')}</button>",
        ),
        edit('src/texts/de.json', '  "form.add"', '  "item.delete": "Löschen",\n  "form.add"'),
        edit(
          'test/texts.test.ts',
          "import { setLanguage, text } from '../src/texts';\n",
          "import { setLanguage, text } from '../src/texts';\nimport de from '../src/texts/de.json';\nimport en from '../src/texts/en.json';\n\nit('has every text in every language', () => {\n  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());\n});\n",
        ),
        recorded('npx vitest run', vitest(3)),
      ],
    ],
    answer: 'The button uses `item.delete`; German lacked it. A test compares the keys.',
  },
  {
    name: 'client/count-of-open-todos',
    repository: 'client',
    prompt: 'Show "2 of 5 open" above the list, as a component of its own.',
    steps: [
      [find('list\\.count'), ...read('src/todo-list.tsx', 'src/texts.ts', 'src/api.ts')],
      [
        write(
          'src/open-count.tsx',
          "import type { Todo } from './api';\nimport { text } from './texts';\n\nexport function OpenCount({ todos }: { todos: Todo[] }) {\n  const open = todos.filter((todo) => !todo.done).length;\n  return <p>{text('list.count', { open, all: todos.length })}</p>;\n}\n",
        ),
        edit(
          'src/todo-list.tsx',
          "import { text } from './texts';\n",
          "import { OpenCount } from './open-count';\nimport { text } from './texts';\n",
        ),
        edit('src/todo-list.tsx', '    <section>\n', '    <section>\n      <OpenCount todos={todos} />\n'),
      ],
      [
        recorded(
          'npx tsc --noEmit',
          "src/texts.ts(1,16): error TS2732: Cannot find module './texts/de.json'. Consider using '--resolveJsonModule' to import module with '.json' extension.\nsrc/texts.ts(2,16): error TS2732: Cannot find module './texts/en.json'. Consider using '--resolveJsonModule' to import module with '.json' extension.\n",
          2,
        ),
        recorded('npx tsc --noEmit --resolveJsonModule', ''),
      ],
    ],
    answer:
      'Added `src/open-count.tsx` above the list. The two errors of tsc are about JSON imports and were there before.',
  },
];
