// A skill that runs in an agent of its own: started as an agent of the session, and reported as the skill's outcome.
import { defined } from '../../../shared/defined';
import { type Skill, type SkillFork } from '../../skills/skill';
import { skillRules } from '../../skills/skill-rules';
import { type SkillCall, type SkillUse } from '../../skills/skills';
import { type ToolSession } from '../../tool/tool';
import { type ToolRegistry } from '../../tools/registry';

/** What the user typed is not a call: their message waits for its agent, since no result would report it. */
export type StartedBy = SkillCall & { typed?: true };

export async function forkSkill(
  skill: Skill,
  { agent: agentType = 'general-purpose', background }: SkillFork,
  prompt: string,
  call: StartedBy,
  { session, registry }: { session: Pick<ToolSession, 'subagents'>; registry: Pick<ToolRegistry, 'find'> },
): Promise<SkillUse> {
  // An agent without the Agent tool starts none by way of a skill either: that one would have all tools.
  if (session.subagents === undefined || registry.find('Agent') === undefined) {
    return {
      kind: 'failed',
      code: 'no-agents',
      message: `The skill ${skill.name} runs in its own agent (context: fork), and agents cannot be started here. Read ${skill.file} and do what it says yourself, if the user wants that.`,
    };
  }
  const description = `Skill ${skill.name}`;
  const outcome = await session.subagents.run(
    {
      description,
      prompt,
      agentType,
      background: background && call.typed !== true,
      ...defined({ model: skill.model }),
      rules: skillRules(skill, never).rules,
    },
    call,
  );
  switch (outcome.kind) {
    case 'completed':
      return {
        kind: 'forked',
        text: outcome.text,
        agent: { status: 'completed', agentId: outcome.agentId, agentType, description },
      };
    case 'launched':
      // An agent whose own file puts it there. No result of a call will ever be written.
      if (call.typed === true) session.subagents.resultWritten?.(call.toolUseId);
      return {
        kind: 'forked',
        text: `It runs in the background as agent ${outcome.agentId}; you are notified when it ends.`,
        agent: {
          status: 'async_launched',
          agentId: outcome.agentId,
          agentType,
          description,
          transcript: outcome.transcript,
        },
      };
    case 'stopped':
      return {
        kind: 'failed',
        code: 'stopped',
        message: `The agent of the skill ${skill.name} was stopped. Its output so far: ${outcome.text}`,
      };
    case 'failed':
      return outcome;
  }
}

const never = (): boolean => false;
