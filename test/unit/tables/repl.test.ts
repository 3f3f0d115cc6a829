// REPL, row by row, over real interpreters: values, errors, what is lost, and what is refused.
import { type Repl } from '../../../src/core/ports/repl';
import { replTool } from '../../../src/core/tools/repl';
import { createNodeRepl } from '../../../src/node/repl/node-repl';
import { type ToolRow, toolTable } from '../../support/tool-table';

const js = (code: string, more: object = {}): object => ({ language: 'javascript', code, ...more });
const python = (code: string): object => ({ language: 'python', code });

/** One process a language, from row to row. */
const rows: ToolRow[] = [
  {
    name: 'what is printed, and a value',
    input: js('let a = await 20; console.log("printed"); a + 1'),
    text: 'printed\n21',
    detail: '',
  },
  { name: 'a variable of the call before', input: js('a'), text: '20' },
  { name: 'no value', input: js('undefined'), text: 'Done; it printed nothing and has no value.' },
  { name: 'an error', input: js('a.b.c'), code: 'error', text: /^TypeError: /, detail: 'failed' },
  { name: 'a mistake in the syntax', input: js('let ='), code: 'error', text: /SyntaxError/ },
  { name: 'other scripts', input: js('"größe 漢字 😀"'), text: "'größe 漢字 😀'" },
  {
    name: 'what never ends',
    input: js('console.log("first"); for (;;);', { timeout: 600 }),
    code: 'error',
    text: /^first\nThe code did not finish within 600 ms and the process was killed\. Its variables are lost: the next call starts with a new process\.$/,
    detail: 'too slow, ended',
  },
  { name: 'its variables are gone then', input: js('typeof a'), text: "'undefined'" },
  {
    name: 'an end from within',
    input: js('process.exit(2)'),
    code: 'error',
    text: /^The process ended with exit code 2\.\nIts variables are lost/,
    detail: 'died',
  },
  { name: 'Python', input: python('b = 20\nprint("printed")\nb + 1'), text: 'printed\n21', detail: '' },
  { name: 'a variable in Python', input: python('b'), text: '20' },
  { name: 'an error in Python', input: python('b.c'), code: 'error', text: /AttributeError/, detail: 'failed' },
  { name: 'a mistake in the syntax of Python', input: python('def'), code: 'error', text: /SyntaxError/ },
  {
    name: 'no host',
    ports: { repl: undefined as unknown as Partial<Repl> },
    input: js('1'),
    code: 'no-repl',
    text: /Run the code with Bash/,
  },
  { name: 'no language', input: { code: '1' }, code: 'InputValidationError', text: /language/ },
  {
    name: 'an unknown language',
    input: { language: 'ruby', code: '1' },
    code: 'InputValidationError',
    text: /language/,
  },
  { name: 'no code', input: { language: 'python', code: '' }, code: 'InputValidationError', text: /code/ },
  {
    name: 'code that is a list',
    input: { language: 'python', code: ['1'] },
    code: 'InputValidationError',
    text: /Expected string, received array/,
  },
  {
    name: 'a timeout of nothing',
    input: { language: 'python', code: '1', timeout: 0 },
    code: 'InputValidationError',
    text: /timeout/,
  },
];

describe('REPL, row by row', () => {
  let repl: Repl;
  before(() => (repl = createNodeRepl({ environment: async () => process.env })));
  after(() => repl.dispose());
  toolTable(replTool, rows, { on: 'folder', ports: () => ({ repl }), timeout: 30_000 });
});
