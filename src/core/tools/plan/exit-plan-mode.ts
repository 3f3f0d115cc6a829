// ExitPlanMode: shows the user the plan; once they accept it, as they left it, the work begins.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { newPlanFile } from '../../plan/plan-file';
import { planChanges } from '../../plan/plan-feedback';
import { exitPlanModeName } from '../../plan/waiting-plan';
import { buildTool, promptOf } from '../../tool/build-tool';
import prompt from './exit-plan-mode.md';
import { planForHooks } from './plan-for-hooks';
import { type ExitPlanModeOutput, exitPlanModeSchema } from './plan-output';
import { type ToolContext, type ToolFailure, type ToolPreview, type ToolResult } from '../../tool/tool';

const inputSchema = z.strictObject({ plan: z.string().min(1).describe('The whole plan, in Markdown') });
type Input = z.infer<typeof inputSchema>;

const nowhere: ToolFailure = {
  failure: {
    code: 'no-plan-here',
    message: 'Nobody can be shown a plan here. Give the plan as your answer, and do not begin.',
  },
};

export const exitPlanModeTool = buildTool<Input, ExitPlanModeOutput>({
  name: exitPlanModeName,
  aliases: ['ExitPlanModeTool'],
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: exitPlanModeSchema,
  strict: true,
  hookOutput: planForHooks,
  access: 'ReadOnly',
  isEnabled: ({ interactive, startsInPlan }) => interactive || startsInPlan?.() === true,
  asksUser: true,
  isReadOnly: () => true,
  describe: () => ({ now: 'Showing the plan', past: 'Planned' }),
  validateInput: async (_input, { session }) => {
    if (session.planning?.mode() === 'plan') return { ok: true };
    return {
      ok: false,
      code: 'not-in-plan-mode',
      message: 'The permission mode is not Plan, so there is no plan to accept. Continue the work.',
    };
  },
  // No rule, hook or mode accepts a plan for the user.
  checkPermissions: async () => ({
    behavior: 'ask',
    code: 'rule',
    reason: 'Nothing is changed before you accept the plan. You can edit it, and comment on its lines, in the editor.',
    suggestions: [
      {
        label: 'Accept and edit automatically',
        updates: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    ],
  }),
  preview,
  call,
  content: resultText,
  view: ({ plan }) => ({ kind: 'markdown', text: plan }),
  detail: ({ userChanges }) => (userChanges === undefined ? 'accepted' : 'accepted with your changes'),
});

async function preview({ plan }: Input, { session, ports }: ToolContext): Promise<ToolPreview | ToolFailure> {
  if (session.planning === undefined) return nowhere;
  const text = plan.endsWith('\n') ? plan : `${plan}\n`;
  const file = await newPlanFile(session.planning.directory(), plan, ports.files);
  await ports.files.writeOwnFile(file, text);
  return {
    title: 'plan',
    plan: { file },
    view: { kind: 'markdown', text: plan },
    proposal: { path: file, base: undefined, text },
  };
}

async function call(
  { plan }: Input,
  { session, ports, proposal }: ToolContext,
): Promise<ToolResult<ExitPlanModeOutput> | ToolFailure> {
  if (session.planning === undefined || proposal === undefined) return nowhere;
  const { text, path, proposedText } = proposal;
  const changes = planChanges(proposedText, text);
  if (changes !== undefined) await ports.files.writeOwnFile(path, text);
  const chosen = session.planning.mode();
  const mode = chosen === 'plan' ? 'default' : chosen;
  return {
    data: {
      plan: changes === undefined ? plan : text.trimEnd(),
      filePath: path,
      mode,
      ...defined({ userChanges: changes }),
    },
    ...(chosen === 'plan' ? { contextModifier: { mode } } : {}),
  };
}

function resultText({ plan, filePath, mode, userChanges, changedByHook }: ExitPlanModeOutput): string {
  const accepted =
    userChanges === undefined
      ? 'The user accepted the plan.'
      : 'The user changed the plan and accepted their version. What they changed:';
  const next =
    mode === 'acceptEdits'
      ? 'Edits inside the workspace are applied at once now and reviewed afterwards.'
      : 'The user approves each edit and command first.';
  const parts = [
    accepted,
    ...(userChanges === undefined ? [] : [userChanges]),
    `The plan is kept in ${filePath}. The permission mode is no longer Plan. ${next} Begin with the work.`,
  ];
  return userChanges === undefined && changedByHook === undefined
    ? parts.join(' ')
    : [...parts, `The plan to follow:\n\n${plan}`].join('\n\n');
}
