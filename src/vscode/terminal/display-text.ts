// Turns a command's output into what a terminal can show: whole characters, line ends, not too much of it.
import { StringDecoder } from 'node:string_decoder';
import { headOf, shortened } from '../../shared/cut-text';

/** A terminal that is given megabytes at once stops answering; the agent gets everything, the user this much. */
export const DISPLAY_LIMIT = 200_000;

export interface DisplayText {
  /** What to write for these bytes; empty once the limit is reached. */
  push(chunk: Buffer): string;
  /** What is left: half characters, and a note on what was not shown. */
  end(): string;
}

/** A newline alone moves a terminal down but not back: each becomes `\r\n`, also at the border of two chunks. */
export function createDisplayText(limit = DISPLAY_LIMIT): DisplayText {
  const decoder = new StringDecoder('utf8');
  let shown = 0;
  let hidden = 0;
  let afterReturn = false;

  const lines = (text: string): string => {
    const converted = text.replace(/\r?\n/g, (newline, at: number) =>
      newline === '\n' && !(at === 0 && afterReturn) ? '\r\n' : newline,
    );
    if (text !== '') afterReturn = text.endsWith('\r');
    return converted;
  };

  const cut = (text: string): string => {
    const room = hidden > 0 ? 0 : limit - shown;
    const part = headOf(text, room);
    shown += part.length;
    hidden += text.length - part.length;
    return lines(part);
  };

  return {
    push: (chunk) => cut(decoder.write(chunk)),
    end: () => {
      const rest = cut(decoder.end());
      return hidden === 0
        ? rest
        : `${rest}\r\n[... ${hidden} more characters; they are not shown here, the agent gets all of them]\r\n`;
    },
  };
}

const TITLE_LIMIT = 2000;

/** The command as a line to print; control characters are made visible, so that none of them acts. */
export function commandTitle(command: string): string {
  const text = command.trim();
  const cut = shortened(text, TITLE_LIMIT);

  const visible = cut.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) =>
    character === '\r' ? '' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `\u001b[1m$ ${visible}\u001b[0m`;
}
