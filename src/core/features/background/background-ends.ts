// Ends of background commands: sent to the model with its next request, kept in the log, shown on the card of the call.
import { defined } from '../../../shared/defined';
import { type BackgroundCommand, type Terminal } from '../../ports/terminal';
import { type CommandEnd } from '../../ports/command-end';
import { type Log } from '../../ports/log';
import { callRecord, resultRecord } from '../../sessions/call-records';
import { type SessionRecord } from '../../ports/record';
import { unendedCommands } from '../../sessions/unended-commands';
import { backgroundEndText } from '../../tool/background-end';
import { redactPart, redactText, type Secrets } from '../../text/redact';

export interface BackgroundEndServices {
  terminal: Pick<Terminal, 'output' | 'background' | 'foundAgain'>;
  log: Pick<Log, 'debug'>;
  records: readonly SessionRecord[];
  secrets(): Secrets;
  remind(text: string): void;
  write(facts: BackgroundEndFacts): void;
}

export type BackgroundEndFacts = Omit<
  Extract<SessionRecord, { subtype: 'background_end' }>,
  'uuid' | 'parentUuid' | 'timestamp' | 'sessionId' | 'cwd' | 'version' | 'gitBranch'
>;

export interface BackgroundEnds {
  /** False where another session started the command. */
  ended(command: BackgroundCommand): Promise<boolean>;
  /** The call's result is in the log: what ended before that can be reported now. */
  resultWritten(toolUseId: string): void;
  /** Reports what ended while no process had the session open: how, where that is known. */
  catchUp(): Promise<void>;
}

/** For a command that is no longer known. */
const leftBehind: CommandEnd = { state: 'lost', message: 'the window or process that ran it was closed or reloaded.' };

/** The end of the output that a card shows. */
const TAIL_BYTES = 4_000;

export function createBackgroundEnds(services: BackgroundEndServices): BackgroundEnds {
  const { records } = services;
  /** Ended before the result of the call that started them was written, which would cover the end. */
  const early = new Map<string, BackgroundCommand>();

  const reported = new Set<string>();

  /** `printed` stands for the output of a command that the terminal does not know. */
  const report = async (command: BackgroundCommand, printed?: string): Promise<void> => {
    const { taskId, toolUseId, title, outputPath, end } = command;
    if (reported.has(toolUseId)) return;
    reported.add(toolUseId);
    const message = backgroundEndText(command);
    // An agent that ended it with TaskStop has read so in that result.
    if (!endedByAgent(end)) services.remind(message);
    const output =
      printed === undefined
        ? await services.terminal.output(taskId, TAIL_BYTES)
        : { tail: printed, totalBytes: printed.length };
    services.write({
      type: 'system',
      subtype: 'background_end',
      taskId,
      message: redactText(message, services.secrets()),
      toolUseId,
      outputPath,
      ...defined({ title, end }),
      ...(output === undefined
        ? {}
        : { tail: redactPart(output.tail, services.secrets()), totalBytes: output.totalBytes }),
    });
  };
  const reportSafely = (command: BackgroundCommand, printed?: string): Promise<void> =>
    report(command, printed).catch((error: unknown) =>
      services.log.debug('The end of a background command was not saved.', error),
    );

  return {
    async ended(command) {
      const { toolUseId } = command;
      if (callRecord(records, toolUseId) === undefined) return false;
      if (resultRecord(records, toolUseId) !== undefined) await reportSafely(command);
      else early.set(toolUseId, command);
      return true;
    },
    resultWritten(toolUseId) {
      const command = early.get(toolUseId);
      if (command === undefined) return;
      early.delete(toolUseId);
      void reportSafely(command);
    },
    async catchUp() {
      // Also what ran in the foreground may have outlived its process.
      if (records.length > 0) await services.terminal.foundAgain?.();
      const unended = unendedCommands(records);
      for (const { printed, ...command } of unended) {
        const known = services.terminal.background().find(({ toolUseId }) => toolUseId === command.toolUseId);
        if (known === undefined) await reportSafely({ ...command, startedAt: 0, end: leftBehind }, printed);
        else if (known.end !== undefined) await reportSafely(known);
      }
    },
  };
}

function endedByAgent(end: CommandEnd | undefined): boolean {
  return end?.state === 'killed' && end.by === 'agent';
}
