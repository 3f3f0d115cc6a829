// What the user wrote in a prompt: as they typed it, where the message holds more than that.
import { type UserRecord } from '../ports/record';

export function writtenText({ display, message: { content } }: UserRecord): string {
  if (display !== undefined) return display.text;
  return typeof content === 'string'
    ? content
    : content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
