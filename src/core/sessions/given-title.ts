// The title of a session as its log has it: the one that the user or a hook gave before one that a model made.
import { type SessionRecord } from '../ports/record';

/** Undefined where it has none. */
export function givenTitle(records: readonly SessionRecord[]): string | undefined {
  const titled = (type: 'custom-title' | 'ai-title'): string | undefined => {
    const record = records.findLast((one) => one.type === type);
    return record !== undefined && 'title' in record && record.title.trim() !== '' ? record.title : undefined;
  };
  return titled('custom-title') ?? titled('ai-title');
}
