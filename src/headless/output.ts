// The three output formats. Standard output holds nothing else; sentences for users go to standard error.
import { type OutputFormat } from './command-line/run-options';
import { resultMessage, type JsonMessage, type TurnOutcome } from './messages';
import { summariseTurn } from './turn-summary';

export interface Output {
  /** A message in the middle of the run. */
  message(message: JsonMessage): void;
  /** A turn is over. */
  turn(sessionId: string, uuid: string, outcome: TurnOutcome): void;
  /** The run ends before its first turn did: who reads JSON gets a result all the same. */
  failed(uuid: string, message: string): void;
}

/** `write` gets whole lines. */
export function createOutput(format: OutputFormat, write: (text: string) => void): Output {
  let written = false;
  /** As the first message of the run has it. */
  let session = '';
  const message = (one: JsonMessage): void => {
    session = one.session_id;
    if (format === 'stream-json') line(one);
  };
  const line = (message: JsonMessage): void => write(`${JSON.stringify(message)}\n`);
  const result: Output['turn'] = (...turn) => {
    written = true;
    line(resultMessage(...turn));
  };
  const failed: Output['failed'] = (uuid, message) => {
    if (!written)
      result(session, uuid, {
        end: { reason: 'error', message },
        summary: summariseTurn([]),
        durationMs: 0,
        apiDurationMs: 0,
        saveFailure: undefined,
      });
  };
  switch (format) {
    case 'text':
      return {
        message: () => undefined,
        turn: (_sessionId, _uuid, outcome) => {
          const { shown: text } = outcome.summary;
          // An answer that only could not be saved is still the answer.
          if (outcome.end.reason === 'completed' && text !== '') write(text.endsWith('\n') ? text : `${text}\n`);
        },
        failed: () => undefined,
      };
    case 'json':
    case 'stream-json':
      return { message, turn: result, failed };
  }
}
