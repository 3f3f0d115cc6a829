// Skills as a feature: the model's tool, the user's "/name", and what the model is sent about them.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { usableModel } from '../../feature/usable-model';
import { type AgentLink } from '../../feature/session-settings';
import { type SessionSkillOptions } from '../../skills/skill-options';
import { type ToolRegistry } from '../../tools/registry';
import { createSessionSkills, type SessionSkillParts } from './session-skills';
import { skills } from './skills-key';

/** `hooks`: those of a project's skill run where the user has agreed to them. */
export function skillsFeature(options: SessionSkillOptions, hooks: SessionSkillParts['hooks']): FeatureFactory {
  return (access) => {
    const { settings, ports, registry, session, scope, event } = access;
    const own = createSessionSkills({
      options,
      hooks,
      ...{ session, ports, registry, scope },
      records: settings.records,
      emit: settings.emit,
      checkpoints: settings.checkpoints,
      effort: settings.choices.effort,
      usable: (model, skill) => usableModel(model, access, `The skill ${skill}`),
      secrets: settings.secrets,
      services: access.execution,
      async expands(name, args, prompt, signal) {
        const fields = () => ({ expansion_type: 'slash_command', command_name: name, command_args: args, prompt });
        return (await event('UserPromptExpansion', fields, signal)).block;
      },
    });
    return {
      ...provides(skills, {
        list: () => own.tool.list(),
        get hooks() {
          return own.hooks;
        },
        hookRan: own.hookRan,
      }),
      ...(hearsNoSkills(settings.agent, registry) ? {} : { sources: [own.source] }),
      forTools: { skills: own.tool },
      prompts: {
        async before(prompt) {
          const message = prompt && (await own.refusal(prompt));
          return message === undefined ? undefined : { kind: 'refused', message };
        },
        expand: own.expand,
        expandQueued: own.expandQueued,
      },
      // What an agent is sent is not a command, whatever it begins with.
      inAgents: ({ definition }) =>
        skillsFeature({ ...options, plainPrompts: true, preloaded: definition.skills ?? [] }, hooks),
    };
  };
}

/** An agent that cannot use skills, or is sent nothing but its task. */
function hearsNoSkills(agent: AgentLink | undefined, registry: ToolRegistry): boolean {
  return agent !== undefined && (agent.bare || registry.find('Skill') === undefined);
}
