// Parts the text of a skill into what is text and what is a command to run: !`cmd`, and blocks that begin with ```!.

export type SkillPart = { kind: 'text'; text: string } | { kind: 'command'; command: string };

// At the start of a line or after white space: "Hello!`x`" is text.
const commandPattern = /(?<=^|\s)!`([^`\n]+)`|^```!(?:[^\S\n]*\n)([\s\S]*?)\n```[^\S\n]*$/gm;

export function commandParts(body: string): SkillPart[] {
  const parts: SkillPart[] = [];
  let end = 0;
  for (const match of body.matchAll(commandPattern)) {
    if (match.index > end) parts.push({ kind: 'text', text: body.slice(end, match.index) });
    const command = (match[1] ?? match[2] ?? '').trim();
    if (command === '') parts.push({ kind: 'text', text: match[0] });
    else parts.push({ kind: 'command', command });
    end = match.index + match[0].length;
  }
  if (end < body.length) parts.push({ kind: 'text', text: body.slice(end) });
  return parts;
}

/** Those that run when it is used. */
export function skillCommands(body: string): string[] {
  return commandParts(body).flatMap((part) => (part.kind === 'command' ? [part.command] : []));
}
