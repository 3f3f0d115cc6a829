// The events that hooks can hang on: what a matcher looks at, what exit code 2 does, how long a hook may take.

export interface EventFacts {
  /** The input field that matchers are compared with; undefined where every hook of the event runs. */
  matched: string | undefined;
  /** `block`: the reason prevents the action. `feedback`: it happened, the model is sent the reason. `none`: shown to the user only. */
  exit2: 'block' | 'feedback' | 'none';
  /** Matchers are exact names between bars, never expressions. */
  exactMatcher: boolean;
  /** Seconds, where not the handler's own default holds. */
  timeout: number | undefined;
  /** What the hook prints is context for the model, without any JSON. */
  printsContext: boolean;
  /** `CLAUDE_ENV_FILE` names a file whose exports later commands get. */
  setsEnvironment: boolean;
}

const plain: EventFacts = {
  matched: undefined,
  exit2: 'none',
  exactMatcher: false,
  timeout: undefined,
  printsContext: false,
  setsEnvironment: false,
};
const event = (facts: Partial<EventFacts> = {}): EventFacts => ({ ...plain, ...facts });

export const hookEvents = {
  SessionStart: event({ matched: 'source', printsContext: true, setsEnvironment: true }),
  Setup: event({ matched: 'trigger', setsEnvironment: true }),
  UserPromptSubmit: event({ exit2: 'block', timeout: 30, printsContext: true }),
  UserPromptExpansion: event({ matched: 'command_name', exit2: 'block', printsContext: true }),
  PreToolUse: event({ matched: 'tool_name', exit2: 'block' }),
  PermissionRequest: event({ matched: 'tool_name' }),
  PermissionDenied: event({ matched: 'tool_name' }),
  PostToolUse: event({ matched: 'tool_name', exit2: 'feedback' }),
  PostToolUseFailure: event({ matched: 'tool_name', exit2: 'feedback' }),
  PostToolBatch: event({ exit2: 'block' }),
  Notification: event({ matched: 'notification_type' }),
  MessageDisplay: event({ timeout: 10 }),
  SubagentStart: event({ matched: 'agent_type' }),
  SubagentStop: event({ matched: 'agent_type', exit2: 'block' }),
  TaskCreated: event({ exit2: 'block' }),
  TaskCompleted: event({ exit2: 'block' }),
  Stop: event({ exit2: 'block' }),
  StopFailure: event({ matched: 'error', exactMatcher: true }),
  TeammateIdle: event({ exit2: 'block' }),
  InstructionsLoaded: event({ matched: 'load_reason' }),
  ConfigChange: event({ matched: 'source', exit2: 'block' }),
  CwdChanged: event({ setsEnvironment: true }),
  DirectoryAdded: event(),
  FileChanged: event({ matched: 'file_path', exactMatcher: true, setsEnvironment: true }),
  WorktreeCreate: event(),
  WorktreeRemove: event(),
  PreCompact: event({ matched: 'trigger', exit2: 'block' }),
  PostCompact: event({ matched: 'trigger' }),
  Elicitation: event({ matched: 'mcp_server_name', exit2: 'block' }),
  ElicitationResult: event({ matched: 'mcp_server_name', exit2: 'block' }),
  SessionEnd: event({ matched: 'reason', timeout: 1.5 }),
} satisfies Record<string, EventFacts>;

export type HookEvent = keyof typeof hookEvents;

/** Their "no" keeps the turn going: a hook that fails must not. */
const keepGoing: ReadonlySet<HookEvent> = new Set<HookEvent>(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle']);

/** Something is to happen that a hook which fails can keep from happening; after a call, the model is to get its output. */
export function canFailClosed(name: HookEvent): boolean {
  return (
    name === 'PermissionRequest' ||
    name === 'PostToolUse' ||
    (hookEvents[name].exit2 === 'block' && !keepGoing.has(name))
  );
}

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(hookEvents, name);
}

/** The events of one call: only there an `if` has something to look at. */
export const toolEvents: ReadonlySet<HookEvent> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
]);

/** What matchers of this event are compared with; of a file its name alone. */
export function matchedValue(name: HookEvent, fields: Readonly<Record<string, unknown>>): string | undefined {
  const { matched } = hookEvents[name];
  const value = matched === undefined ? undefined : fields[matched];
  if (typeof value !== 'string') return undefined;
  return name === 'FileChanged' ? value.slice(value.search(/[^/\\]*$/)) : value;
}

/** A session does not stay open for its last hooks, whatever their files say. */
const longestEnd = 60;
/** A day: timers of longer ones would overflow and fire at once. */
const longestTimeout = 86_400;
const timeouts: Readonly<Record<string, number>> = { prompt: 30, agent: 60 };

/** Seconds. */
export function timeoutOf(name: HookEvent, type: string, own: number | undefined): number {
  const seconds = Math.min(own ?? timeouts[type] ?? hookEvents[name].timeout ?? 600, longestTimeout);
  return name === 'SessionEnd' ? Math.min(own ?? hookEvents[name].timeout ?? seconds, longestEnd) : seconds;
}
