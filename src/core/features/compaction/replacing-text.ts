// The text that stands in place of a conversation: one block a section, in a fixed order.
import { type TextBlock } from '../../wire/wire';
import { neutralText } from '../../text/system-reminder';
import { summaryHeading } from '../../sessions/compacted-log';
import { type FilesInPlay } from './files-in-play';
import { type TodoItem } from '../../../shared/tool-view';

/** `text` undefined: there is nothing to say under this title. */
export interface ReplacingSection {
  title: string;
  text: string | undefined;
}

const opening =
  'The conversation with this user grew long and was compacted: what follows replaces everything before it. ' +
  'Treat it as your own memory and continue the work from where it stopped, without telling the user about the compaction. ' +
  'Files may have changed: only what is attached here, or what you read from now on, counts as read.';

/** The summary first: it is the one block that the user may rewrite. */
export function replacingBlocks(summary: string, sections: readonly ReplacingSection[]): TextBlock[] {
  const texts = sections.flatMap(({ title, text }) =>
    text === undefined || text.trim() === '' ? [] : [`# ${title}\n\n${text}`],
  );
  return [opening, `${summaryHeading}${summary}`, ...texts].map((text) => ({ type: 'text', text }));
}

export function ownWordsSection(text: string | undefined): ReplacingSection {
  return { title: "The user's own messages, word for word, oldest first", text };
}

export function tasksSection(todos: readonly TodoItem[]): ReplacingSection {
  const open = todos.filter(({ status }) => status !== 'completed');
  return {
    title: 'Open tasks',
    text:
      open.length === 0
        ? undefined
        : open
            .map(
              ({ content, status }) =>
                `- ${neutralText(content)} (${status === 'in_progress' ? 'in progress' : 'not started'})`,
            )
            .join('\n'),
  };
}

export function filesSection({ paths, texts, attached }: FilesInPlay): ReplacingSection {
  if (paths.length === 0) return { title: 'Files in use', text: undefined };
  const whole = new Set(attached.map(({ filePath }) => filePath));
  const lines = paths.map((path) => `- ${neutralText(path)}${whole.has(path) ? ' (its current text follows)' : ''}`);
  return { title: 'Files in use, most recent first', text: [lines.join('\n'), ...texts].join('\n\n') };
}

export function logSection(logPath: string): ReplacingSection {
  return {
    title: 'The complete log',
    text: `Everything that was said and done is in ${logPath}, one JSON object per line. Search it if a detail is missing here.`,
  };
}
