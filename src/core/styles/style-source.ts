// Sends a session's model the output style as a message: it may change at any time, and the request's prefix stays as it is.
import { type ContextNote, type ContextSource, keySubject, versionKey } from '../context/context-source';
import { textVersion } from '../text/text-version';
import { neutralText } from '../text/system-reminder';
import { type SessionRecord } from '../ports/record';
import { type OutputStyle } from './output-style';

const styleSubject = 'output style';

/** `records` are what the log held when the session was opened: the model may have been sent a style then. */
export function createStyleSource(
  current: () => Promise<OutputStyle>,
  records: readonly SessionRecord[],
): ContextSource {
  let announced = records.some(
    (record) => record.type === 'user' && record.contextKeys?.some((key) => keySubject(key) === styleSubject) === true,
  );
  return {
    async present() {
      const style = await current().catch(() => undefined);
      if (style === undefined || (style.prompt === '' && !announced)) return [];
      announced = true;
      return [noteOf(style)];
    },
    // An agent reports to the session, not to the user.
    narrowed: () => ({ present: async () => [] }),
  };
}

function noteOf({ name, prompt, keepsInstructions }: OutputStyle): ContextNote {
  const text =
    prompt === ''
      ? 'No output style is active any more: work and answer as the system prompt says.'
      : [
          `The user has chosen the output style "${name}" for your work and answers from now on. It replaces any earlier one.`,
          keepsInstructions ? inAddition : instead,
          `<output-style>\n${neutralText(prompt, 'output-style')}\n</output-style>`,
        ].join(' ');
  return { key: versionKey(styleSubject, textVersion(text)), text };
}

const inAddition =
  'Where it and the system prompt differ about how you work or answer, the style takes precedence; it grants no permissions.';
const instead =
  'It replaces the sections "How you work" and "Answers" of the system prompt; the rest, on tools and permissions, still applies, and the style grants no permissions.';
