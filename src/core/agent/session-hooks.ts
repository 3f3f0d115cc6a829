// The hooks of a session: when each event happens, what it tells, and what its outcome means for the session.
import { join } from 'pathe';
import { type PermissionMode, type RuleSource } from '../../shared/permission';
import { type HookEntry } from '../hooks/hook-entry';
import { type InstructionsFile } from '../context/context-source';
import { listedNames } from '../hooks/hook-matcher';
import { type HookEvent, toolEvents } from '../ports/hook-events';
import { type HookOutcome, noOutcome } from '../hooks/hook-outcome';
import { type JudgedHooks } from '../hooks/hook-settings';
import { askVerdict, promptRequest } from '../hooks/prompt-hook';
import { createHookRunner, type HookSubject } from '../hooks/run-hooks';
import { type ToolHooks } from '../hooks/tool-hooks';
import { createSmallModel } from '../model/small-model';
import { type Effort } from '../wire/wire';
import { type Approver, type Terminal } from '../ports';
import { type CompactTrigger, type SessionRecord } from '../ports/record';
import { type AgentLink } from './agent-link';
import { slashCommandCode } from '../sessions/turn-end-notice';
import { type SessionTasks } from '../tasks/session-tasks';
import { askHookAgent, type HookAgentServices } from '../features/hooks/hook-agent';
import { hookContext, tellHookStep } from '../features/hooks/hook-steps';
import { type TurnEnd } from './loop';
import { type DisplayedText } from '../features/display/message-display';
import { ownFolder } from '../calls/own-folder';
import { type RecordWriter } from '../events/record-writer';
import { type Emit } from '../events/session-event';
import { createSessionToolHooks } from '../features/hooks/session-tool-hooks';
import { type Prompt } from '../events/steering-queue';
import { type ExecutedCall } from '../calls/tool-call';
import { configSources, hookTrigger, failureName, toolCall, lastText, runningTasks } from '../features/hooks/hook-facts';

export type StartSource = 'startup' | 'resume' | 'clear' | 'fork';
export type SetupTrigger = 'init' | 'maintenance';
export type EndReason = 'clear' | 'resume' | 'other';

export interface SessionHookServices extends HookAgentServices {
  hooks: (() => Pick<JudgedHooks, 'active' | 'allowedUrls' | 'allowedVariables' | 'refuses'>) | undefined;
  transcript: string;
  records: readonly SessionRecord[];
  source: StartSource | undefined;
  /** Setup hooks run before the session's first turn. */
  setup?: SetupTrigger | undefined;
  /** The session is an agent: its prompts are no person's, and its end is that of the agent. */
  agent?: AgentLink | undefined;
  mode: () => PermissionMode;
  effort: () => Effort | undefined;
  writer: RecordWriter;
  emit: Emit;
  /** Goes to the model with its next request. */
  remind: (text: string) => void;
  /** Goes to the model now. */
  nudge: (text: string) => void;
  /** A hook has run to its end. */
  ran?: (entry: HookEntry) => void;
}

