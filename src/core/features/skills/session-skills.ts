// The skills of one session: used by the model's tool and by the user's "/name", with their commands, their leave and their agents.
import { defined } from '../../../shared/defined';
import { type HookEntry } from '../../hooks/hook-entry';
import { resolveModelName } from '../../model/model-name';
import { type Effort, type TextBlock, type UserBlock } from '../../wire/wire';
import { type Ports } from '../../ports/ports';
import { type SessionCheckpoints } from '../../ports/checkpoints';
import { composePrompt } from '../../prompt/compose-prompt';
import { slashLine } from '../../text/slash-line';
import { presentRecords } from '../../sessions/compacted-log';
import { type SessionRecord } from '../../ports/record';
import { type ContextSource } from '../../context/context-source';
import { expandSkill, type CommandOutcome, waitingText } from '../../skills/expand-skill';
import { nearNames } from '../../text/near-names';
import { findSkill, findTyped, type Skill, type SkillList } from '../../skills/skill';
import { createSkillContext } from '../../skills/skill-context';
import { type SessionSkillOptions } from '../../skills/skill-options';
import { skillRules } from '../../skills/skill-rules';
import { contentText, keptContents, standsIn } from '../../skills/skill-text';
import { type SkillCall, type Skills, type SkillUse } from '../../skills/skills';
import { slashStack } from '../../skills/slash-stack';
import { type TurnScope } from '../../skills/turn-scope';
import { type ToolRegistry } from '../../tools/registry';
import { type ToolSession } from '../../tool/tool';
import { executeTool, type ExecutionServices } from '../../calls/execute-tool';
import { redactText } from '../../text/redact';
import { type Emit } from '../../events/session-event';
import { type ExpandedPrompt } from '../../feature/session-feature';
import { type JudgedHooks } from '../../hooks/hook-settings';
import { pluginVariables } from '../../ports/plugin-identity';
import { type Prompt } from '../../events/steering-queue';
import { textHash } from '../../text/text-hash';
import { textOf } from '../../calls/tool-result-storage';

export interface SessionSkillParts {
  options: SessionSkillOptions;
  session: ToolSession;
  records: readonly SessionRecord[];
  ports: Pick<Ports, 'files' | 'uuid'>;
  registry: Pick<ToolRegistry, 'find'>;
  checkpoints?: SessionCheckpoints | undefined;
  effort?: Effort | undefined;
  secrets?: (() => readonly string[]) | undefined;
  hooks?: (() => Pick<JudgedHooks, 'judgeAdded' | 'wanted'>) | undefined;
  emit: Emit;
  scope: TurnScope;
  /** What runs a call in a turn. */
  services: (signal: AbortSignal) => ExecutionServices;
  /** The reason where a hook keeps a command of the user's from being expanded. */
  expands: (name: string, args: string, prompt: string, signal: AbortSignal) => Promise<string | undefined>;
}

