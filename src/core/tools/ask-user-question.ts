// AskUserQuestion: questions to the user, with answers to choose from.
import { defined } from '../../shared/defined';
import { z } from 'zod/v3';
import { shortened } from '../../shared/cut-text';
import { type QuestionAnswer } from '../ports/questions';
import { answerWithin, noAnswer } from '../tool/answer-within';
import prompt from './ask-user-question.md';
import { buildTool, promptOf } from '../tool/build-tool';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../tool/tool';

const optionSchema = z.strictObject({
  label: z.string().min(1).describe('The answer in one to five words'),
  description: z.string().describe('What choosing it means'),
  preview: z
    .string()
    .optional()
    .describe('Markdown, such as a code block or a sketch in one, that shows what it would look like'),
});
const questionSchema = z.strictObject({
  question: z.string().min(1).describe('The whole question, with a question mark'),
  header: z.string().min(1).max(12).describe('Its subject in at most 12 characters'),
  options: z.array(optionSchema).min(2).max(4).describe('Without "Other", which is added'),
  multiSelect: z.boolean().default(false).describe('Several answers may be chosen'),
});
const inputSchema = z.strictObject({
  questions: z.array(questionSchema).min(1).max(4).describe('All that you need to know, at once'),
});

const outputSchema = z.object({
  questions: z.array(questionSchema),
  /** By the question's text. */
  answers: z.record(z.string()),
  /** What the user wrote instead of choosing. */
  response: z.string().optional(),
  /** A message of theirs follows the result. */
  follows: z.boolean().optional(),
  dismissed: z.boolean().optional(),
  /** Nobody answered for so many minutes. */
  unanswered: z.number().optional(),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const askUserQuestionTool = buildTool<Input, Output>({
  name: 'AskUserQuestion',
  aliases: ['AskUserQuestionTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  asksUser: true,
  isEnabled: ({ interactive }) => interactive,
  isReadOnly: () => true,
  describe: ({ questions }) => {
    const [first] = questions;
    const what =
      questions.length === 1 && first !== undefined ? `: ${first.question}` : ` ${questions.length} questions`;
    return { now: `Asking${what}`, past: `Asked${what}` };
  },
  validateInput: async (input) => validate(input),
  call,
  content: resultText,
  view: (output) => ({ kind: 'markdown', text: viewText(output) }),
  detail,
});

function validate({ questions }: Input): ValidationResult {
  const twice = repeated(questions.map(({ question }) => question));
  if (twice !== undefined) {
    return {
      ok: false,
      code: 'same-question',
      message: `The question "${twice}" is asked twice. Answers are matched by the question's text: ask it once.`,
    };
  }
  for (const { question, options } of questions) {
    const same = repeated(options.map(({ label }) => label.trim().toLowerCase()));
    if (same !== undefined)
      return {
        ok: false,
        code: 'same-option',
        message: `"${question}" has the option "${same}" twice. Give each option a unique label.`,
      };
    if (options.some(({ label }) => label.trim().toLowerCase() === 'other')) {
      return {
        ok: false,
        code: 'other-option',
        message: `"${question}" has an option "Other". Leave it out: the user can always answer in their own words.`,
      };
    }
  }
  return { ok: true };
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}

async function call({ questions }: Input, context: ToolContext): Promise<ToolResult<Output> | ToolFailure> {
  const { questioner, uuid } = context.ports;
  if (questioner === undefined) {
    return {
      failure: {
        code: 'nobody-to-ask',
        message: 'Nobody can be asked here. Decide from what you know, and say in your answer what you assumed.',
      },
    };
  }
  const request = { id: uuid(), toolUseId: context.toolUseId, questions: questions.map(plain) };
  const wait = context.session.questionTimeoutMs();
  const answer =
    wait === undefined
      ? await questioner.askQuestions(request, context.signal)
      : await answerWithin(
          wait,
          (signal) => questioner.askQuestions(request, signal),
          context.signal,
          context.ports.clock,
        );
  if (answer === noAnswer) return { data: { questions, answers: {}, unanswered: (wait ?? 0) / 60_000 } };
  return { data: { questions, ...answered(questions, answer) } };
}

function plain({ question, header, options, multiSelect }: Input['questions'][number]) {
  return {
    question,
    header,
    multiSelect,
    options: options.map(({ label, description, preview }) => ({
      label,
      description,
      ...defined({ preview }),
    })),
  };
}

/** Only what was asked, in the order in which it was asked. */
function answered(questions: Input['questions'], answer: QuestionAnswer): Omit<Output, 'questions'> {
  if (answer.behavior === 'dismissed') return { answers: {}, dismissed: true };
  if (answer.behavior === 'wrote') return { answers: {}, follows: true };
  const known = questions.flatMap(({ question }): [string, string][] => {
    const given = (Object.hasOwn(answer.answers, question) ? answer.answers[question] : undefined)?.trim() ?? '';
    return given === '' ? [] : [[question, given]];
  });
  const response = answer.response?.trim() ?? '';
  if (known.length === 0 && response === '') return { answers: {}, dismissed: true };
  return { answers: Object.fromEntries(known), ...(response === '' ? {} : { response }) };
}

function resultText({ questions, answers, response, follows, dismissed, unanswered }: Output): string {
  if (unanswered !== undefined) {
    return `The user did not answer within ${minutes(unanswered)} and may be away. That is neither a yes nor a no: continue with what can be undone, say what you assumed, and ask again later if it matters.`;
  }
  if (follows === true) return 'The user wrote a message instead of choosing; it follows.';
  if (dismissed === true) {
    return 'The user closed the questions without an answer. That is neither a yes nor a no: continue with what you can decide yourself, or say what you need to know.';
  }
  const given = questions.map(({ question }) =>
    answers[question] === undefined ? `"${question}": no answer` : `"${question}": ${answers[question]}`,
  );
  if (response === undefined) return ['The user answered:', ...given].join('\n');
  const before = Object.keys(answers).length === 0 ? [] : ['The user answered:', ...given, ''];
  return [...before, 'The user wrote this instead of choosing:', response].join('\n');
}

const minutes = (count: number): string => (count === 1 ? 'a minute' : `${count} minutes`);

function viewText({ questions, answers, response, follows, dismissed, unanswered }: Output): string {
  const asked = questions.map(({ question }) => {
    const answer = answers[question];
    if (answer !== undefined) return `**${question}**  \n${answer}`;
    return questions.length === 1 && response === undefined ? '' : `**${question}**`;
  });
  const words = response === undefined ? [] : [`You wrote: ${response}`];
  return (dismissed === true || follows === true || unanswered !== undefined) && questions.length === 1
    ? ''
    : [...asked, ...words].filter((part) => part !== '').join('\n\n');
}

function detail({ questions, answers, response, follows, dismissed, unanswered }: Output): string {
  if (unanswered !== undefined) return `no answer within ${minutes(unanswered)}`;
  if (dismissed === true) return 'dismissed';
  if (response !== undefined || follows === true) return 'answered in text';
  const [only] = Object.values(answers);
  if (questions.length === 1 && only !== undefined) return firstWords(only);
  const count = Object.keys(answers).length;
  return count === questions.length ? `${count} answers` : `${count} of ${questions.length} answered`;
}

function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return shortened(line, 60);
}
