// Opens a session: what every session has, and the features that its host lists. It knows none of them by name.
import { boundRecord } from '../calls/bound-rules';
import { type Prompt, type QueuedPrompt } from '../events/steering-queue';
import { type AgentSession, type PendingPrompts, type TurnState } from '../feature/agent-session';
import { type FeatureKey } from '../feature/feature-key';
import { type EndReason, type SessionMessages } from '../feature/session-parts';
import { type FeatureFactory, type SessionAccess } from '../feature/session-feature';
import { type SessionSettings } from '../feature/session-settings';
import { type TurnEnd } from '../loop/after-reply';
import { type Ports } from '../ports/ports';
import { type BackgroundCommand } from '../ports/terminal';
import { DeftError } from '../text/errors';
import { FeatureList } from './feature-list';
import { promptTurn } from './prompt-turn';
import { createSessionCore, type SessionCore } from './session-core';
import { createSessionFolders } from './session-folders';
import { turnServices } from './turn-executor';
import { createTurnRunner, type TurnRunner } from './turn-runner';

/** The order of the features is the order in which they are asked. */
export function openSession(
  ports: Ports,
  settings: SessionSettings,
  features: readonly FeatureFactory[],
): AgentSession {
  return new Session(createSessionCore(ports, settings, new FeatureList()), features);
}

class Session implements AgentSession {
  readonly folders: AgentSession['folders'];
  readonly #core: SessionCore;
  readonly #runner: TurnRunner;
  #running = false;
  #caughtUp: Promise<void> | undefined;

  constructor(core: SessionCore, features: readonly FeatureFactory[]) {
    this.#core = core;
    this.#runner = createTurnRunner(core);
    this.folders = createSessionFolders({ ...core, remind: (text) => this.remind(text) });
    core.features.open(features, this.#access());
    const { records, agent } = core.settings;
    if (records.length === 0) for (const rule of agent?.bound ?? []) core.writer.write(boundRecord(rule));
  }

  get id(): string {
    return this.settings.log.id;
  }

  get settings(): SessionSettings {
    return this.#core.settings;
  }

  get records(): AgentSession['records'] {
    return this.settings.records;
  }

  get ports(): Ports {
    return this.#core.ports;
  }

  get surroundings(): AgentSession['surroundings'] {
    return this.#core.session;
  }

  get choices(): AgentSession['choices'] {
    return this.#core.choices;
  }

  get permission(): AgentSession['permission'] {
    return this.#core.permission;
  }

  get requests(): AgentSession['requests'] {
    return this.#core.requests;
  }

  get writer(): AgentSession['writer'] {
    return this.#core.writer;
  }

  get pending(): PendingPrompts {
    const { queue, messages } = this.#core;
    return {
      waiting: queue.waiting,
      owesReport: messages.owesReport,
      hasReminders: messages.hasReminders,
      takeBack: (id) => this.#takeBack(id),
    };
  }

  get turns(): TurnState {
    return { running: this.#running, tryNow: this.#runner.tryNow };
  }

  get controls(): AgentSession['controls'] {
    return this.#core.features.controls;
  }

  feature<Api>(key: FeatureKey<Api>): Api | undefined {
    return this.#core.features.find(key);
  }

  async run(prompt: Prompt | undefined, signal: AbortSignal): Promise<TurnEnd> {
    return this.#alone(async () => {
      const { settings, ports, features, session, messages, writer } = this.#core;
      const before = ports.clock.now();
      features.turnBegins(prompt);
      session.sandbox?.reportIfMissing((reason) => settings.emit({ type: 'sandbox_missing', reason }));
      await this.catchUp();
      if (prompt === undefined) messages.deliverReminders();
      const end = await promptTurn(prompt, this.#core, this.#runner, signal);
      const durationMs = ports.clock.now() - before;
      writer.write({ type: 'system', subtype: 'turn_end', ...end, durationMs });
      features.afterTurn(end);
      return end;
    });
  }

  steer(prompt: Prompt): string {
    const { ports, queue, writer, wakeUp } = this.#core;
    const id = ports.uuid();
    queue.add({ ...prompt, id });
    writer.write({ type: 'queue-operation', operation: 'enqueue', messageId: id, ...prompt });
    wakeUp.ring();
    return id;
  }

  remind(text: string): void {
    this.#core.messages.remind(text);
    this.#core.wakeUp.ring();
  }

  catchUp(): Promise<void> {
    this.#caughtUp ??= this.#core.features.catchUp();
    return this.#caughtUp;
  }

  backgroundEnded(command: BackgroundCommand): Promise<boolean> {
    return this.#core.features.commandEnded(command);
  }

  async close(reason: EndReason = 'other'): Promise<void> {
    const { settings, ports, features, calls } = this.#core;
    await calls?.close();
    await features.close(reason);
    await Promise.all([ports.repl?.end(this.id), ports.pages?.end(this.id), settings.checkpoints?.close()]);
    await settings.log.close();
  }

  async #alone<Outcome>(job: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#running) throw new DeftError('session-busy', 'A turn is already running in this session.');
    const { settings, features, scope, messages, writer } = this.#core;
    this.#running = true;
    try {
      return await job();
    } finally {
      this.#running = false;
      scope.clear();
      messages.deliverAdditions();
      await features.repliesSettled();
      await writer.sync();
      settings.emit({ type: 'turn_idle' });
    }
  }

  #takeBack(id: string): QueuedPrompt | undefined {
    const { queue, writer } = this.#core;
    const prompt = queue.takeBack(id);
    if (prompt !== undefined) writer.write({ type: 'queue-operation', operation: 'remove', messageId: id });
    return prompt;
  }

  #access(): SessionAccess {
    const core = this.#core;
    const { settings, ports, features, registry, session, writer, choices, permission, scope, requests } = core;
    const isRunning = (): boolean => this.#running;
    return {
      ...{ settings, ports, registry, session, writer, choices, permission, scope, requests },
      messages: messagesOf(core, (text) => this.remind(text)),
      model: core.model,
      contextNotes: (signal) => core.context.whole(signal),
      execution: (signal) => turnServices(core, signal),
      countUsage: core.countUsage,
      event: features.event,
      feature: (key) => features.find(key),
      get running() {
        return isRunning();
      },
      alone: (job) => this.#alone(job),
      featuresOf: (agent) => features.ofAgent(agent),
      open: openSession,
    };
  }
}

function messagesOf(
  { messages, wakeUp }: Pick<SessionCore, 'messages' | 'wakeUp'>,
  remind: SessionMessages['remind'],
): SessionMessages {
  return {
    remind,
    report(text) {
      messages.report(text);
      wakeUp.ring();
    },
    nudge: messages.nudge,
    get owesReport() {
      return messages.owesReport;
    },
  };
}
