// REPL: JavaScript or Python in a process that lives on between calls. Off unless a rule names it.
import { z } from 'zod/v3';
import { headOf } from '../../shared/cut-text';
import { type ReplResult } from '../ports/repl';
import { fenced } from '../../shared/plain-markdown';
import { buildTool, promptOf } from '../tool/build-tool';
import prompt from './repl.md';
import { words } from '../text/words';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 600_000;
const TITLE_CHARACTERS = 80;

const inputSchema = z.strictObject({
  language: z.enum(['javascript', 'python']).describe('The language of the code'),
  code: z.string().min(1).describe('The code to run; the value of its last expression is returned'),
  timeout: z.number().positive().optional().describe('Milliseconds until the process is killed'),
});
export type ReplInput = z.infer<typeof inputSchema>;

const outputSchema = z.object({
  state: z.enum(['finished', 'failed', 'timeout', 'stopped', 'died', 'not-started']),
  output: z.string(),
  value: z.string(),
  late: z.string().default(''),
  fresh: z.boolean(),
  durationMs: z.number(),
  timeoutMs: z.number(),
});
export type ReplOutput = z.infer<typeof outputSchema>;

export const replTool = buildTool<ReplInput, ReplOutput>({
  name: 'REPL',
  aliases: ['repl', 'REPLTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'DangerFullAccess',
  maxResultSizeChars: 30_000,
  isEnabled: ({ has, names, runsCommands }) => runsCommands?.() !== false && has('repl') && names('REPL'),
  describe: ({ language, code }) => {
    const what = `${languages[language]}: ${firstLine(code)}`;
    return { now: `Running ${what}`, past: `Ran ${what}` };
  },
  preview: async ({ language, code }) => ({ view: { kind: 'markdown', text: fenced(code, language) } }),
  async call({ language, code, timeout }, { ports, session, signal }) {
    if (ports.repl === undefined)
      return {
        failure: { code: 'no-repl', message: words`There is no interpreter here.{{Bash:  Run the code with Bash.}}` },
      };
    const timeoutMs = Math.min(timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
    const result = await ports.repl.evaluate(
      { session: session.id, language, code, cwd: session.cwd, timeoutMs },
      signal,
    );
    if (result.state === 'not-started') {
      return {
        failure: {
          code: 'not-started',
          message: words`${languages[language]} could not be started: ${result.value}{{Bash:  Run the code with Bash.}}`,
        },
      };
    }
    return { data: { ...result, timeoutMs } };
  },
  mapToolResultToToolResultBlockParam: (output, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content:
      [output.output.trimEnd(), output.value, lateText(output.late), endOf(output)]
        .filter((part) => part !== '')
        .join('\n') || 'Done; it printed nothing and has no value.',
    ...(output.state === 'finished' ? {} : { is_error: true }),
  }),
  view: ({ output, value, late }, { language, code }) => ({
    kind: 'markdown',
    text: [
      fenced(code, language),
      ...(output === '' ? [] : [fenced(output)]),
      ...(value === '' ? [] : [fenced(value)]),
      ...(late === '' ? [] : [`${fromEarlier}\n\n${fenced(late)}`]),
    ].join('\n\n'),
  }),
  detail: ({ state }) => (state === 'finished' ? '' : state === 'timeout' ? 'too slow, ended' : state),
});

const languages = { javascript: 'JavaScript', python: 'Python' } as const;

const fromEarlier = 'From earlier calls, after they had ended:';

function lateText(late: string): string {
  return late === '' ? '' : `${fromEarlier}\n${late.trimEnd()}`;
}

function endOf({ state, timeoutMs }: Pick<ReplResult, 'state'> & { timeoutMs: number }): string {
  const lost = 'Its variables are lost: the next call starts with a new process.';
  switch (state) {
    case 'finished':
    case 'failed':
    case 'not-started':
      return '';
    case 'timeout':
      return `The code did not finish within ${timeoutMs} ms and the process was killed. ${lost}`;
    case 'stopped':
      return `The call was stopped and the process was killed. ${lost}`;
    case 'died':
      return lost;
  }
}

function firstLine(code: string): string {
  const [first = '', ...more] = code.trim().split('\n');
  return first.length > TITLE_CHARACTERS || more.length > 0 ? `${headOf(first, TITLE_CHARACTERS)}…` : first;
}