export interface SessionSkills {
  readonly tool: Skills;
  readonly source: ContextSource;
  /** Hooks of skills that were used. The same list as long as none is added or has run its once. */
  readonly hooks: readonly HookEntry[];
  hookRan(entry: HookEntry): void;
  /** Why this message cannot be sent: it begins with the name of no command. */
  refusal(prompt: Prompt): Promise<string | undefined>;
  /** The message with the skills in it that it names; itself where it names none. */
  expand(prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt>;
  /** Of one that waited while the agent worked; undefined where it is not sent, which the user was told. */
  expandQueued(prompt: Prompt, signal: AbortSignal): Promise<Prompt | undefined>;
}

/** What the user typed is no call: their message waits for its agent, since no result would tell of it. */
type StartedBy = SkillCall & { typed?: true };

export function createSessionSkills(parts: SessionSkillParts): SessionSkills {
  const { options, session, records, scope, emit, ports } = parts;
  const context = createSkillContext(options.catalogue, parts.secrets);
  let hooks: readonly HookEntry[] = [];

  const runCommand = async (skill: Skill, command: string, signal: AbortSignal): Promise<CommandOutcome> => {
    const base = parts.services(signal);
    const own = skillRules(skill, options.agreed ?? never).rules;
    const permission = (): ReturnType<ExecutionServices['permission']> => {
      const now = base.permission();
      return { ...now, rules: [...now.rules, ...own] };
    };
    const call = {
      id: ports.uuid(),
      name: skill.shell === 'powershell' ? 'PowerShell' : 'Bash',
      input: { command, description: `For the skill ${skill.name}` },
    };
    const result = await executeTool(
      call,
      { ...base, permission, weighed: undefined, decided: undefined, started: async () => undefined },
      signal,
    );
    signal.throwIfAborted();
    const text = textOf(result.block.content);
    // A command that ended with an error has still printed something; what did not run has not.
    if (result.state === 'done' || (result.state === 'failed' && typeof result.structured !== 'string'))
      return { kind: 'printed', text: harmless(text) };
    return {
      kind: 'failed',
      endsTurn: result.endsTurn,
      message: `The skill ${skill.name} was not used because its command \`${command}\` did not run: ${text.replace(/<\/?tool_use_error>/g, '').trim()}`,
    };
  };

  const use = async (skill: Skill, args: string, call: StartedBy): Promise<SkillUse> => {
    const { signal } = call;
    const effort = scope.effort ?? parts.effort;
    const variables = {
      CLAUDE_SESSION_ID: session.id,
      CLAUDE_PROJECT_DIR: session.folders[0] ?? session.cwd,
      CLAUDE_SKILL_DIR: skill.folder,
      ...(skill.plugin === undefined ? {} : pluginVariables(skill.plugin)),
      ...defined({ CLAUDE_EFFORT: effort }),
    };
    const isOff = options.shellDisabled?.() === true && skill.source !== 'managed' && skill.source !== 'bundled';
    const run = (command: string): Promise<CommandOutcome> => runCommand(skill, command, signal);
    const expanded = await expandSkill(skill, args, {
      variables,
      run: isOff ? undefined : skill.commandsWait === true ? async () => ({ kind: 'printed', text: waitingText }) : run,
    });
    if (expanded.kind === 'failed') return { ...expanded, code: 'skill-command' };
    const text = redactText(expanded.text, parts.secrets?.() ?? []);
    const attachments = await attached(expanded);
    // What it would change is about its agent: the turn that starts it stays as it is.
    if (skill.forks) return fork(skill, [...attachments.map((block) => block.text), text].join('\n\n'), call);
    const { rules, pending } = skillRules(skill, options.agreed ?? never);
    if (pending.length > 0) options.wouldAllow?.(skill.name, pending);
    const model = skill.model === undefined ? undefined : resolveModelName(skill.model, options.variables?.() ?? {});
    scope.add({
      rules,
      ...defined({ model, effort: skill.effort }),
    });
    addHooks(skill);
    const content = contentText(skill, text);
    if (standsIn(presentRecords(records), content)) return { kind: 'known' };
    return { kind: 'content', content: [...attachments, { type: 'text', text: content }] };
  };

  /** Files that the skill names by "@". */
  const attached = async ({ written }: { written: string }): Promise<TextBlock[]> => {
    if (!written.includes('@')) return [];
    const folders = session.folders.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1), path }));
    const { content } = await composePrompt(
      { text: '', mentionsIn: written, images: [] },
      {
        files: ports.files,
        cwd: session.cwd,
        folders,
        isHidden: (path) => session.isHidden(path),
        readState: session.readState,
        secrets: parts.secrets?.() ?? [],
      },
    );
    return content.flatMap((block) => (block.type === 'text' ? [block] : []));
  };

  const fork = async (skill: Skill, prompt: string, call: StartedBy): Promise<SkillUse> => {
    // An agent without the Agent tool starts none by way of a skill either: that one would have all tools.
    if (session.subagents === undefined || parts.registry.find('Agent') === undefined) {
      return {
        kind: 'failed',
        code: 'no-agents',
        message: `The skill ${skill.name} runs in its own agent (context: fork), and agents cannot be started here. Read ${skill.file} and do what it says yourself, if the user wants that.`,
      };
    }
    const [description, agentType] = [`Skill ${skill.name}`, skill.agent ?? 'general-purpose'];
    const outcome = await session.subagents.run(
      {
        description,
        prompt,
        agentType,
        background: skill.background && call.typed !== true,
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
  };

  const addHooks = (skill: Skill): void => {
    const own = skill.hooks?.entries ?? [];
    if (own.length === 0) return;
    const judged = parts.hooks?.();
    // Those of a project's skill would run code that nobody has agreed to.
    if (skill.source === 'project') judged?.wanted?.(own);
    const added = skill.source === 'project' ? (judged?.judgeAdded?.(own) ?? []) : own;
    const known = new Set(hooks.map(hookText));
    const fresh = added.filter((entry) => !known.has(hookText(entry)));
    if (fresh.length > 0) hooks = [...hooks, ...fresh];
  };

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
      return use(skill, args, call);
    },
  };

  /** What stands at the end of a prompt, where it is only what the user typed. */
  const typed = ({ content, display }: Prompt): string | undefined => {
    if (options.plainPrompts === true) return undefined;
    const last = content.at(-1);
    return last?.type === 'text' && last.text === display.text ? display.text : undefined;
  };

  const expand = async (prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt> => {
    const text = typed(prompt);
    if (text === undefined || slashLine(text) === undefined) return { kind: 'prompt', prompt };
    const list = await options.catalogue.list();
    const stack = slashStack(text, (name) => findTyped(list, name)?.forUser === true);
    const content: UserBlock[] = [...prompt.content];
    // What commands of a skill change belongs to the message: a rewind to it takes that back too.
    const uuid = stack === undefined || parts.checkpoints === undefined ? undefined : ports.uuid();
    if (uuid !== undefined) parts.checkpoints?.prompt(uuid, prompt.display.text);
    for (const typedName of stack?.names ?? []) {
      const skill = findTyped(list, typedName);
      // It went away between two looks.
      if (skill === undefined) return { kind: 'refused', message: `The command /${typedName} no longer exists.` };
      const { name } = skill;
      const blocked = await parts.expands(name, stack?.args ?? '', text, signal);
      signal.throwIfAborted();
      if (blocked !== undefined) return { kind: 'refused', message: `A hook blocked /${name}: ${blocked}` };
      const used = await use(skill, stack?.args ?? '', {
        toolUseId: ports.uuid(),
        signal,
        onProgress: () => undefined,
        typed: true,
      });
      if (used.kind === 'failed') return { kind: 'refused', message: used.message };
      if (used.kind === 'content') content.push(...used.content);
      else if (used.kind === 'known')
        content.push({
          type: 'text',
          text: `The skill ${name} is already above, unchanged: follow it again.`,
        });
      else content.push({ type: 'text', text: `The skill ${name} ran in its own agent. Its report:\n\n${used.text}` });
    }
    return { kind: 'prompt', prompt: { ...prompt, content, ...defined({ uuid }) } };
  };
  /** With the skills that the agent's file names, once: behind its first task. */
  const preload = async (prompt: Prompt, signal: AbortSignal): Promise<Prompt> => {
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
          ? await use({ ...skill, forks: false }, '', {
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
              ? used.message
              : `The skill ${name}, which you should have been given, ${skill === undefined ? 'does not exist' : 'is for the user only'}: continue without it.`,
        });
    }
    return { ...prompt, content };
  };
  const expandUnlessStopped = async (prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt> => {
    try {
      return await expand(await preload(prompt, signal), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return { kind: 'stopped' };
    }
  };
  const refusal = async (prompt: Prompt): Promise<string | undefined> => {
    const text = typed(prompt);
    const line = text === undefined ? undefined : slashLine(text);
    if (line === undefined) return undefined;
    const list = await options.catalogue.list();
    return refusalOf(line.name, list, options.otherNames?.() ?? []);
  };

  return {
    tool,
    refusal,
    expand: expandUnlessStopped,
    async expandQueued(prompt, signal) {
      const unknown = await refusal(prompt);
      const expanded =
        unknown === undefined
          ? await expandUnlessStopped(prompt, signal)
          : ({ kind: 'refused', message: unknown } as const);
      if (expanded.kind === 'prompt') return expanded.prompt;
      if (expanded.kind === 'stopped') return undefined;
      emit({ type: 'prompt_unsent', prompt });
      emit({ type: 'command_refused', message: expanded.message });
      return undefined;
    },
    source: {
      present: () => context.present(),
      touched: (paths) => context.touched(paths),
      reattached: async () =>
        keptContents(records).map(({ name, text }) => ({ key: `skill:${name}:${textHash(text)}`, text })),
    },
    get hooks() {
      return hooks;
    },
    hookRan: (entry) =>
      void (entry.once === true && hooks.includes(entry) && (hooks = hooks.filter((one) => one !== entry))),
  };
}

/** Why nothing is sent; undefined where the user may use the skill of this name. */
function refusalOf(name: string, list: SkillList, otherNames: readonly string[]): string | undefined {
  const skill = findTyped(list, name);
  if (skill !== undefined)
    return skill.forUser
      ? undefined
      : `Only the model can use /${name} (user-invocable: false). Ask for what it does in your own words.`;
  const problem = list.problems.find(({ file, broken }) => broken && isFileOf(file, name));
  if (problem !== undefined) return `/${name} cannot be used: ${problem.file}: ${problem.message}`;
  const near = nearNames(name, [...otherNames, ...list.skills.filter(({ forUser }) => forUser).map((one) => one.name)]);
  return `There is no command /${name}.${near.length === 0 ? '' : ` Did you mean ${near.map((one) => `/${one}`).join(' or ')}?`} To send a message that begins with a slash, put a word in front of it.`;
}

const never = (): boolean => false;

function isFileOf(file: string, name: string): boolean {
  return file.endsWith(`/${name}/SKILL.md`) || file.endsWith(`/${name}.md`);
}

function hookText(entry: HookEntry): string {
  return JSON.stringify(entry);
}

/** What a command prints neither ends the skill nor speaks for Deft. */
function harmless(text: string): string {
  return text.replace(/<(?=\s*\/?\s*skill\b|\s*\/?\s*system-reminder)/gi, '<\\');
}
