// A prompt file of Codex or Gemini as a command file that means the same here.
import { parse } from 'smol-toml';

/** Arguments count from 0 here; and what would be run here was plain text there. */
export function codexCommand(text: string): string {
  return withoutCommands(text).replace(/(?<!\\)\$([1-9])(?!\d)/g, (_, number: string) => `$${Number(number) - 1}`);
}

/** A sentence where it cannot be read. */
export function geminiCommand(toml: string): { text: string } | { problem: string } {
  let fields: Record<string, unknown>;
  try {
    fields = parse(toml);
  } catch {
    return { problem: 'it is not valid TOML' };
  }
  const { prompt, description } = fields;
  if (typeof prompt !== 'string' || prompt.trim() === '') return { problem: 'it has no `prompt`' };
  const body = withoutCommands(prompt)
    // Arguments never become part of a command here: such a line stays words.
    .replace(/!\{([^{}`\n]+)\}/g, (_, command: string) => ` !\`${command.trim()}\``)
    .replace(/@\{([^{}\n]+)\}/g, (_, path: string) => `@${path.trim()}`)
    .replaceAll('{{args}}', () => '$ARGUMENTS');
  const head =
    typeof description === 'string' && description.trim() !== ''
      ? `---\ndescription: ${JSON.stringify(description.trim())}\n---\n`
      : '';
  return { text: `${head}${body.trim()}\n` };
}

function withoutCommands(text: string): string {
  return text.replace(/(?<=^|\s)!(?=`)/gm, '! ').replace(/^```!/gm, '``` !');
}
