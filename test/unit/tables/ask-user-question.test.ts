// AskUserQuestion, row by row: what may be asked, and what the model gets for each kind of answer.
import { defined } from '../../../src/shared/defined';
import { type QuestionAnswer } from '../../../src/core/ports/questions';
import { askUserQuestionTool } from '../../../src/core/tools/ask-user-question';
import { type ToolRow, toolTable } from '../../support/tool-table';

const option = (label: string) => ({ label, description: `It is ${label}.` });
const database = {
  question: 'Which database?',
  header: 'Database',
  options: [option('Postgres'), option('SQLite')],
  multiSelect: false,
};
const features = {
  question: 'Which features?',
  header: 'Features',
  options: [option('Search'), option('Export'), option('Import')],
  multiSelect: true,
};
const answers = (given: Record<string, string>, response?: string): QuestionAnswer => ({
  behavior: 'answered',
  answers: given,
  ...defined({ response }),
});

const table: [string, object[], QuestionAnswer, RegExp, string][] = [
  [
    'a choice',
    [database],
    answers({ 'Which database?': 'SQLite' }),
    /^The user answered:\n"Which database\?": SQLite$/,
    'SQLite',
  ],
  [
    'several choices',
    [features],
    answers({ 'Which features?': 'Search, Import' }),
    /"Which features\?": Search, Import$/,
    'Search, Import',
  ],
  [
    'words of their own',
    [database],
    answers({ 'Which database?': 'The one we have' }),
    /"Which database\?": The one we have$/,
    'The one we have',
  ],
  [
    'several questions',
    [database, features],
    answers({ 'Which features?': 'Export', 'Which database?': 'Postgres' }),
    /Postgres\n"Which features\?": Export$/,
    '2 answers',
  ],
  [
    'one of several',
    [database, features],
    answers({ 'Which database?': 'Postgres' }),
    /Postgres\n"Which features\?": no answer$/,
    '1 of 2 answered',
  ],
  [
    'a message instead',
    [database],
    answers({}, ' Neither: use files. '),
    /^The user wrote this instead of choosing:\nNeither: use files\.$/,
    'answered in text',
  ],
  [
    'answers and a message',
    [database, features],
    answers({ 'Which database?': 'Postgres' }, 'Stop there.'),
    /"Which features\?": no answer\n\nThe user wrote this instead of choosing:\nStop there\.$/,
    'answered in text',
  ],
  [
    'a message with more than words',
    [database],
    { behavior: 'wrote' },
    /^The user wrote a message instead of choosing; it follows\.$/,
    'answered in text',
  ],
  ['a closed question', [database], { behavior: 'dismissed' }, /neither a yes nor a no/, 'dismissed'],
  ['nothing at all', [database], answers({}), /neither a yes nor a no/, 'dismissed'],
  ['an answer to something else', [database], answers({ 'Who?': 'Me' }), /neither a yes nor a no/, 'dismissed'],
];

const bad: [string, unknown][] = [
  ['no question', { questions: [] }],
  ['five questions', { questions: Array.from({ length: 5 }, (_, index) => ({ ...database, question: `${index}?` })) }],
  ['one option', { questions: [{ ...database, options: [option('A')] }] }],
  ['five options', { questions: [{ ...database, options: ['A', 'B', 'C', 'D', 'E'].map(option) }] }],
  ['a long header', { questions: [{ ...database, header: 'Which database' }] }],
  ['an option without a label', { questions: [{ ...database, options: [option(''), option('B')] }] }],
];

const senseless: [string, object[], string, RegExp][] = [
  ['the same question twice', [database, database], 'same-question', /is asked twice/],
  [
    'the same option twice',
    [{ ...database, options: [option('Yes'), option('yes ')] }],
    'same-option',
    /has the option "yes" twice/,
  ],
  ['an option "Other"', [{ ...database, options: [option('A'), option('Other')] }], 'other-option', /Leave it out/],
];

const rows: ToolRow[] = [
  ...table.map(([name, questions, answer, text, detail]): ToolRow => ({
    name: `relays ${name}`,
    input: { questions },
    ports: { questioner: { askQuestions: async () => answer } },
    text,
    detail,
  })),
  ...bad.map(([name, input]): ToolRow => ({
    name: `refuses ${name}`,
    input,
    code: 'InputValidationError',
    text: /`questions/,
  })),
  ...senseless.map(([name, questions, code, text]): ToolRow => ({
    name: `refuses ${name}`,
    input: { questions },
    code,
    text,
  })),
  { name: 'no questions', input: {}, code: 'InputValidationError', text: /`questions`: Required/ },
  {
    name: 'a question that is a text',
    input: { questions: ['Which?'] },
    code: 'InputValidationError',
    text: /`questions\.0`: Expected object, received string/,
  },
  {
    name: 'nobody who could be asked',
    input: { questions: [database] },
    code: 'nobody-to-ask',
    text: /^Nobody can be asked here\. Decide/,
  },
];

describe('AskUserQuestion, row by row', () => toolTable(askUserQuestionTool, rows));
