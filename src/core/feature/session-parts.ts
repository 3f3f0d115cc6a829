// The parts of a session that its host and its features share.
import { type AnyTool } from '../tool/tool';
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { type AutoMode } from '../calls/auto-mode';
import { type PastDecisions } from '../calls/past-decisions';
import { type PermissionState } from '../calls/permission-state';
import { type HookOutcome } from '../hooks/hook-outcome';
import { type HookSubject } from '../hooks/run-hooks';
import { type PermissionContext } from '../permissions/rules/verdict';
import { type HookEvent } from '../ports/hook-events';
import { type SessionRecord } from '../ports/record';
import { type ModelCapabilities } from '../wire/model-capabilities';
import { type Effort, type ModelRequest } from '../wire/wire';

export type SetupTrigger = 'init' | 'maintenance';
export type StartSource = 'startup' | 'resume' | 'clear' | 'fork';
export type EndReason = 'clear' | 'resume' | 'other';

/** Something has happened that hooks of the user may be notified of; `fields` are read only where one is. */
export type AnnounceEvent = (
  event: HookEvent,
  fields: () => Record<string, unknown>,
  signal: AbortSignal,
  more?: Omit<HookSubject, 'fields'>,
) => Promise<HookOutcome>;

export interface SessionMessages {
  /** Goes to the model with its next request, marked as Deft's own. */
  remind(text: string): void;
  /** The same for a report that the model waits for: it asks for a further turn where no request follows. */
  report(text: string): void;
  /** Goes to the model now, marked as Deft's own. */
  nudge(text: string): void;
  /** A report has reached no request yet. */
  readonly owesReport: boolean;
}

export interface SessionChoices {
  readonly model: string;
  /** What the model takes at its provider. */
  readonly can: ModelCapabilities;
  /** Undefined leaves it to the model. */
  readonly effort: Effort | undefined;
  /** The user's choice: models that always think go on with it. */
  readonly thinking: boolean;
  /** The model's higher speed, where it has one. */
  readonly fast: boolean;
  setModel(model: string): void;
  setEffort(effort: Effort | undefined): void;
  /** From the next turn on. */
  setThinking(thinking: boolean): void;
  setFast(fast: boolean): void;
}

export interface SessionPermission {
  readonly mode: PermissionMode;
  /** Shared with the agents that the session starts. */
  readonly state: PermissionState;
  readonly auto: AutoMode;
  /** Why calls were allowed or refused. */
  readonly decisions: PastDecisions;
  /** What the next call is judged by, the turn's own rules included. */
  now(): PermissionContext;
  setMode(mode: PermissionMode): void;
  applyUpdates(updates: PermissionUpdate[]): Promise<void>;
}

export interface SessionRequests {
  /** All tools that the model may call now, loaded or not. */
  readonly toolNames: string[];
  /** Built-in tools that the model has to load before it calls them. */
  toLoad(): Promise<readonly Pick<AnyTool, 'name' | 'seldom'>[]>;
  /** Makes the tools' schemas ahead of the first request. */
  prepare(): Promise<void>;
  /** The request that these records alone would make. */
  of(records: readonly SessionRecord[]): Promise<ModelRequest>;
  /** What the next request would hold, and the tokens at which the conversation is compacted: null for never. */
  upcoming(): Promise<{ request: ModelRequest; compactsAt: number | null }>;
  modelChanged(): void;
}
