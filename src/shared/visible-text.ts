// Makes characters visible that nobody would see, or that turn the text around them about: they could hide what a command does.

export interface TextPart {
  text: string;
  /** A single character that has to be named. */
  hidden: boolean;
}

/**
 * Controls but newline and tab, bidirectional and zero-width characters, fillers, blanks that are none for a shell, tags.
 * Emoji are left alone: the joiner and the variation selector count only where no picture stands in front of them.
 */
const hiddenCharacter =
  /(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d|(?<![\p{Extended_Pictographic}#*\d])[\ufe00-\ufe0f]|[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200c\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff0-\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(hiddenCharacter)) {
    if (index > end) parts.push({ text: text.slice(end, index), hidden: false });
    parts.push({ text: character, hidden: true });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), hidden: false });
  return parts;
}

/** "U+202E". */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** For names, titles and sentences; a text without such characters is returned as it is. */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacter, (character) => `⟨${codePointName(character)}⟩`);
}
