// The Subagents of a session that only the tools' own part is tested of: answers by the task's name.
import { type SubagentRequest, type Subagents, type SubagentTask } from '../../src/core/subagents/subagents';

export interface ScriptedSubagents extends Subagents {
  readonly asked: SubagentRequest[];
  readonly sent: { to: string; message: string }[];
}

export const agentTask: SubagentTask = {
  id: 'a1',
  name: 'scout',
  agentType: 'Explore',
  description: 'Find it',
  transcript: '/t/agent-a1.jsonl',
  state: 'running',
  text: 'Ran Read',
};

/** Agent types: `fails`, `stops`, `launches`; all others complete. */
export function scriptedSubagents(): ScriptedSubagents {
  const asked: SubagentRequest[] = [];
  const sent: { to: string; message: string }[] = [];
  const usage = { totalTokens: 1_500, toolUses: 2, durationMs: 30 };
  return {
    asked,
    sent,
    async run(request, call) {
      asked.push(request);
      call.onSteps?.({ steps: ['Reading *a*.ts …'], summary: '1 tool use' });
      const { agentType, background } = request;
      if (agentType === 'fails')
        return { kind: 'failed', code: 'unknown-agent', message: 'There is no agent "fails".' };
      if (agentType === 'stops') return { kind: 'stopped', agentId: 'a1', text: 'So far.', usage };
      if (background) return { kind: 'launched', agentId: 'a1', transcript: '/t/agent-a1.jsonl' };
      return { kind: 'completed', agentId: 'a1', text: `Report on ${request.prompt}.`, usage, steps: ['Read *a*.ts'] };
    },
    async send(to, message) {
      sent.push({ to, message });
      if (to === 'scout') return { kind: 'delivered', agentId: 'a1' };
      if (to === 'a1') return { kind: 'resumed', agentId: 'a1', transcript: '/t/agent-a1.jsonl' };
      return {
        kind: 'failed',
        code: 'unknown-agent',
        message: `There is no agent ${JSON.stringify(to)} in this session.`,
      };
    },
    tasks: () => [agentTask],
    stop: async (id) => id === 'a1',
    onEnd: () => () => undefined,
  };
}