export interface SessionHooks {
  /** What runs before the first turn, where it has not yet; the reason where a hook ended all. */
  begin(signal: AbortSignal): Promise<string | undefined>;
  /** Some hook looks at texts before the person does. */
  readonly displays: boolean;
  /** What the person sees in place of this text; undefined where it stays. */
  displayed(text: DisplayedText): Promise<string | undefined>;
  /** Undefined where no hook looks at calls: they then take no step for them. */
  readonly tools: ToolHooks | undefined;
  /**
   * Before a prompt, or before the turn goes on without one: the sentence that keeps it from the model, where there is one.
   * `unjudged`: the person stopped the turn before the hooks that look at prompts were done.
   */
  beforePrompt(prompt: Prompt | undefined, signal: AbortSignal): Promise<{ block: string } | 'unjudged' | undefined>;
  /** The reason where a hook keeps a command that the person typed from being expanded. */
  expansion(name: string, args: string, prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /** A message that the person sent while the turn runs: true where a hook keeps it from the model. */
  steering(prompt: Prompt, signal: AbortSignal): Promise<boolean>;
  afterTools(results: readonly ExecutedCall[], signal: AbortSignal): Promise<TurnEnd | undefined>;
  /** Undefined where the turn goes on: the model has been told why. */
  beforeEnd(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined>;
  afterTurn(end: TurnEnd): void;
  /** The reason where a hook keeps the conversation from being compacted. */
  beforeCompact(trigger: CompactTrigger, focus: string, signal: AbortSignal): Promise<string | undefined>;
  afterCompact(trigger: CompactTrigger, summary: string, signal: AbortSignal): Promise<void>;
  cwdChanged(before: string, now: string): void;
  /** `more` stands beside the task's own fields. */
  refusesTask(
    ...task: [...Parameters<SessionTasks['refuses']>, more?: Record<string, unknown>]
  ): Promise<string | undefined>;
  instructionsLoaded(files: readonly InstructionsFile[]): void;
  /** False where a hook keeps the change from this session. */
  configChanged(source: RuleSource, file: string): Promise<boolean>;
  /** An event that a feature tells of: what its hooks add goes to the model with the next request. */
  event(
    event: HookEvent,
    fields: () => Record<string, unknown>,
    signal: AbortSignal,
    more?: Omit<HookSubject, 'fields'>,
  ): Promise<HookOutcome>;
  approver: Approver;
  /** Hooks may have exported variables for commands. */
  readonly exported: boolean;
  /** Commands get what hooks have exported. */
  terminal(terminal: Terminal): Terminal;
  close(reason: EndReason): Promise<void>;
}

/** How often in a row hooks may keep the model at work. */
export const maxStopContinuations = 8;
const permissionPromptMs = 6_000;
const idlePromptMs = 60_000;
const never = new AbortController().signal;

export function createSessionHooks(services: SessionHookServices): SessionHooks {
  const { ports, session, records, writer, remind, secrets, agent } = services;
  const environmentFile = `${session.resultsDirectory}/session-environment.sh`;
  const inactive: Pick<JudgedHooks, 'active'> = { active: [] };
  let promptId = '';
  let begun = false;
  let stopped: string | undefined;
  let stops = 0;
  let idle = new AbortController();
  let watched: { paths: string; end: () => void } | undefined;
  let exports = false;
  // The file is that of the conversation: what its hooks have exported holds for agents too.
  const exported = (): boolean => exports || agent?.hooksExport() === true;

  const effortFacts = <Facts>(of: (level: Effort) => Facts): Facts | Record<never, never> => {
    const level = services.effort();
    return level === undefined ? {} : of(level);
  };
  const runner = createHookRunner({
    hooks: services.hooks ?? (() => inactive),
    handlers: ports.hooks,
    askModel: async (handler, input, signal) => {
      if (handler.type === 'agent') return askHookAgent(handler, input, services, signal);
      const model =
        handler.model === undefined
          ? session.smallModel
          : createSmallModel(handler.model, ports, (usage) => services.countUsage(handler.model ?? '', usage));
      return askVerdict(model, promptRequest(handler.prompt, input), signal);
    },
    input: () => ({
      session_id: agent?.sessionId ?? session.id,
      ...(promptId === '' ? {} : { prompt_id: promptId }),
      ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
      transcript_path: agent?.transcript ?? services.transcript,
      cwd: ownFolder(session, services.permission()),
      permission_mode: services.mode(),
      ...effortFacts((level) => ({ effort: { level } })),
    }),
    variables: () => ({
      CLAUDE_PROJECT_DIR: session.folders[0] ?? session.cwd,
      ...effortFacts((level) => ({ CLAUDE_EFFORT: level })),
    }),
    environmentFile,
    clock: ports.clock,
    uuid: ports.uuid,
    told: (step) => {
      tellHookStep(step, services);
      if (step.status === 'completed' || step.status === 'blocked') services.ran?.(step.entry);
    },
    remind: (text) => void tell(text),
  });
  const context = (text: string): Promise<string> =>
    hookContext(text, { ports, directory: session.resultsDirectory, secrets });
  const tell = async (text: string): Promise<void> => remind(await context(text));
  const noted = (outcome: HookOutcome): HookOutcome => {
    if (outcome.stop !== undefined) stopped ??= outcome.stop;
    return outcome;
  };
  /** What it adds goes to the model with the next request. */
  const dispatch = async (
    event: HookEvent,
    fields: () => Record<string, unknown>,
    signal: AbortSignal,
    more: Omit<HookSubject, 'fields'> = {},
  ): Promise<HookOutcome> => {
    if (!runner.has(event)) return noOutcome;
    const outcome = noted(await runner.dispatch(event, { fields: fields(), ...more }, signal));
    for (const text of [...outcome.feedback, ...outcome.context]) await tell(`${event} hook: ${text}`);
    return outcome;
  };

  const watch = (wanted: readonly string[]): void => {
    const named = runner
      .of('FileChanged')
      .flatMap(listedNames)
      .map((name) => join(ownFolder(session, services.permission()), name));
    const paths = [...new Set([...wanted, ...named])].sort();
    if (agent !== undefined || runner.of('FileChanged').length === 0 || paths.join('\n') === watched?.paths) return;
    watched?.end();
    const end = ports.hooks?.watch(paths, ({ path, event }) => {
      exports = true;
      void dispatch('FileChanged', () => ({ file_path: path, event }), never).then(
        ({ watchPaths }) => watchPaths && watch(watchPaths),
      );
    });
    watched = end && { paths: paths.join('\n'), end };
  };

  const begin = async (signal: AbortSignal): Promise<void> => {
    if (begun) return;
    begun = true;
    if (agent !== undefined) return void (await dispatch('SubagentStart', () => ({}), signal));
    exports = runner.has('SessionStart') || (services.setup !== undefined && runner.has('Setup'));
    if (services.setup !== undefined) await dispatch('Setup', () => ({ trigger: services.setup }), signal);
    const source = services.source ?? (records.some(({ type }) => type === 'user') ? 'resume' : 'startup');
    const outcome = await dispatch('SessionStart', () => ({ source }), signal);
    if (outcome.sessionTitle !== undefined) writer.write({ type: 'custom-title', title: outcome.sessionTitle });
    if (outcome.initialUserMessage !== undefined)
      await tell(`A SessionStart hook speaks for the person: ${outcome.initialUserMessage}`);
    watch(outcome.watchPaths ?? []);
  };

  const submit = async (prompt: Prompt, signal: AbortSignal): Promise<string | undefined> =>
    agent === undefined
      ? (await dispatch('UserPromptSubmit', () => ({ prompt: prompt.display.text }), signal)).block
      : undefined;

  const notify = (
    type: 'permission_prompt' | 'idle_prompt',
    message: string,
    afterMs: number,
    signal: AbortSignal,
  ): void => {
    if (!runner.has('Notification')) return;
    ports.clock.sleep(afterMs, signal).then(
      () => dispatch('Notification', () => ({ message, title: 'Deft', notification_type: type }), signal),
      () => undefined,
    );
  };

  const tools = createSessionToolHooks({
    runner,
    registry: services.registry,
    session,
    files: ports.files,
    permission: services.permission,
    noted,
    context,
  });

  return {
    async begin(signal) {
      await begin(signal);
      return stopped === undefined ? undefined : stoppedText(stopped);
    },
    get displays() {
      return agent === undefined && runner.has('MessageDisplay');
    },
    // Beside the turn: who stops it still sees what was said the way that hooks want it. Nothing of it is for the model.
    displayed: async ({ messageId, index, text }) =>
      (
        await runner.dispatch(
          'MessageDisplay',
          { fields: { turn_id: promptId, message_id: messageId, index, final: true, delta: text } },
          never,
        )
      ).displayContent,
    get tools() {
      return [...toolEvents].some((event) => runner.has(event)) ? tools : undefined;
    },
    async beforePrompt(prompt, signal) {
      idle.abort();
      stopped = undefined;
      stops = 0;
      await begin(signal);
      if (prompt !== undefined) {
        promptId = ports.uuid();
        const block = await submit(prompt, signal);
        if (signal.aborted && agent === undefined && runner.has('UserPromptSubmit')) return 'unjudged';
        if (block !== undefined) return { block: `A hook kept this message from the model: ${block}` };
      }
      return stopped === undefined ? undefined : { block: stoppedText(stopped) };
    },
    expansion: async (name, args, prompt, signal) =>
      (
        await dispatch(
          'UserPromptExpansion',
          () => ({ expansion_type: 'slash_command', command_name: name, command_args: args, prompt }),
          signal,
        )
      ).block,
    async steering(prompt, signal) {
      const block = await submit(prompt, signal);
      if (block !== undefined)
        writer.write({
          type: 'system',
          subtype: 'hook_notice',
          hookName: 'UserPromptSubmit',
          level: 'info',
          message: `A hook kept a message from the model: ${block}`,
        });
      return block !== undefined;
    },
    async afterTools(results, signal) {
      if (results.length > 0) {
        const outcome = await dispatch(
          'PostToolBatch',
          () => ({ tool_calls: results.map((result) => toolCall(result, services)) }),
          signal,
        );
        if (outcome.block !== undefined)
          return { reason: 'hook_stopped', message: `A hook ended the turn: ${outcome.block}` };
      }
      return stopped === undefined ? undefined : { reason: 'hook_stopped', message: stoppedText(stopped) };
    },
    async beforeEnd(end, signal) {
      if (end.reason !== 'completed' || stops >= maxStopContinuations) return end;
      const fields = (): Record<string, unknown> => ({
        stop_hook_active: stops > 0,
        last_assistant_message: lastText(records),
        background_tasks: runningTasks(ports.terminal, records),
        session_crons: [],
      });
      const event = agent === undefined ? 'Stop' : 'SubagentStop';
      const outcome = await dispatch(
        event,
        agent === undefined ? fields : () => ({ ...fields(), agent_transcript_path: services.transcript }),
        signal,
      );
      if (outcome.stop !== undefined || outcome.block === undefined || signal.aborted) return end;
      stops++;
      services.nudge(`A ${event} hook says that you are not done: ${await context(outcome.block)}`);
      return undefined;
    },
    afterTurn(end) {
      if (agent !== undefined) return;
      if (end.reason === 'error' && end.code !== slashCommandCode)
        void dispatch('StopFailure', () => ({ error: failureName(end.code), error_details: end.message ?? '' }), never);
      idle = new AbortController();
      notify('idle_prompt', 'Deft waits for your message.', idlePromptMs, idle.signal);
    },
    beforeCompact: async (trigger, focus, signal) =>
      (await dispatch('PreCompact', () => ({ trigger: hookTrigger(trigger), custom_instructions: focus }), signal))
        .block,
    async afterCompact(trigger, summary, signal) {
      await dispatch('PostCompact', () => ({ trigger: hookTrigger(trigger), compact_summary: summary }), signal);
      await dispatch('SessionStart', () => ({ source: 'compact' }), signal);
    },
    cwdChanged(before, now) {
      exports ||= runner.has('CwdChanged');
      void dispatch('CwdChanged', () => ({ old_cwd: before, new_cwd: now }), never).then(({ watchPaths }) =>
        watch(watchPaths ?? []),
      );
    },
    refusesTask: async (event, { id, subject, description }, signal, more) =>
      (
        await dispatch(
          event,
          () => ({ task_id: id, task_subject: subject, task_description: description, ...more }),
          signal,
        )
      ).block,
    instructionsLoaded(files) {
      for (const file of files) void dispatch('InstructionsLoaded', () => ({ ...file }), never);
    },
    async configChanged(source, file) {
      const outcome = await dispatch('ConfigChange', () => ({ source: configSources[source], file_path: file }), never);
      return outcome.block === undefined || source === 'managedSettings';
    },
    event: dispatch,
    approver: {
      ask: async (request, signal, stillNeeded) => {
        const settled = new AbortController();
        notify(
          'permission_prompt',
          `Deft asks for your approval: ${request.title}`,
          permissionPromptMs,
          AbortSignal.any([signal, settled.signal]),
        );
        try {
          return await ports.approver.ask(request, signal, stillNeeded);
        } finally {
          settled.abort();
        }
      },
    },
    terminal: (terminal) => ({
      ...terminal,
      run: (request, onProgress, signal) =>
        terminal.run(exported() ? { ...request, environmentFile } : request, onProgress, signal),
    }),
    get exported() {
      return exported();
    },
    async close(reason) {
      idle.abort();
      watched?.end();
      watched = undefined;
      if (begun && agent === undefined) await dispatch('SessionEnd', () => ({ reason }), never);
      runner.dispose();
    },
  };
}

function stoppedText(reason: string): string {
  return reason === '' ? 'A hook ended the turn.' : `A hook ended the turn: ${reason}`;
}
