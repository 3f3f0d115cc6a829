// Notifies the session when its agents end: once the result of the call that started one is in the log.
import { headOf } from '../../../shared/cut-text';
import { type SessionAccess } from '../../feature/session-feature';
import { unendedAgents } from '../../sessions/started-agents';
import { agentTeam } from './agent-team';
import { type RunningAgents, type TrackedAgent } from './running-agents';
import { endWords } from './subagent-texts';
import { said, words } from '../../text/words';

/** The maximum of a report that is sent with a reminder; the transcript has all of it. */
const maxReportChars = 20_000;

export class AgentEnds {
  readonly #access: SessionAccess;
  readonly #agents: RunningAgents;
  /** Calls whose results are not in the log yet. */
  readonly #unwritten = new Map<string, () => void>();
  #closed = false;

  constructor(access: SessionAccess, agents: RunningAgents) {
    this.#access = access;
    this.#agents = agents;
    if (access.settings.agent === undefined)
      agents.root = { reportEnd: (agent, toolUseId) => void (this.#closed || this.#reportHere(agent, toolUseId)) };
  }

  /** Who is notified: an agent's id, or "conversation". */
  get self(): string {
    return this.#access.settings.agent?.id ?? 'conversation';
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** In the background: the end is reported once the result of the call that started it is in the log. */
  follow(agent: TrackedAgent, toolUseId: string): void {
    const written = new Promise<void>((resolve) => this.#unwritten.set(toolUseId, resolve));
    void Promise.all([agent.ended, written]).then(() => this.#report(agent, toolUseId));
  }

  resultWritten(toolUseId: string): void {
    this.#unwritten.get(toolUseId)?.();
    this.#unwritten.delete(toolUseId);
  }

  /** No result will be written any more. */
  allWritten(): void {
    for (const resolve of this.#unwritten.values()) resolve();
  }

  /** From now on the conversation is notified in its place. */
  close(): void {
    this.#closed = true;
  }

  /** Which agents of an earlier process are lost. */
  reportLost(): void {
    const { settings, messages, writer } = this.#access;
    for (const { id, agentType, description, toolUseId, transcript } of unendedAgents(settings.records)) {
      if (this.#agents.agents.has(id)) continue;
      const message = `Agent ${id} (${agentType}: ${description}) is lost: the window or process that ran it was closed or reloaded before it ended.`;
      messages.report(`${message} What it did is in ${transcript}.${this.#resume(id)}`);
      writer.write({
        type: 'system',
        subtype: 'background_end',
        taskId: id,
        message,
        toolUseId,
        outputPath: transcript,
      });
    }
  }

  /** Where the model can write to it. */
  #resume(id: string): string {
    return said(words`{{SendMessage:  SendMessage to ${id} resumes it.}}`, this.#access.session.offers);
  }

  #report(agent: TrackedAgent, toolUseId: string): void {
    if (!this.#closed) this.#reportHere(agent, toolUseId);
    else this.#agents.root?.reportEnd(agent, toolUseId);
  }

  #reportHere(agent: TrackedAgent, toolUseId: string): void {
    const { settings, messages, writer, feature } = this.#access;
    const { id, description, agentType, text, state, transcript, place = '' } = agent;
    const head = `Agent ${id} (${agentType}: ${description}) ${endWords[state]}.`;
    const report =
      text.length > maxReportChars
        ? `${headOf(text, maxReportChars)}\n[The rest of the report is in ${transcript}.]`
        : text;
    // An agent that stopped it read so in that result, but not what became of its worktree; the starter may be another.
    if (agent.stoppedIn === this.self) {
      if (place !== '') messages.remind(`${head} ${place}`);
    } else messages.report(`${head}${report === '' ? '' : ` Its report:\n\n${report}\n\n`}${this.#resume(id)}`);
    writer.write({
      type: 'system',
      subtype: 'background_end',
      taskId: id,
      message: head,
      toolUseId,
      tail: report,
      outputPath: transcript,
    });
    // Whom the user has stopped, the lead is not to start again at once: it reads so with its next turn.
    if (settings.agent === undefined && state !== 'stopped') feature(agentTeam)?.callLead();
  }
}
