// What a list of memory files says about each: whose it is, and why it is or is not sent.
import { type LoadReason, type MemoryEntry, type MemoryType } from './memory-entry';

const whose: Record<MemoryType, string> = {
  Managed: "the organisation's",
  User: 'yours, everywhere',
  Project: "the project's",
  Local: 'yours, in this project',
  Auto: 'notes of the agent',
};

const why: Record<LoadReason, string> = {
  session_start: 'sent before the first message',
  compact: 'sent again after a compaction',
  nested_traversal: 'sent once a file in its folder is read',
  path_glob_match: 'sent once a file is read that matches',
  include: 'imported by',
};

export function describeMemory({ type, reason, globs, parent, left, text }: MemoryEntry): {
  description: string;
  detail: string;
} {
  const reasonText =
    parent === undefined
      ? `${why[reason]}${globs === undefined ? '' : ` ${globs.join(', ')}`}`
      : `${why.include} ${parent}`;
  return {
    description: whose[type],
    detail:
      text === '' && left !== undefined
        ? `Not sent: ${left}`
        : [reasonText, left].filter((part) => part !== undefined).join('. '),
  };
}
