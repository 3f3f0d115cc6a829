// What the command of the status line gets on its standard input: how the session stands, as JSON.
import { defined } from '../../shared/defined';
import { modelLabel } from '../model/models';
import { type Effort } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { type ChatState } from '../../shared/chat';
import { type PermissionMode } from '../../shared/permission';

export interface StatusFacts {
  sessionId: string;
  transcript: string;
  cwd: string;
  /** The first is the project's. */
  folders: readonly string[];
  /** Folders that were added to the workspace's own. */
  added: readonly string[];
  model: string;
  effort: Effort | undefined;
  mode: PermissionMode;
  fast: boolean;
  style: string;
  version: string;
  records: readonly SessionRecord[];
  chat: Pick<ChatState, 'usage' | 'changes' | 'title'>;
}

/** The names are those that scripts for other agents know; what Deft does not know is left out. */
export function statusInput(facts: StatusFacts): Record<string, unknown> {
  const { usage, changes, title } = facts.chat;
  const { contextTokens, contextWindow } = usage;
  const used = contextWindow === 0 ? 0 : Math.min(100, Math.round((contextTokens / contextWindow) * 1_000) / 10);
  const sum = (of: (change: (typeof changes)[number]) => number): number =>
    changes.reduce((total, change) => total + of(change), 0);
  return {
    hook_event_name: 'Status',
    session_id: facts.sessionId,
    ...(title === '' ? {} : { session_name: title }),
    transcript_path: facts.transcript,
    cwd: facts.cwd,
    model: { id: facts.model, display_name: modelLabel(facts.model) },
    workspace: { current_dir: facts.cwd, project_dir: facts.folders[0] ?? facts.cwd, added_dirs: facts.added },
    version: facts.version,
    output_style: { name: facts.style === 'Default' ? 'default' : facts.style },
    cost: {
      total_cost_usd: usage.costUsd,
      total_duration_ms: durationOf(facts.records),
      total_lines_added: sum(({ added }) => added),
      total_lines_removed: sum(({ removed }) => removed),
    },
    context_window: {
      context_window_size: contextWindow,
      total_input_tokens: contextTokens,
      used_percentage: used,
      remaining_percentage: Math.round((100 - used) * 10) / 10,
    },
    exceeds_200k_tokens: contextTokens > 200_000,
    ...defined({ effort: facts.effort && { level: facts.effort } }),
    permission_mode: facts.mode,
    fast_mode: facts.fast,
  };
}

function durationOf(records: readonly SessionRecord[]): number {
  return records.reduce(
    (total, record) => (record.type === 'system' && record.subtype === 'turn_end' ? total + record.durationMs : total),
    0,
  );
}
