// One session that an editor drives by the Agent Client Protocol: a run like that of the command line, whose events go to the editor.
import {
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { type SessionEvent } from '../../core/events/session-event';
import { DeftError } from '../../core/text/errors';
import { permissionModes, type PermissionMode } from '../../shared/permission';
import { type RunOptions } from '../command-line/run-options';
import { type AskingApprover } from '../control/asking-approver';
import { refusedMode } from '../control/refused-mode';
import { type Interruption } from '../interruption';
import { turnProblems, type TurnOutcome } from '../messages';
import { closeRun, openRun, type OpenRun } from '../open-run';
import { type Output } from '../output';
import { commandsOf, playMessage, skillsForUser } from '../play-message';
import { type RunEditor, type RunHost } from '../run-basis';
import { modeLimits } from '../run-settings';
import { settledServers } from '../left-out';
import { createAcpFiles } from './acp-files';
import { createAcpApprover, createAcpElicitation, createAcpQuestioner } from './acp-people';
import { readPromptBlocks } from './acp-prompt';
import { createAcpLauncher } from './acp-terminals';
import { type AcpUpdates, chunk, createAcpUpdates } from './acp-updates';

/** The process, as each of its sessions has it. */
export type AcpProcess = Omit<RunHost, 'cwd' | 'editor' | 'hears' | 'write' | 'output' | 'interruption'>;

export interface AcpOpening {
  client: AgentContext;
  capabilities: ClientCapabilities;
  cwd: string;
  options: RunOptions;
  process: AcpProcess;
}

const modeNames: Record<PermissionMode, [name: string, description: string]> = {
  default: ['Ask', 'Asks before it changes files or runs commands'],
  acceptEdits: ['Accept edits', 'Changes files in the workspace without asking'],
  plan: ['Plan', 'Reads only, until you accept a plan'],
  auto: ['Auto', 'A check by the model decides which calls run without asking'],
  dontAsk: ['Do not ask', 'Denies what would be asked'],
  bypassPermissions: ['Bypass', 'Asks nothing at all'],
};

export class AcpSession {
  readonly #client: AgentContext;
  #run!: OpenRun;
  #updates: AcpUpdates | undefined;
  #approver: AskingApprover | undefined;
  /** The editor knows the session: it can be asked for files. */
  #isOpen = false;
  #servers: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #sent: Promise<unknown> = Promise.resolve();
  #outcome: TurnOutcome | undefined;
  readonly #stop = new AbortController();

  private constructor(client: AgentContext) {
    this.#client = client;
  }

  /** Throws DeftErrors for everything that keeps it from opening. */
  static async open(opening: AcpOpening): Promise<AcpSession> {
    const session = new AcpSession(opening.client);
    const run = await openRun(opening.options, session.#host(opening));
    session.#run = run;
    session.#updates = createAcpUpdates(run.session);
    session.#servers = settledServers(run.basis, run.connections);
    return session;
  }

  get id(): string {
    return this.#run.session.id;
  }

  get modes(): SessionModeState {
    const limits = modeLimits(this.#run.basis);
    const modes = permissionModes.filter((mode) => refusedMode(mode, limits) === undefined);
    return {
      currentModeId: this.#run.session.permission.mode,
      availableModes: modes.map((id) => ({ id, name: modeNames[id][0], description: modeNames[id][1] })),
    };
  }

  /** All that was said before, to an editor that loads the session. */
  async replay(): Promise<void> {
    for (const update of this.#updates?.replay() ?? []) this.#send(update);
    await this.#sent;
  }

  /** The editor has got the session: from now on it can be told and asked things of it. */
  async opened(): Promise<void> {
    this.#isOpen = true;
    void this.#run.session.catchUp();
    const { skills } = await this.#run.contents.skills.list();
    const commands = commandsOf(this.#run, skillsForUser(this.#run, skills));
    this.#send({
      sessionUpdate: 'available_commands_update',
      availableCommands: commands.map(({ name, description, argumentHint }) => ({
        name,
        description,
        ...(argumentHint === '' ? {} : { input: { hint: argumentHint } }),
      })),
    });
  }

  /** One after the other. Throws a DeftError where the turn failed. */
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason> {
    const input = readPromptBlocks(blocks);
    if (typeof input === 'string') return Promise.reject(new DeftError('prompt', input, { audience: 'user' }));
    const turn = this.#turn.then(async () => {
      await this.#servers;
      this.#run.connections.stops.begin();
      this.#outcome = undefined;
      await playMessage(input, this.#run);
      return this.#stopReason();
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  cancel(): void {
    this.#run.connections.stops.interrupt();
  }

  /** A sentence where it cannot be. */
  setMode(id: string): string | undefined {
    const mode = permissionModes.find((one) => one === id);
    if (mode === undefined) return `There is no mode ${JSON.stringify(id)}.`;
    const refused = refusedMode(mode, modeLimits(this.#run.basis));
    if (refused !== undefined) return refused;
    this.#run.session.permission.setMode(mode);
    this.#approver?.recheck();
    return undefined;
  }

  async close(): Promise<void> {
    this.#stop.abort(new DOMException('The session was closed.', 'AbortError'));
    await this.#turn;
    await closeRun(this.#run);
  }

  async #stopReason(): Promise<StopReason> {
    const outcome = this.#outcome as TurnOutcome | undefined;
    if (outcome === undefined) throw new Error('The turn ended without a result.');
    const { end, summary } = outcome;
    // The answer of a command, which no model has written.
    if (summary.replies === 0 && summary.text !== '') this.#send(chunk('agent_message_chunk', summary.text));
    await this.#sent;
    switch (end.reason) {
      case 'completed':
      case 'hook_stopped':
        return summary.stopReason === 'max_tokens' ? 'max_tokens' : 'end_turn';
      case 'interrupted':
      case 'denied':
        return 'cancelled';
      case 'refusal':
        return 'refusal';
      case 'max_turns':
        return 'max_turn_requests';
      default:
        throw new DeftError('turn', turnProblems(outcome).join(' '), { audience: 'user' });
    }
  }

  /** In order; an editor that is gone hears nothing. */
  #send(update: SessionUpdate): void {
    const { id } = this;
    this.#sent = this.#sent
      .then(() => this.#client.notify('session/update', { sessionId: id, update }))
      .catch(() => undefined);
  }

  #hear(event: SessionEvent): void {
    for (const update of this.#updates?.live(event) ?? []) this.#send(update);
  }

  #host({ process, cwd, client, capabilities }: AcpOpening): RunHost {
    const { signal } = this.#stop;
    const interruption: Interruption = { signal, exitCode: () => undefined, stop: () => this.#stop.abort() };
    const output: Output = {
      message: () => undefined,
      turn: (_id, _uuid, outcome) => void (this.#outcome = outcome),
      failed: () => undefined,
    };
    return {
      ...process,
      ...{ cwd, output, interruption, write: () => undefined },
      hears: (event) => this.#hear(event),
      editor: (id) => this.#editor({ client, capabilities, id }, cwd, process.warn),
    };
  }

  #editor(
    asked: { client: AgentContext; capabilities: ClientCapabilities; id: string },
    cwd: string,
    warn: (message: string) => void,
  ): RunEditor {
    const { client, capabilities, id } = asked;
    const approver = createAcpApprover(asked, () => this.#run.connections.stops.answered());
    this.#approver = approver;
    const terminals = {
      ...{ client, sessionId: id, cwd, warn },
      onOpened: (toolUseId: string, terminalId: string) => {
        for (const update of this.#updates?.terminal(toolUseId, terminalId) ?? []) this.#send(update);
      },
    };
    return {
      approver,
      questioner: createAcpQuestioner(asked),
      people: createAcpElicitation(asked),
      files: (own) =>
        createAcpFiles(own, {
          ...{ client, capabilities: capabilities.fs ?? {}, sessionId: id },
          folders: () => this.#run.session.surroundings.folders,
          isOpen: () => this.#isOpen,
        }),
      launch: capabilities.terminal === true ? createAcpLauncher(terminals) : undefined,
    };
  }
}
