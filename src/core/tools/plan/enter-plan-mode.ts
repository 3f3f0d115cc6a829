// EnterPlanMode: from here on the agent only looks, until a plan is accepted.
import { z } from 'zod/v3';
import { buildTool, promptOf } from '../../tool/build-tool';
import prompt from './enter-plan-mode.md';
import { said, words } from '../../text/words';

const inputSchema = z.strictObject({});
const outputSchema = z.object({ message: z.string() });

const entered = words`The permission mode is now Plan: only read, and change nothing. When you know enough, {{ExitPlanMode: call ExitPlanMode with the plan}}{{!ExitPlanMode: answer with the plan}}.`;

export const enterPlanModeTool = buildTool<z.infer<typeof inputSchema>, z.infer<typeof outputSchema>>({
  name: 'EnterPlanMode',
  aliases: ['EnterPlanModeTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  // Where nobody can accept a plan, it would end the work.
  isEnabled: ({ interactive }) => interactive,
  isReadOnly: () => true,
  describe: () => ({ now: 'Entering plan mode', past: 'Entered plan mode' }),
  validateInput: async (_input, { session }) => {
    if (session.planning === undefined)
      return {
        ok: false,
        code: 'no-plan-here',
        message: 'Only the main session has plan mode. Say in your answer what you would do.',
      };
    if (session.planning.mode() !== 'plan') return { ok: true };
    return {
      ok: false,
      code: 'in-plan-mode',
      message: words`The permission mode is already Plan. Read what the task touches, then {{ExitPlanMode: call ExitPlanMode with the plan}}{{!ExitPlanMode: answer with the plan}}.`,
    };
  },
  call: async (_input, { session }) => ({
    data: { message: said(entered, session.offers) },
    contextModifier: { mode: 'plan' },
  }),
  content: ({ message }) => message,
  view: () => ({ kind: 'markdown', text: '' }),
});
