// The team that a conversation's log speaks of, and the mail to the lead that no request has held yet.
import { z } from 'zod/v3';
import { hasField } from '../text/has-field';
import { type SessionRecord, type SystemRecord } from '../ports/record';
import { letterIds } from './mail-text';

const made = z.object({ team_name: z.string(), team_state: z.enum(['created', 'deleted']) });

export type MailRecord = Extract<SystemRecord, { subtype: 'team_mail' }>;

export interface LoggedTeam {
  name: string;
  /** Where in the log it begins: an earlier one may have had the same name. */
  since: number;
}

/** Undefined where the last one was deleted, or there never was one. */
export function teamFromRecords(records: readonly SessionRecord[]): LoggedTeam | undefined {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type !== 'user' || !hasField(record.toolUseResult, 'team_state')) continue;
    const read = made.safeParse(record.toolUseResult);
    if (!read.success) continue;
    const { team_name: name, team_state: state } = read.data;
    return state === 'created' ? { name, since: at } : undefined;
  }
  return undefined;
}

/** In the order in which it came. */
export function undeliveredMail(records: readonly SessionRecord[], lead: string): MailRecord[] {
  const mail = records.filter(
    (record): record is MailRecord => record.type === 'system' && record.subtype === 'team_mail' && record.to === lead,
  );
  if (mail.length === 0) return [];
  const held = new Set(
    records.flatMap((record) => {
      if (record.type !== 'user' || record.isMeta !== true) return [];
      const { content } = record.message;
      return typeof content === 'string'
        ? letterIds(content)
        : content.flatMap((block) => (block.type === 'text' ? letterIds(block.text) : []));
    }),
  );
  return mail.filter(({ mailId }) => !held.has(mailId));
}
