// What skills make of a prompt: the user's "/name" becomes their content, an agent's first task gets those that its file names.
import { defined } from '../../../shared/defined';
import { type Emit } from '../../events/session-event';
import { type Prompt } from '../../events/steering-queue';
import { type ExpandedPrompt } from '../../feature/session-feature';
import { type SessionCheckpoints } from '../../ports/checkpoints';
import { type Ports } from '../../ports/ports';
import { type SessionRecord } from '../../ports/record';
import { findSkill, type Skill, type SkillList } from '../../skills/skill';
import { type SessionSkillOptions } from '../../skills/skill-options';
import { slashStack } from '../../skills/slash-stack';
import { nearNames } from '../../text/near-names';
import { slashLine } from '../../text/slash-line';
import { type UserBlock } from '../../wire/wire';
import { type SkillRunner } from './skill-runner';
import { said } from '../../text/words';

export interface PromptSkillParts {
  options: SessionSkillOptions;
  records: readonly SessionRecord[];
  ports: Pick<Ports, 'uuid'>;
  checkpoints?: SessionCheckpoints | undefined;
  emit: Emit;
  /** The reason where a hook keeps a command of the user's from being expanded. */
  expands: (name: string, args: string, prompt: string, signal: AbortSignal) => Promise<string | undefined>;
}

export class PromptSkills {
  readonly #parts: PromptSkillParts;
  readonly #runner: SkillRunner;

  constructor(parts: PromptSkillParts, runner: SkillRunner) {
    this.#parts = parts;
    this.#runner = runner;
  }

  /** Why this message cannot be sent: it begins with the name of no command. */
  async refusal(prompt: Prompt): Promise<string | undefined> {
    const { options } = this.#parts;
    const text = this.#typed(prompt);
    const line = text === undefined ? undefined : slashLine(text);
    if (line === undefined) return undefined;
    const list = await options.catalogue.list();
    return refusalOf(line.name, list, options.otherNames?.() ?? []);
  }

  /** The message with the skills in it that it names; itself where it names none. */
  async expand(prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt> {
    try {
      return await this.#expand(await this.#preload(prompt, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { kind: 'stopped' };
    }
  }

  /** For one that waited while the agent worked; undefined where it is not sent, of which the user was notified. */
  async expandQueued(prompt: Prompt, signal: AbortSignal): Promise<Prompt | undefined> {
    const { emit } = this.#parts;
    const unknown = await this.refusal(prompt);
    const expanded =
      unknown === undefined ? await this.expand(prompt, signal) : ({ kind: 'refused', message: unknown } as const);
    if (expanded.kind === 'prompt') return expanded.prompt;
    if (expanded.kind === 'stopped') return undefined;
    emit({ type: 'prompt_unsent', prompt });
    emit({ type: 'command_refused', message: expanded.message });
    return undefined;
  }

  /** What is at the end of a prompt, where it is only what the user typed. */
  #typed({ content, display }: Prompt): string | undefined {
    if (this.#parts.options.plainPrompts === true) return undefined;
    const last = content.at(-1);
    return last?.type === 'text' && last.text === display.text ? display.text : undefined;
  }

  async #expand(prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt> {
    const { options, ports, checkpoints } = this.#parts;
    const text = this.#typed(prompt);
    if (text === undefined || slashLine(text) === undefined) return { kind: 'prompt', prompt };
    const list = await options.catalogue.list();
    const stack = slashStack(text, (name) => findSkill(list, name)?.forUser === true);
    const content: UserBlock[] = [...prompt.content];
    // What commands of a skill change belongs to the message: a rewind to it takes that back too.
    const uuid = stack === undefined || checkpoints === undefined ? undefined : (prompt.uuid ?? ports.uuid());
    if (uuid !== undefined) checkpoints?.prompt(uuid, prompt.display.text);
    for (const typedName of stack?.names ?? []) {
      const skill = findSkill(list, typedName);
      // It went away between two looks.
      if (skill === undefined) return { kind: 'refused', message: `The command /${typedName} no longer exists.` };
      const { name } = skill;
      const blocked = await this.#parts.expands(name, stack?.args ?? '', text, signal);
      signal.throwIfAborted();
      if (blocked !== undefined) return { kind: 'refused', message: `A hook blocked /${name}: ${blocked}` };
      const used = await this.#runner.use(skill, stack?.args ?? '', {
        toolUseId: ports.uuid(),
        signal,
        onProgress: () => undefined,
        typed: true,
      });
      if (used.kind === 'failed') return { kind: 'refused', message: said(used.message) };
      if (used.kind === 'content') content.push(...used.content);
      else if (used.kind === 'known')
        content.push({
          type: 'text',
          text: `The skill ${name} is already above, unchanged: follow it again.`,
        });
      else content.push({ type: 'text', text: `The skill ${name} ran in its own agent. Its report:\n\n${used.text}` });
    }
    return { kind: 'prompt', prompt: { ...prompt, content, ...defined({ uuid }) } };
  }

  /** With the skills that the agent's file names, once: after its first task. */
  async #preload(prompt: Prompt, signal: AbortSignal): Promise<Prompt> {
    const { options, ports, records } = this.#parts;
    const names = options.preloaded ?? [];
    if (names.length === 0 || records.some((record) => record.type === 'user' && record.display !== undefined))
      return prompt;
    const list = await options.catalogue.list();
    const content: UserBlock[] = [...prompt.content];
    for (const name of names) {
      const skill = findSkill(list, name);
      // Its content is what the agent works by: it runs in no further one.
      const used =
        skill?.forModel === true
          ? await this.#runner.use(unforked(skill), '', {
              toolUseId: ports.uuid(),
              signal,
              onProgress: () => undefined,
              typed: true,
            })
          : undefined;
      if (used?.kind === 'content') content.push(...used.content);
      else
        content.push({
          type: 'text',
          text:
            used?.kind === 'failed'
              ? said(used.message)
              : `The skill ${name}, which you should have been given, ${skill === undefined ? 'does not exist' : 'is for the user only'}: continue without it.`,
        });
    }
    return { ...prompt, content };
  }
}

/** As it runs in the conversation itself. */
function unforked(skill: Skill): Skill {
  const { fork: _fork, ...rest } = skill;
  return rest;
}

/** Why nothing is sent; undefined where the user may use the skill of this name. */
function refusalOf(name: string, list: SkillList, otherNames: readonly string[]): string | undefined {
  const skill = findSkill(list, name);
  if (skill !== undefined)
    return skill.forUser
      ? undefined
      : `Only the model can use /${name} (user-invocable: false). Ask for what it does in your own words.`;
  const problem = list.problems.find(({ file, broken }) => broken && isFileOf(file, name));
  if (problem !== undefined) return `/${name} cannot be used: ${problem.file}: ${problem.message}`;
  const near = nearNames(name, [...otherNames, ...list.skills.filter(({ forUser }) => forUser).map((one) => one.name)]);
  return `There is no command /${name}.${near.length === 0 ? '' : ` Did you mean ${near.map((one) => `/${one}`).join(' or ')}?`} To send a message that begins with a slash, put a word in front of it.`;
}

function isFileOf(file: string, name: string): boolean {
  return file.endsWith(`/${name}/SKILL.md`) || file.endsWith(`/${name.replaceAll(':', '/')}.md`);
}
