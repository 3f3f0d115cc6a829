// Runs the hooks of one session: what each event says about it, and what becomes of what they answer.
import { join } from 'pathe';
import { defined } from '../../../shared/defined';
import { ownFolder } from '../../calls/own-folder';
import { type AnnounceEvent, type SetupTrigger, type StartSource } from '../../feature/session-parts';
import { type SessionAccess } from '../../feature/session-feature';
import { usableModel } from '../../feature/usable-model';
import { type HookHandler } from '../../hooks/hook-entry';
import { listedNames } from '../../hooks/hook-matcher';
import { type HookOutcome, noOutcome } from '../../hooks/hook-outcome';
import { type JudgedHooks } from '../../hooks/hook-settings';
import { askVerdict, promptRequest } from '../../hooks/prompt-hook';
import { createHookRunner, type HookRunner } from '../../hooks/run-hooks';
import { withHooks } from '../../hooks/with-hooks';
import { createSmallModel } from '../../model/small-model';
import { type HookEvent } from '../../ports/hook-events';
import { type HookResult } from '../../ports/hook-handlers';
import { sessionVariables } from '../../ports/session-variables';
import { givenTitle } from '../../sessions/given-title';
import { type Effort } from '../../wire/wire';
import { skills } from '../skills/skills-key';
import { askHookAgent } from './hook-agent';
import { hookContext, reportHookStep } from './hook-steps';
import { type Secrets } from '../../text/redact';

export interface SessionHookOptions {
  /** Asked at each event: settings, trust and consent may change. */
  hooks?: (() => HookSettings) | undefined;
  /** Why the session is opened, unless it is simply new or resumed. */
  startSource?: StartSource | undefined;
  /** Setup hooks run first, as the user asked for. */
  setup?: SetupTrigger | undefined;
  /** For an agent: hooks of its starter may have exported variables for commands. */
  exportedAbove?: () => boolean;
}

export type HookSettings = Pick<
  JudgedHooks,
  'active' | 'allowedUrls' | 'allowedVariables' | 'refuses' | 'off' | 'projectOff' | 'judgeAdded' | 'wanted'
>;

export interface DisplayedText {
  messageId: string;
  /** Which of the message's texts, from 0. */
  index: number;
  text: string;
}

export const never = new AbortController().signal;

export class SessionHooks {
  readonly runner: HookRunner;
  /** Exported variables; the file is that of the conversation: what its hooks have exported holds for agents too. */
  readonly environmentFile: string;
  /** The id of the user's prompt that the turn answers. */
  promptId = '';
  /** Why a hook has ended all, where one has. */
  stopped: string | undefined;
  begun = false;
  readonly #access: SessionAccess;
  readonly #options: SessionHookOptions;
  readonly #told = new Set<string>();
  #exports = false;
  #watched: { paths: string; end: () => void } | undefined;

  constructor(access: SessionAccess, options: SessionHookOptions) {
    this.#access = access;
    this.#options = options;
    this.environmentFile = `${access.session.resultsDirectory}/session-environment.sh`;
    this.runner = this.#createRunner();
  }

  get exported(): boolean {
    return this.#exports || this.#options.exportedAbove?.() === true;
  }

  get isAgent(): boolean {
    return this.#access.settings.agent !== undefined;
  }

  get secrets(): () => Secrets {
    return () => this.#access.settings.secrets?.() ?? [];
  }

  /** What they add goes to the model with the next request. */
  readonly dispatch: AnnounceEvent = async (event, ...rest) => {
    const outcome = await this.ask(event, ...rest);
    await this.remindOf(event, outcome);
    return outcome;
  };

  /** What they add is left to the caller. */
  readonly ask: AnnounceEvent = async (event, fields, signal, more = {}) =>
    this.runner.has(event)
      ? this.noted(await this.runner.dispatch(event, { fields: fields(), ...more }, signal))
      : noOutcome;

  async remindOf(event: HookEvent, { feedback, context }: HookOutcome): Promise<void> {
    for (const text of [...feedback, ...context]) await this.remind(`${event} hook: ${text}`);
  }

  /** A hook that ends everything is remembered; the outcome itself is returned. */
  readonly noted = (outcome: HookOutcome): HookOutcome => {
    if (outcome.stop !== undefined) this.stopped ??= outcome.stop;
    return outcome;
  };

  /** Fit for the model. */
  readonly context = (text: string): Promise<string> =>
    hookContext(text, {
      ports: this.#access.ports,
      directory: this.#access.session.resultsDirectory,
      secrets: this.secrets,
    });

  async remind(text: string): Promise<void> {
    this.#access.messages.remind(await this.context(text));
  }

