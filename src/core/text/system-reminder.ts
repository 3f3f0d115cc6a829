// The tag in which Deft speaks to the model. Whatever others wrote gets a backslash into it before it reaches a request.
import { mapTexts } from './map-texts';

const tag = 'system-reminder';

/** Of a terminal: colors and other commands, links. */
const escape = String.raw`\x1b\[[\d;?]{0,40}[A-Za-z]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)`;
/** What does not show between the letters of a tag, so that the model would read it as one. */
const unseen = String.raw`(?:\p{DI}|${escape})*`;
const space = String.raw`(?:${escape}|[\s\p{Cc}\p{DI}])`;
const gap = `${space}*`;
const bracket = String.raw`[<\uff1c\ufe64]`;
const dash = String.raw`[-_\u2212\p{Pd}]`;
/** Of two words; a line may end there. Two gaps in a row would take time by the square of the spaces, here and below. */
const between = `(?:${space}+(?:${dash}+${gap})?|${dash}+${gap})`;
const slash = String.raw`[/\uff0f!?]`;

/** What follows the bracket of a tag of one of these names, opening or closing, in whatever case and spacing. */
function namePattern(names: readonly string[]): string {
  const words = names.map((name) => {
    const letters = name
      .split('-')
      .map((word) => [...word].join(unseen))
      .join(between);
    return name === tag ? letters : String.raw`${letters}(?![\w-])`;
  });
  return String.raw`${gap}(?:${slash}+${gap})?(?:${words.join('|')})`;
}

function tagPattern(names: readonly string[]): RegExp {
  return new RegExp(`${bracket}(?=${namePattern(names)})`, 'giu');
}

const forged = tagPattern([tag]);
const neutral = new RegExp(String.raw`(${bracket})\\(${namePattern([tag])})`, 'giu');
const asDeftWrites = new RegExp(`^</?${tag}>`);
const longest = `</${tag}>`.length;
/** By the names joined. */
const withOthers = new Map<string, RegExp>();

/**
 * The text as it is shown to the model: `<\system-reminder>` for each such tag. `around` names further tags, between which
 * the text stands. A text that this function has returned is returned as it is.
 */
export function neutralText(text: string, ...around: string[]): string {
  let pattern = around.length === 0 ? forged : withOthers.get(around.join());
  if (pattern === undefined) withOthers.set(around.join(), (pattern = tagPattern([tag, ...around])));
  return text.replace(pattern, '$&\\');
}

/** The same for every text in the value; a value without such a tag is returned as it is. */
export function neutralValue<Value>(value: Value): Value {
  return mapTexts(value, (text) => neutralText(text)) as Value;
}

/** For neutral texts that were joined, with reminders of Deft's own among them: no two parts form a tag. */
export function neutralJoined(text: string): string {
  return text.replace(forged, (mark: string, at: number) =>
    asDeftWrites.test(text.slice(at, at + longest)) ? mark : `${mark}\\`,
  );
}

/** The text of which this is the neutral form; the same text where it holds none. */
export function originalText(text: string): string {
  return text.replace(neutral, '$1$2');
}

/** For a text that takes the place of `before` or of a part of it: tags that it was shown with a backslash, as it has them. */
export function withTagsOf(before: string, text: string): string {
  return text.replace(neutral, (shown: string, mark: string, rest: string) =>
    before.includes(mark + rest) && !before.includes(shown) ? mark + rest : shown,
  );
}

/** The first tag in its neutral form that `before` does not have in that form. */
export function addedNeutralTag(before: string, text: string): string | undefined {
  return [...text.matchAll(neutral)].map(([shown]) => shown).find((shown) => !before.includes(shown));
}

/** What Deft says to the model. It may quote others. */
export function reminder(text: string): string {
  return `<${tag}>\n${neutralText(text)}\n</${tag}>`;
}

/** A sentence of Deft's own within a text of others. */
export function inlineReminder(sentence: string): string {
  return `<${tag}>${neutralText(sentence)}</${tag}>`;
}
