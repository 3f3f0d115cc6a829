// How skills appear in the conversation: the list that the model is sent, the content of one in use, and what a compaction keeps of it.
import { headOf } from '../../shared/cut-text';
import { charsOf } from '../model/estimate-tokens';
import { escapeAttribute } from '../text/attachment';
import { type SessionRecord } from '../ports/record';
import { maxDescription } from './read-skill';
import { type Skill } from './skill';

/** The whole list, whatever there is. */
const maxListed = 14_000;
const maxKept = charsOf(5_000);
const maxKeptInAll = charsOf(25_000);

/** What the model is sent about the skills that it may call; undefined if there are none. */
export function listText(skills: readonly Skill[], heading: string): string | undefined {
  const offered = skills.filter(({ forModel }) => forModel);
  if (offered.length === 0) return undefined;
  const lines: string[] = [];
  let room = maxListed;
  let short = 0;
  for (const skill of offered) {
    const whole = lineOf(skill);
    const line = whole.length <= room ? whole : `- ${skill.name}`;
    if (line.length > room) break;
    if (line !== whole) short++;
    room -= line.length + 1;
    lines.push(line);
  }
  const left = offered.length - lines.length;
  const notes = [
    ...(short > 0 ? ['Some are listed without their descriptions, which did not fit.'] : []),
    ...(left > 0 ? [`${left} more are not listed.`] : []),
  ];
  return [heading, ...lines, ...notes].join('\n');
}

function lineOf({ name, argumentHint, description, whenToUse, nameOnly }: Skill): string {
  const called = `- ${name}${argumentHint === undefined ? '' : ` ${headOf(argumentHint, 200)}`}`;
  return nameOnly === true
    ? called
    : `${called}: ${headOf([description, whenToUse].filter((part) => part !== undefined && part !== '').join(' '), maxDescription)}`;
}

export function contentText({ name, folder, kind }: Pick<Skill, 'name' | 'folder' | 'kind'>, text: string): string {
  const place = kind === 'skill' && folder !== '' ? ` folder="${escapeAttribute(folder)}"` : '';
  return `<skill name="${escapeAttribute(name)}"${place}>\n${text.trim()}\n</skill>`;
}

const contentPattern = /^<skill name="([^"\n]*)"[^\n]*>\n/;

/** The same text is in the conversation already. */
export function standsIn(records: readonly SessionRecord[], content: string): boolean {
  return contentsOf(records).some(({ text }) => text === content);
}

/** For a conversation that is compacted: what was used, the newest first, as far as it fits. */
export function keptContents(records: readonly SessionRecord[]): { name: string; text: string }[] {
  const last = new Map<string, string>();
  for (const { name, text } of contentsOf(records).reverse()) if (!last.has(name)) last.set(name, text);
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

function contentsOf(records: readonly SessionRecord[]): { name: string; text: string }[] {
  return records.flatMap((record) => {
    if (record.type !== 'user' || record.isCompactSummary === true || typeof record.message.content === 'string')
      return [];
    return record.message.content.flatMap((block) => {
      const name = block.type === 'text' ? contentPattern.exec(block.text)?.[1] : undefined;
      return block.type === 'text' && name !== undefined ? [{ name, text: block.text }] : [];
    });
  });
}
