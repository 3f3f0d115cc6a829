// An output style: how the agent works and answers, as text that the user chooses by its name.
import { booleanField, readFrontmatter, textField } from '../text/frontmatter';

export type StyleSource = 'built-in' | 'managed' | 'personal' | 'project' | 'plugin';

export interface OutputStyle {
  name: string;
  description: string;
  /** Empty for the style that changes nothing. */
  prompt: string;
  /** What the system prompt says about work and answers applies in addition to it. */
  keepsInstructions: boolean;
  source: StyleSource;
  /** Empty for one of Deft's own. */
  file: string;
}

export const defaultStyle: OutputStyle = {
  name: 'Default',
  description: "Deft's default style",
  prompt: '',
  keepsInstructions: true,
  source: 'built-in',
  file: '',
};

/** Longer ones would cost more than they steer. */
const maxPrompt = 20_000;

/** A sentence where the file holds no style. */
export function readStyle(
  text: string,
  { name, source, file }: Pick<OutputStyle, 'name' | 'source' | 'file'>,
): OutputStyle | string {
  const { fields, body, problem } = readFrontmatter(text);
  if (problem !== undefined) return problem;
  const prompt = body.trim();
  if (prompt === '') return 'It has no text after its front matter.';
  if (prompt.length > maxPrompt) return `It is longer than ${maxPrompt.toLocaleString('en')} characters.`;
  const own = textField(fields, 'name') ?? name;
  return {
    name: own,
    description: textField(fields, 'description') ?? '',
    prompt,
    keepsInstructions: booleanField(fields, 'keep-coding-instructions') ?? false,
    source,
    file,
  };
}

/** Case does not count. */
export function styleNamed(styles: readonly OutputStyle[], name: string): OutputStyle | undefined {
  const wanted = name.trim().toLowerCase();
  return styles.find((style) => style.name.toLowerCase() === wanted);
}
