// The three output formats. Standard output holds nothing else; sentences for people go to standard error.
import { type OutputFormat } from './command-line';
import { resultMessage, type JsonMessage, type TurnOutcome } from './messages';

export interface Output {
  /** A message in the middle of the run. */
  message(message: JsonMessage): void;
  /** A turn is over. */
  turn(sessionId: string, uuid: string, outcome: TurnOutcome): void;
}

/** `write` gets whole lines. */
export function createOutput(format: OutputFormat, write: (text: string) => void): Output {
  const line = (message: JsonMessage): void => write(`${JSON.stringify(message)}\n`);
  switch (format) {
    case 'text':
      return {
        message: () => undefined,
        turn: (_sessionId, _uuid, outcome) => {
          const { shown: text } = outcome.summary;
          // An answer that only could not be saved is still the answer.
          if (outcome.end.reason === 'completed' && text !== '') write(text.endsWith('\n') ? text : `${text}\n`);
        },
      };
    case 'json':
      return { message: () => undefined, turn: (...turn) => line(resultMessage(...turn)) };
    case 'stream-json':
      return { message: line, turn: (...turn) => line(resultMessage(...turn)) };
  }
}
