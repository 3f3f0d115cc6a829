// The skills of one session: used by the model's tool and by the user's "/name", with what the model is sent about them.
import { type ContextNote, type ContextSource } from '../../context/context-source';
import { type HookEntry } from '../../hooks/hook-entry';
import { keptContents, usedNames } from '../../skills/skill-text';
import { createSkillContext } from '../../skills/skill-context';
import { findSkill } from '../../skills/skill';
import { type Skills } from '../../skills/skills';
import { nearNames } from '../../text/near-names';
import { textHash } from '../../text/text-hash';
import { type PromptSkillParts, PromptSkills } from './prompt-skills';
import { SkillRunner, type SkillRunnerParts } from './skill-runner';
import { type Words, words } from '../../text/words';

export interface SessionSkillParts extends SkillRunnerParts, PromptSkillParts {
  ports: SkillRunnerParts['ports'];
}

export interface SessionSkills extends Pick<PromptSkills, 'refusal' | 'expand' | 'expandQueued'> {
  readonly tool: Skills;
  readonly source: ContextSource;
  /** Hooks of skills that were used. The same list as long as none is added or has run its once. */
  readonly hooks: readonly HookEntry[];
  hookRan(entry: HookEntry): void;
}

/** A list of what nothing could call says nothing. */
function forTheTool(notes: readonly ContextNote[]): ContextNote<Words>[] {
  return notes.map((note) => ({ ...note, text: words`{{Skill: ${note.text}}}` }));
}

export function createSessionSkills(parts: SessionSkillParts): SessionSkills {
  const { options, records } = parts;
  let prompt = '';
  const context = createSkillContext(options.catalogue, parts.secrets, () => ({ used: usedNames(records), prompt }));
  const runner = new SkillRunner(parts);
  const prompts = new PromptSkills(parts, runner);
  const tool: Skills = {
    list: () => options.catalogue.list(),
    async use(name, args, call) {
      const list = await options.catalogue.list();
      const skill = findSkill(list, name);
      if (skill === undefined) {
        const near = nearNames(
          name,
          list.skills.filter(({ forModel }) => forModel).map((one) => one.name),
        );
        return {
          kind: 'failed',
          code: 'unknown-skill',
          message: `There is no skill ${JSON.stringify(name)}.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`} Use only skills from the list in your context; continue without one if none fits.`,
        };
      }
      if (!skill.forModel)
        return {
          kind: 'failed',
          code: 'user-only',
          message: `Only the user may call the skill ${skill.name}, by typing /${skill.name}. Tell them if it would help.`,
        };
      return runner.use(skill, args, call);
    },
  };
  return {
    tool,
    async refusal(next) {
      // The list is made for the session's first prompt.
      if (prompt === '') prompt = next.display.text;
      return prompts.refusal(next);
    },
    expand: (prompt, signal) => prompts.expand(prompt, signal),
    expandQueued: (prompt, signal) => prompts.expandQueued(prompt, signal),
    source: {
      present: async () => forTheTool(await context.present()),
      touched: async (paths) => forTheTool(await context.touched(paths)),
      reattached: async () =>
        keptContents(records).map(({ name, text }) => ({ key: `skill:${name}:${textHash(text)}`, text })),
    },
    get hooks() {
      return runner.hooks;
    },
    hookRan: (entry) => runner.hookRan(entry),
  };
}
