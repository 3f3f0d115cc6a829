// The user's hooks as a feature: when each event happens in a session, and what its outcome means there.
import { type ExecutedCall } from '../../calls/tool-call';
import { type Prompt } from '../../events/steering-queue';
import { provides } from '../../feature/feature-key';
import {
  type FeatureFactory,
  type PromptRefusal,
  type QueuedRefusal,
  type SessionAccess,
  type SessionFeature,
} from '../../feature/session-feature';
import { type AnnounceEvent, type EndReason } from '../../feature/session-parts';
import { type HookOutcome, noOutcome } from '../../hooks/hook-outcome';
import { type ToolHooks } from '../../hooks/tool-hooks';
import { type TurnEnd } from '../../loop/after-reply';
import { toolEvents } from '../../ports/hook-events';
import { type Ports } from '../../ports/ports';
import { slashCommandCode } from '../../sessions/turn-end-notice';
import { agentHooks } from '../../subagents/agent-hooks';
import { configSources, failureName, lastText, runningTasks, toolCall } from './hook-facts';
import { hooks, type HooksOfSession } from './hooks-key';
import { noteHook } from './hook-steps';
import { never, type SessionHookOptions, SessionHooks } from './session-hooks';
import { createSessionToolHooks } from './session-tool-hooks';

/** How often in a row hooks may keep the model at work. */
export const maxStopContinuations = 8;

const permissionPromptMs = 6_000;

const idlePromptMs = 60_000;

/** How long a session that closes waits for hooks of a turn that failed. */
const failureHooksMs = 10_000;

export function hooksFeature(options: SessionHookOptions): FeatureFactory {
  return (access) => new HooksFeature(access, options);
}

class HooksFeature implements SessionFeature {
  readonly name = hooks.name;
  readonly api: HooksOfSession;
  readonly prompts: NonNullable<SessionFeature['prompts']>;
  readonly calls: NonNullable<SessionFeature['calls']>;
  readonly #access: SessionAccess;
  readonly #options: SessionHookOptions;
  readonly #hooks: SessionHooks;
  #stops = 0;
  #idle = new AbortController();
  /** Hooks that are told of a turn that failed: nobody waits for them until the session closes. */
  #failure: Promise<unknown> | undefined;

  constructor(access: SessionAccess, options: SessionHookOptions) {
    const own = new SessionHooks(access, options);
    this.#access = access;
    this.#options = options;
    this.#hooks = own;
    this.api = this.#apiOf(own);
    this.prompts = {
      begin: (prompt, signal) => this.#begin(prompt, signal),
      before: (prompt, signal) => this.#beforePrompt(prompt, signal),
      refusesQueued: (prompt, signal) => this.#refusesQueued(prompt, signal),
    };
    const { session, permission, ports, registry } = access;
    const { noted, context, runner } = own;
    const toolHooks = createSessionToolHooks({
      ...{ runner, registry, session, noted, context },
      files: ports.files,
      permission: permission.now,
      problem: (name, text) => noteHook(name, 'warning', text, { writer: access.writer, secrets: own.secrets }),
    });
    this.calls = {
      get hooks(): ToolHooks | undefined {
        return [...toolEvents].some((event) => runner.has(event)) ? toolHooks : undefined;
      },
      ports: (inner) => this.#callPorts(inner),
    };
  }

