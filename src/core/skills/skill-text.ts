// How a skill in use appears in the conversation, and what a compaction keeps of it.
import { headOf } from '../../shared/cut-text';
import { charsOf } from '../model/estimate-tokens';
import { escapeAttribute } from '../text/attachment';
import { type SessionRecord } from '../ports/record';
import { followLog } from '../sessions/follow-log';
import { type Skill } from './skill';

const maxKept = charsOf(5_000);
const maxKeptInAll = charsOf(25_000);

export function contentText({ name, folder, kind }: Pick<Skill, 'name' | 'folder' | 'kind'>, text: string): string {
  const place = kind === 'skill' && folder !== '' ? ` folder="${escapeAttribute(folder)}"` : '';
  return `<skill name="${escapeAttribute(name)}"${place}>\n${text.trim()}\n</skill>`;
}

const contentPattern = /^<skill name="([^"\n]*)"[^\n]*>\n/;

/** The same text is in the conversation already. */
export function standsIn(records: readonly SessionRecord[], content: string): boolean {
  return records.some((record) => contentsIn(record).some(({ text }) => text === content));
}

/** The names of all that were used. */
export function usedNames(records: readonly SessionRecord[]): Set<string> {
  return new Set(followContents(records).map(({ name }) => name));
}

/** For a conversation that is compacted: what was used, the newest first, as far as it fits. */
export function keptContents(records: readonly SessionRecord[]): { name: string; text: string }[] {
  const last = new Map<string, string>();
  for (const { name, text } of followContents(records).toReversed()) if (!last.has(name)) last.set(name, text);
  let room = maxKeptInAll;
  return [...last].flatMap(([name, text]) => {
    const kept =
      text.length <= maxKept
        ? text
        : `${headOf(text, maxKept - 100)}\n[cut here: call the skill again for the rest]\n</skill>`;
    if (kept.length > room) return [];
    room -= kept.length;
    return [{ name, text: kept }];
  });
}

interface Content {
  name: string;
  text: string;
}

const followContents = followLog<readonly Content[]>([], (before, record) => {
  const more = contentsIn(record);
  return more.length === 0 ? before : [...before, ...more];
});

function contentsIn(record: SessionRecord): Content[] {
  if (record.type !== 'user' || record.isCompactSummary === true || typeof record.message.content === 'string')
    return [];
  return record.message.content.flatMap((block) => {
    const name = block.type === 'text' ? contentPattern.exec(block.text)?.[1] : undefined;
    return block.type === 'text' && name !== undefined ? [{ name, text: block.text }] : [];
  });
}