  /** What runs before the first turn, where it has not yet. */
  async begin(signal: AbortSignal): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    if (this.isAgent) return void (await this.dispatch('SubagentStart', () => ({}), signal));
    const { setup, startSource } = this.#options;
    const { settings } = this.#access;
    this.#exports = this.runner.has('SessionStart') || (setup !== undefined && this.runner.has('Setup'));
    if (setup !== undefined) await this.dispatch('Setup', () => ({ trigger: setup }), signal);
    const source = startSource ?? (settings.records.some(({ type }) => type === 'user') ? 'resume' : 'startup');
    await this.started('SessionStart', () => ({ source }), signal);
  }

  /** The session starts, or continues after a compaction. */
  async started(...[event, fields, signal]: Parameters<AnnounceEvent>): Promise<HookOutcome> {
    const facts = () => ({ ...fields(), model: this.#access.choices.model, ...this.titleFact });
    const outcome = await this.dispatch(event, facts, signal);
    this.retitle(outcome);
    if (outcome.initialUserMessage !== undefined)
      await this.remind(`A SessionStart hook gives this as the user's message: ${outcome.initialUserMessage}`);
    this.#watch(outcome.watchPaths ?? []);
    return outcome;
  }

  /** `sessionTitle`, as if the user had renamed the session. */
  retitle({ sessionTitle: title }: HookOutcome): void {
    if (title !== undefined && title.trim() !== '') this.#access.writer.write({ type: 'custom-title', title });
  }

  get titleFact(): Record<string, string> {
    return defined({ session_title: givenTitle(this.#access.settings.records) });
  }

  async cwdChanged(...event: Parameters<AnnounceEvent>): Promise<HookOutcome> {
    this.#exports ||= this.runner.has('CwdChanged');
    const outcome = await this.dispatch(...event);
    this.#watch(outcome.watchPaths ?? []);
    return outcome;
  }

  dispose(): void {
    this.#watched?.end();
    this.#watched = undefined;
  }

  #cwd(): string {
    return ownFolder(this.#access.session, this.#access.permission.now());
  }

  #effortFacts<Facts>(of: (level: Effort) => Facts): Facts | Record<never, never> {
    const level = this.#access.choices.effort;
    return level === undefined ? {} : of(level);
  }

  #createRunner(): HookRunner {
    const { settings, ports, session, permission, feature } = this.#access;
    const { agent, log } = settings;
    return createHookRunner({
      hooks: withHooks(this.#options.hooks, () => feature(skills)?.hooks ?? []),
      handlers: ports.hooks,
      askModel: (handler, input, signal) => this.#askModel(handler, input, signal),
      input: () => ({
        session_id: agent?.sessionId ?? session.id,
        ...(this.promptId === '' ? {} : { prompt_id: this.promptId }),
        ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
        transcript_path: agent?.transcript ?? log.path,
        cwd: this.#cwd(),
        permission_mode: permission.mode,
        ...this.#effortFacts((level) => ({ effort: { level } })),
      }),
      variables: () => ({
        CLAUDE_PROJECT_DIR: settings.place.project ?? session.folders[0] ?? session.cwd,
        ...sessionVariables(agent?.sessionId ?? session.id),
        ...this.#effortFacts((level) => ({ CLAUDE_EFFORT: level })),
      }),
      environmentFile: this.environmentFile,
      clock: ports.clock,
      uuid: ports.uuid,
      onStep: (step) => {
        const { secrets } = this;
        reportHookStep(step, { writer: this.#access.writer, emit: settings.emit, secrets, told: this.#told });
        if (step.status === 'completed' || step.status === 'blocked') feature(skills)?.hookRan(step.entry);
      },
      remind: (text) => void this.remind(text),
    });
  }

  #askModel(
    handler: Extract<HookHandler, { type: 'prompt' | 'agent' }>,
    input: string,
    signal: AbortSignal,
  ): Promise<HookResult> {
    const { ports, session, countUsage } = this.#access;
    if (handler.type === 'agent') return askHookAgent(handler, input, this.#access, signal);
    const model = usableModel(handler.model, this.#access, 'A hook');
    const asked =
      model === undefined ? session.smallModel : createSmallModel(model, ports, (usage) => countUsage(model, usage));
    return askVerdict(asked, promptRequest(handler.prompt, input), signal);
  }

  #watch(wanted: readonly string[]): void {
    const hooks = this.runner.of('FileChanged');
    const named = hooks.flatMap(listedNames).map((name) => join(this.#cwd(), name));
    const paths = [...new Set([...wanted, ...named])].sort();
    if (this.isAgent || hooks.length === 0 || paths.join('\n') === this.#watched?.paths) return;
    this.#watched?.end();
    const end = this.#access.ports.hooks?.watch(paths, ({ path, event }) => {
      this.#exports = true;
      void this.dispatch('FileChanged', () => ({ file_path: path, event }), never).then(
        ({ watchPaths }) => watchPaths && this.#watch(watchPaths),
      );
    });
    this.#watched = end && { paths: paths.join('\n'), end };
  }
}
