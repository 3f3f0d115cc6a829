// Agent: a task for an agent with a context of its own.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { shortened } from '../../../shared/cut-text';
import { type ToolView } from '../../../shared/tool-view';
import { type AgentDefinition } from '../../subagents/agent-definition';
import { withTrailer } from '../../subagents/agent-trailer';
import { builtInAgents, defaultAgent } from '../../subagents/built-in-agents';
import { type SubagentSteps } from '../../subagents/subagents';
import { agentForHooks } from './agent-for-hooks';
import prompt from './agent.md';
import { neutralText } from '../../text/system-reminder';
import { type AgentOutput, agentOutputSchema } from './agent-output';
import { buildTool, promptOf } from '../../tool/build-tool';
import { type Offers } from '../../text/words';

export const agentInputSchema = z.strictObject({
  description: z.string().min(1).describe('The task in 3 to 5 words'),
  prompt: z.string().min(1).describe('The task'),
  subagent_type: z.string().optional().describe(`Which agent (default ${defaultAgent})`),
  model: z.string().optional().describe('Another model for it: opus, sonnet, haiku, fable or an ID'),
  run_in_background: z.boolean().optional().describe('Run it without waiting for it'),
  name: z.string().optional().describe('A name for messages to it'),
  isolation: z.enum(['worktree']).optional().describe('Let it work in its own git worktree'),
});
export type AgentInput = z.infer<typeof agentInputSchema>;

const maxShown = 8_000;
const maxDescription = 2_048;

/** What the files of agents say is no template. */
const ownWords = promptOf(prompt);

export const agentTool = buildTool<AgentInput, AgentOutput>({
  name: 'Agent',
  aliases: ['Task', 'agent', 'AgentTool'],
  prompt: async (context) => {
    const { agents = builtInAgents, toolNames } = context;
    return `${await ownWords(context)}\n\nAgents:\n${agents.map((agent) => agentLine(agent, toolNames)).join('\n')}`;
  },
  inputSchema: agentInputSchema,
  outputSchema: agentOutputSchema,
  strict: true,
  hookOutput: agentForHooks,
  // It changes nothing itself: each call of the agent is judged by the same rules.
  access: 'ReadOnly',
  isReadOnly: () => true,
  isConcurrencySafe: true,
  standsAlone: true,
  maxResultSizeChars: 100_000,
  describe: ({ description, subagent_type = defaultAgent }) => ({
    now: `${subagent_type} agent: ${description}`,
    past: `${subagent_type} agent: ${description}`,
  }),
  async call(input, { session, toolUseId, signal, onProgress }) {
    const { subagents } = session;
    if (subagents === undefined)
      return { failure: { code: 'no-agents', message: 'No agents can be started here. Do the task yourself.' } };
    const agentType = input.subagent_type ?? defaultAgent;
    const { description } = input;
    const outcome = await subagents.run(
      {
        description,
        // Its session is told what a reminder is: no model speaks in one.
        prompt: neutralText(input.prompt),
        agentType,
        background: input.run_in_background === true,
        ...defined({ model: input.model, name: input.name, isolation: input.isolation }),
      },
      {
        toolUseId,
        signal,
        onProgress: (text) => onProgress({ kind: 'text', text }),
        onSteps: (steps) =>
          onProgress({
            kind: 'view',
            text: steps.summary,
            view: stepsView(steps),
            ...defined({ color: steps.color }),
          }),
      },
    );
    const color = defined({ color: outcome.kind === 'failed' ? undefined : outcome.color });
    switch (outcome.kind) {
      case 'failed':
        return { failure: { code: outcome.code, message: outcome.message } };
      case 'launched':
        return {
          data: {
            status: 'async_launched',
            agentId: outcome.agentId,
            agentType,
            description,
            content: '',
            steps: [],
            totalTokens: 0,
            totalToolUseCount: 0,
            totalDurationMs: 0,
            transcript: outcome.transcript,
            ...defined({ team: outcome.team }),
            ...color,
          },
        };
      default: {
        const { kind, agentId, text, usage, steps = [] } = outcome;
        return {
          data: {
            status: kind,
            agentId,
            agentType,
            description,
            content: text,
            steps: [...steps],
            totalTokens: usage.totalTokens,
            totalToolUseCount: usage.toolUses,
            totalDurationMs: usage.durationMs,
            ...color,
          },
        };
      }
    }
  },
  content: resultText,
  view: agentView,
  detail: ({ status, totalToolUseCount: uses, totalTokens }) =>
    status === 'async_launched'
      ? 'in the background'
      : `${status === 'stopped' ? 'stopped · ' : ''}${uses} tool ${uses === 1 ? 'use' : 'uses'} · ${totalTokens < 1_000 ? totalTokens : `${Math.round(totalTokens / 1_000)}k`} tokens`,
});

/** With its tools and when to use it. Deft's own agents name what any session may have; only what this one has is told. */
function agentLine(
  { name, description, source, tools, disallowedTools = [] }: AgentDefinition,
  offered: readonly string[],
): string {
  const not = source === 'builtIn' ? disallowedTools.filter((tool) => offered.includes(tool)) : disallowedTools;
  const all = tools?.join(', ') ?? (not.length === 0 ? 'all' : `all but ${not.join(', ')}`);
  return `- ${name}: ${shortened(description.replace(/\s+/g, ' '), maxDescription)} (Tools: ${all})`;
}

function resultText(output: AgentOutput, offers: Offers): string {
  const { status, agentId, content, totalTokens, totalToolUseCount, totalDurationMs, transcript = '' } = output;
  if (status === 'async_launched')
    return `The agent runs in the background. agentId: ${agentId}. You are notified when it is done; do not wait for it or do its work yourself. Its transcript: ${transcript}`;
  const usage = { totalTokens, toolUses: totalToolUseCount, durationMs: totalDurationMs };
  if (status === 'completed') return withTrailer(content, agentId, usage, offers);
  return withTrailer(
    `The agent was stopped before it was done.${content === '' ? '' : ` Its output so far:\n\n${content}`}`,
    agentId,
    usage,
    offers,
  );
}

function agentView({ status, content, steps }: AgentOutput): ToolView {
  if (status === 'async_launched') return { kind: 'markdown', text: '' };
  const done = stepsText(steps);
  return {
    kind: 'markdown',
    text: [done, shortened(content, maxShown)].filter((part) => part !== '').join('\n\n---\n\n'),
  };
}

function stepsView({ steps }: SubagentSteps): ToolView {
  return { kind: 'markdown', text: stepsText(steps) };
}

function stepsText(steps: readonly string[]): string {
  return steps.map((step) => `- ${plainMarkdown(step)}`).join('\n');
}

/** Words of a model are shown as they are, on one line. */
function plainMarkdown(text: string): string {
  return shortened(text.replace(/\s+/g, ' '), 200).replace(/[\\`*_[\]<>#|!~&]/g, (sign) => `\\${sign}`);
}
