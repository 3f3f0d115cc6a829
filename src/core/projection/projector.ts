// What a projection knows of a session so far: what the next event means depends on it.
import { type ApprovalCard, type ChatState, type NoticeItem, type QueuedMessage } from '../../shared/chat';
import { type BackgroundItems } from './background-items';
import { type ClearedResults } from './cleared-results';
import { type CompactionEvents } from './compaction-events';
import { type ProjectionOptions } from './shown-parts';
import { type DisplayedTexts } from './displayed-texts';
import { type CitedTexts } from './cited-texts';
import { type GrowingInputs } from './growing-inputs';
import { type ServerCallItems } from './server-call-items';
import { type TaskEvents } from './task-events';
import { type LedgerEvents } from './ledger-events';

export interface Projector extends ProjectionOptions {
  /** Messages whose blocks were shown while they streamed. */
  streamed: Set<string>;
  /** Text blocks without any text so far. */
  empty: Set<string>;
  toolOfBlock: Map<string, string>;
  calls: Map<string, { name: string; input: unknown }>;
  /** Blocks seen of each replayed message. */
  blocks: Map<string, number>;
  approvals: ApprovalCard[];
  queue: QueuedMessage[];
  usage: ChatState['usage'];
  titled: boolean;
  /** The card of a request that waits to be sent again, or was and has no answer yet. */
  waiting?: NoticeItem;
  cleared: ClearedResults;
  /** What hooks that run now say about themselves, by the hook's step. */
  hooks: Map<string, string>;
  /** What the turn waits for, a sentence each: MCP servers, a reply of which nothing comes. */
  waits: { servers?: string; silence?: string };
  compactions: CompactionEvents;
  displayed: DisplayedTexts;
  cited: CitedTexts;
  growing: GrowingInputs;
  serverCalls: ServerCallItems;
  background: BackgroundItems;
  /** Of a turn: the list of tasks, and what was proved. */
  ofTurn: { tasks: TaskEvents; ledger: LedgerEvents };
}
