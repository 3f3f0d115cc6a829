// Skill: puts the instructions of a skill into the conversation, or runs them in an agent of their own.
import { z } from 'zod/v3';
import { shortened } from '../../shared/cut-text';
import { buildTool, promptOf } from '../tool/build-tool';
import prompt from './skill.md';
import { type ToolContext, type ToolFailure, type ToolResult } from '../tool/tool';

const inputSchema = z.strictObject({
  skill: z.string().min(1).describe('The name of the skill'),
  args: z.string().optional().describe('Arguments, if the skill takes any'),
});
const outputSchema = z.object({
  skill: z.string(),
  /** Its content follows, is in the conversation already, or was carried out by an agent. */
  state: z.enum(['loaded', 'known', 'forked']),
  text: z.string().optional(),
  /** The agent's facts, as Agent gives them: it is found again by these. */
  status: z.enum(['completed', 'async_launched']).optional(),
  agentId: z.string().optional(),
  agentType: z.string().optional(),
  description: z.string().optional(),
  transcript: z.string().optional(),
});

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const skillTool = buildTool<Input, Output>({
  name: 'Skill',
  aliases: ['skill', 'SlashCommand', 'SkillTool'],
  seldom: 'uses a skill that you were told of',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isReadOnly: () => true,
  describe: ({ skill, args = '' }) => {
    const called = shortened([skill, args].filter((part) => part !== '').join(' '), 100);
    return { now: `Using the skill ${called}`, past: `Used the skill ${called}` };
  },
  call,
  content: resultText,
  view: ({ text, skill, state }) => ({
    kind: 'markdown',
    text: text ?? (state === 'known' ? `${skill} is already in the conversation.` : `${skill} was loaded.`),
  }),
  detail: ({ state }) => (state === 'loaded' ? '' : state),
});

async function call(
  { skill, args = '' }: Input,
  { session, toolUseId, signal, onProgress }: ToolContext,
): Promise<ToolResult<Output> | ToolFailure> {
  if (session.skills === undefined)
    return { failure: { code: 'no-skills', message: 'There are no skills here. Continue without.' } };
  const name = skill.trim().replace(/^\//, '');
  const used = await session.skills.use(name, args, {
    toolUseId,
    signal,
    onProgress: (text) => onProgress({ kind: 'text', text }),
  });
  switch (used.kind) {
    case 'failed':
      return { failure: { code: used.code, message: used.message, endsTurn: used.endsTurn === true } };
    case 'known':
      return { data: { skill: name, state: 'known' } };
    case 'forked':
      return { data: { skill: name, state: 'forked', text: used.text, ...used.agent } };
    case 'content':
      return { data: { skill: name, state: 'loaded' }, newMessages: used.content };
  }
}

function resultText({ skill, state, text }: Output): string {
  return {
    loaded: `The skill ${skill} follows as a message.`,
    known: `The skill ${skill} is already in the conversation, unchanged: follow it again.`,
    forked: text ?? '',
  }[state];
}
