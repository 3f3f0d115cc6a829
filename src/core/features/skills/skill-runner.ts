// Uses one skill: its commands and variables, its files, what it changes for the turn, and its hooks.
import { defined } from '../../../shared/defined';
import { type ExecutionServices, executeTool } from '../../calls/execute-tool';
import { withTurnRules } from '../../calls/permission-state';
import { textOf } from '../../calls/tool-result-storage';
import { type HookEntry } from '../../hooks/hook-entry';
import { type JudgedHooks } from '../../hooks/hook-settings';
import { resolveModelName } from '../../model/model-name';
import { pluginVariables } from '../../ports/plugin-identity';
import { type Ports } from '../../ports/ports';
import { type SessionRecord } from '../../ports/record';
import { composePrompt } from '../../prompt/compose-prompt';
import { presentRecords } from '../../sessions/compacted-log';
import { type CommandOutcome, expandSkill, waitingText } from '../../skills/expand-skill';
import { type Skill } from '../../skills/skill';
import { type SessionSkillOptions } from '../../skills/skill-options';
import { skillRules } from '../../skills/skill-rules';
import { contentText, standsIn } from '../../skills/skill-text';
import { type SkillUse } from '../../skills/skills';
import { type TurnScope } from '../../skills/turn-scope';
import { neutralText } from '../../text/system-reminder';
import { redactText, type Secrets } from '../../text/redact';
import { type ToolSession } from '../../tool/tool';
import { type ToolRegistry } from '../../tools/registry';
import { type Effort, type TextBlock } from '../../wire/wire';
import { forkSkill, type StartedBy } from './forked-skill';

export interface SkillRunnerParts {
  options: SessionSkillOptions;
  session: ToolSession;
  records: readonly SessionRecord[];
  ports: Pick<Ports, 'files' | 'uuid'>;
  registry: Pick<ToolRegistry, 'find'>;
  effort?: Effort | undefined;
  secrets?: (() => Secrets) | undefined;
  hooks?: (() => Pick<JudgedHooks, 'judgeAdded' | 'wanted'>) | undefined;
  scope: TurnScope;
  /** Undefined where settings do not let the model be used. */
  usable?: (model: string, skill: string) => string | undefined;
  /** What runs a call in a turn. */
  services: (signal: AbortSignal) => ExecutionServices;
}

export class SkillRunner {
  /** Hooks of skills in use. The same list as long as none is added or removed after its single run. */
  hooks: readonly HookEntry[] = [];
  readonly #parts: SkillRunnerParts;

  constructor(parts: SkillRunnerParts) {
    this.#parts = parts;
  }

  async use(skill: Skill, args: string, call: StartedBy): Promise<SkillUse> {
    const { options, session, records, scope } = this.#parts;
    const { signal } = call;
    const effort = scope.effort ?? this.#parts.effort;
    const variables = {
      CLAUDE_SESSION_ID: session.id,
      CLAUDE_PROJECT_DIR: session.folders[0] ?? session.cwd,
      CLAUDE_SKILL_DIR: skill.folder,
      ...(skill.plugin === undefined ? {} : pluginVariables(skill.plugin)),
      ...defined({ CLAUDE_EFFORT: effort }),
    };
    const isOff = options.shellDisabled?.() === true && skill.source !== 'managed' && skill.source !== 'bundled';
    const run = (command: string): Promise<CommandOutcome> => this.#runCommand(skill, command, signal);
    const expanded = await expandSkill(skill, args, {
      variables,
      run: isOff ? undefined : skill.commandsWait === true ? async () => ({ kind: 'printed', text: waitingText }) : run,
    });
    if (expanded.kind === 'failed') return { ...expanded, code: 'skill-command' };
    const text = neutralText(redactText(expanded.text, this.#parts.secrets?.() ?? []));
    const attachments = await this.#attached(expanded);
    // What it would change is about its agent: the turn that starts it stays as it is.
    if (skill.fork !== undefined) {
      const prompt = [...attachments.map((block) => block.text), text].join('\n\n');
      return forkSkill(skill, skill.fork, prompt, call, this.#parts);
    }
    const { rules, pending } = skillRules(skill, options.agreed ?? never);
    if (pending.length > 0) options.wouldAllow?.(skill.name, pending);
    scope.add({
      rules,
      ...defined({ model: this.#modelOf(skill), effort: skill.effort }),
    });
    this.#addHooks(skill);
    const content = contentText(skill, text);
    if (standsIn(presentRecords(records), content)) return { kind: 'known' };
    return { kind: 'content', content: [...attachments, { type: 'text', text: content }] };
  }

  #modelOf({ name, model }: Skill): string | undefined {
    if (model === undefined) return undefined;
    const { options, usable } = this.#parts;
    const named = resolveModelName(model, options.variables?.() ?? {});
    return usable === undefined ? named : usable(named, name);
  }

  hookRan(entry: HookEntry): void {
    if (entry.once === true && this.hooks.includes(entry)) this.hooks = this.hooks.filter((one) => one !== entry);
  }

  async #runCommand(skill: Skill, command: string, signal: AbortSignal): Promise<CommandOutcome> {
    const { options, ports, services } = this.#parts;
    const base = services(signal);
    const own = skillRules(skill, options.agreed ?? never).rules;
    const permission = (): ReturnType<ExecutionServices['permission']> => {
      return withTurnRules(base.permission(), own);
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
      return { kind: 'printed', text: neutralText(text, 'skill') };
    return {
      kind: 'failed',
      endsTurn: result.endsTurn,
      message: `The skill ${skill.name} was not used because its command \`${command}\` did not run: ${text.replace(/<\/?tool_use_error>/g, '').trim()}`,
    };
  }

  /** Files that the skill names by "@". */
  async #attached({ written }: { written: string }): Promise<TextBlock[]> {
    const { session, ports, secrets } = this.#parts;
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
        secrets: secrets?.() ?? [],
      },
    );
    return content.flatMap((block) => (block.type === 'text' ? [block] : []));
  }

  #addHooks(skill: Skill): void {
    const own = skill.hooks?.entries ?? [];
    if (own.length === 0) return;
    const judged = this.#parts.hooks?.();
    // Those of a project's skill would run code that nobody has agreed to.
    if (skill.source === 'project') judged?.wanted?.(own);
    const added = skill.source === 'project' ? (judged?.judgeAdded?.(own) ?? []) : own;
    const known = new Set(this.hooks.map(hookText));
    const fresh = added.filter((entry) => !known.has(hookText(entry)));
    if (fresh.length > 0) this.hooks = [...this.hooks, ...fresh];
  }
}

const never = (): boolean => false;

function hookText(entry: HookEntry): string {
  return JSON.stringify(entry);
}