  async afterTools(results: readonly ExecutedCall[], signal: AbortSignal): Promise<TurnEnd | undefined> {
    const { settings, registry, session } = this.#access;
    const services = { records: settings.records, registry, session };
    if (results.length > 0) {
      const outcome = await this.#hooks.dispatch(
        'PostToolBatch',
        () => ({ tool_calls: results.map((result) => toolCall(result, services)) }),
        signal,
      );
      if (outcome.block !== undefined)
        return { reason: 'hook_stopped', message: `A hook ended the turn: ${outcome.block}` };
    }
    const { stopped } = this.#hooks;
    return stopped === undefined ? undefined : { reason: 'hook_stopped', message: stoppedText(stopped) };
  }

  async beforeEnd(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined> {
    if (end.reason !== 'completed') return end;
    const { settings, ports, messages } = this.#access;
    const { records, log } = settings;
    const fields = (): Record<string, unknown> => ({
      stop_hook_active: this.#stops > 0,
      last_assistant_message: lastText(records),
      background_tasks: runningTasks(ports.terminal, records),
      session_crons: [],
    });
    const own = this.#hooks;
    const event = own.isAgent ? 'SubagentStop' : 'Stop';
    const outcome = await own.ask(
      event,
      own.isAgent ? () => ({ ...fields(), agent_transcript_path: log.path }) : fields,
      signal,
    );
    const { block, context } = outcome;
    if (signal.aborted || (block === undefined && context.length === 0)) return end;
    const last = this.#stops >= maxStopContinuations;
    if (outcome.stop !== undefined || last) {
      if (last) this.#notice(event, keptWorkingText);
      await own.remindOf(event, outcome);
      return end;
    }
    this.#stops++;
    if (block !== undefined)
      messages.nudge(`A ${event} hook says that you are not finished: ${await own.context(block)}`);
    for (const text of context) messages.nudge(`${event} hook: ${await own.context(text)}`);
    return undefined;
  }

  #notice(hookName: string, message: string): void {
    this.#access.writer.write({ type: 'system', subtype: 'hook_notice', hookName, level: 'info', message });
  }

  afterTurn(end: TurnEnd): void {
    if (this.#hooks.isAgent) return;
    if (end.reason === 'error' && end.code !== slashCommandCode)
      this.#failure = this.#hooks.dispatch(
        'StopFailure',
        // The last message of the conversation is the one about the failure.
        () => ({
          error: failureName(end.code),
          error_details: end.message ?? '',
          last_assistant_message: end.message ?? '',
        }),
        never,
      );
    this.#idle = new AbortController();
    this.#notify('idle_prompt', 'Deft is waiting for your message.', idlePromptMs, this.#idle.signal);
  }

  readonly onEvent: AnnounceEvent = (event, ...rest) => {
    if (event === 'CwdChanged') return this.#hooks.cwdChanged(event, ...rest);
    return event === 'SessionStart' ? this.#hooks.started(event, ...rest) : this.#hooks.dispatch(event, ...rest);
  };

  /** Those of the agent's own file run in addition. */
  inAgents({ definition }: Parameters<NonNullable<SessionFeature['inAgents']>>[0]): FeatureFactory {
    const { hooks: settings } = this.#options;
    const own = agentHooks(definition);
    return hooksFeature({
      hooks: settings === undefined || own === undefined ? settings : own(settings),
      exportedAbove: () => this.#hooks.exported,
    });
  }

  async close(reason: EndReason): Promise<void> {
    this.#idle.abort();
    this.#hooks.dispose();
    await this.#toldOfFailure();
    if (this.#hooks.begun && !this.#hooks.isAgent) await this.#hooks.dispatch('SessionEnd', () => ({ reason }), never);
    this.#hooks.runner.dispose();
    await this.#access.ports.hooks?.ended?.();
  }

  /** A run that fails ends with its turn, and its hooks are to report just that. */
  async #toldOfFailure(): Promise<void> {
    if (this.#failure === undefined) return;
    const timer = new AbortController();
    const enough = this.#access.ports.clock.sleep(failureHooksMs, timer.signal).catch(() => undefined);
    await Promise.race([this.#failure, enough]);
    timer.abort();
  }

  #apiOf(own: SessionHooks): HooksOfSession {
    const { alone } = this.#access;
    return provides(hooks, {
      setUp: (signal) =>
        alone(async () => {
          await own.begin(signal);
          return own.stopped === undefined ? undefined : stoppedText(own.stopped);
        }),
      event: own.dispatch,
      get displays() {
        return !own.isAgent && own.runner.has('MessageDisplay');
      },
      // Independent of the turn: a user who stops it still sees what was said as hooks want it shown. Nothing of it is for the model.
      displayed: async ({ messageId, index, text }) =>
        (
          await own.runner.dispatch(
            'MessageDisplay',
            { fields: { turn_id: own.promptId, message_id: messageId, index, final: true, delta: text } },
            never,
          )
        ).displayContent,
      async configChanged(source, file) {
        const fields = () => ({ source: configSources[source], file_path: file });
        const outcome = await own.dispatch('ConfigChange', fields, never);
        return outcome.block === undefined || source === 'managedSettings';
      },
    }).api;
  }

  async #begin(prompt: Prompt | undefined, signal: AbortSignal): Promise<void> {
    const own = this.#hooks;
    this.#idle.abort();
    own.stopped = undefined;
    this.#stops = 0;
    await own.begin(signal);
    if (prompt !== undefined) own.promptId = this.#access.ports.uuid();
  }

  async #beforePrompt(prompt: Prompt | undefined, signal: AbortSignal): Promise<PromptRefusal | undefined> {
    const own = this.#hooks;
    const { block, hidesPrompt = false } = prompt === undefined ? noOutcome : await this.#submit(prompt, signal);
    if (prompt !== undefined && signal.aborted && !own.isAgent && own.runner.has('UserPromptSubmit'))
      return { kind: 'stopped' };
    const { stopped } = own;
    if (block === undefined && stopped === undefined) return undefined;
    const message = block === undefined ? stoppedText(stopped ?? '') : `A hook blocked this message: ${block}`;
    return { kind: 'blocked', message, hidesPrompt };
  }

  async #refusesQueued(prompt: Prompt, signal: AbortSignal): Promise<QueuedRefusal | undefined> {
    const { block, hidesPrompt = false } = await this.#submit(prompt, signal);
    if (block === undefined) return undefined;
    this.#notice('UserPromptSubmit', `A hook blocked a message: ${block}`);
    return { hidesPrompt };
  }

  /** The prompts of an agent are no user's. */
  async #submit(prompt: Prompt, signal: AbortSignal): Promise<HookOutcome> {
    const own = this.#hooks;
    if (own.isAgent) return noOutcome;
    const fields = () => ({ prompt: prompt.display.text, ...own.titleFact });
    const outcome = await own.dispatch('UserPromptSubmit', fields, signal);
    own.retitle(outcome);
    return outcome;
  }

  #notify(type: 'permission_prompt' | 'idle_prompt', message: string, afterMs: number, signal: AbortSignal): void {
    if (!this.#hooks.runner.has('Notification')) return;
    this.#access.ports.clock.sleep(afterMs, signal).then(
      () => this.#hooks.dispatch('Notification', () => ({ message, title: 'Deft', notification_type: type }), signal),
      () => undefined,
    );
  }

  /** The approver is notified, and commands get what hooks have exported. */
  #callPorts(ports: Ports): Ports {
    const own = this.#hooks;
    return {
      ...ports,
      approver: {
        ask: async (request, signal, stillNeeded) => {
          const settled = new AbortController();
          this.#notify(
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
      terminal: {
        ...ports.terminal,
        run: (request, onProgress, signal) =>
          ports.terminal.run(
            own.exported ? { ...request, environmentFile: own.environmentFile } : request,
            onProgress,
            signal,
          ),
      },
    };
  }
}

const keptWorkingText = `The turn ends although the hook wants more: hooks have kept the agent at work ${maxStopContinuations} times in a row, which is the limit.`;

function stoppedText(reason: string): string {
  return reason === '' ? 'A hook ended the turn.' : `A hook ended the turn: ${reason}`;
}
