// Pairs the calls of an external session with their results, and says of those without one why it is missing.
import { defined } from '../../shared/defined';
import { type ToolResultBlock } from '../wire/wire';
import { type AssistantRecord, type SessionRecord, type UserRecord } from '../ports/record';
import { withUniqueCalls } from '../sessions/unique-calls';
import { isAgentCall } from './shown-output';
import { type ExternalSession, type IncompleteCall, type IncompleteCause } from './external-session';

const incompleteText: Record<IncompleteCause, string> = {
  'session interrupted':
    'Incomplete: the session was interrupted before this call had a result. It may or may not have taken effect.',
  'tool timeout':
    'Incomplete: the tool did not finish within its time, and no result was kept. It may or may not have taken effect.',
  'hook blocked': 'Incomplete: a hook blocked this call, so it was not run.',
  'permission denied': 'Incomplete: permission for this call was denied, so it was not run.',
};

const states: Record<IncompleteCause, NonNullable<UserRecord['toolState']>> = {
  'session interrupted': 'stopped',
  'tool timeout': 'failed',
  'hook blocked': 'denied',
  'permission denied': 'denied',
};

type Paired = Pick<ExternalSession, 'records' | 'incomplete' | 'agents'>;

/**
 * By id, across all following user messages; repeated ids get one each. `said`: what lines outside the conversation say about
 * a call, by its id.
 */
export function pairCalls(conversation: readonly SessionRecord[], said: ReadonlyMap<string, string>): Paired {
  const records = withUniqueCalls(conversation);
  const names = new Map(records.flatMap(callsOf).map(({ id, name }) => [id, name]));
  const answered = new Set(records.flatMap(resultsOf).map((block) => block.tool_use_id));
  const incomplete: IncompleteCall[] = [];
  const agents: Paired['agents'] = [];
  const paired = records.flatMap((record): SessionRecord[] => {
    if (record.type === 'user') return [answeredBy(record, names, incomplete, agents)];
    if (record.type !== 'assistant') return [record];
    const missing = callsOf(record).filter(({ id }) => !answered.has(id));
    return [
      record,
      ...missing.map(({ id, name }) => {
        const cause = causeIn(said.get(id) ?? '') ?? 'session interrupted';
        incomplete.push({ toolUseId: id, name, cause });
        return missingResult(record, id, cause);
      }),
    ];
  });
  return { records: paired, incomplete, agents };
}

function callsOf(record: SessionRecord): { id: string; name: string }[] {
  return record.type === 'assistant'
    ? record.message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    : [];
}

function resultsOf(record: SessionRecord): ToolResultBlock[] {
  if (record.type !== 'user' || typeof record.message.content === 'string') return [];
  return record.message.content.filter((block) => block.type === 'tool_result');
}

function missingResult(
  { uuid, timestamp, sessionId, cwd, version }: AssistantRecord,
  id: string,
  cause: IncompleteCause,
): UserRecord {
  const block: ToolResultBlock = {
    type: 'tool_result',
    tool_use_id: id,
    content: incompleteText[cause],
    is_error: true,
  };
  return {
    ...{ type: 'user', uuid: `${uuid}-${id}`, parentUuid: uuid, timestamp, sessionId, cwd, version },
    message: { role: 'user', content: [block] },
    toolState: states[cause],
  };
}

/** An error that says that the call did not run is no result either; what names an agent is not for reading. */
function answeredBy(
  record: UserRecord,
  names: ReadonlyMap<string, string>,
  incomplete: IncompleteCall[],
  agents: Paired['agents'],
): UserRecord {
  const results = resultsOf(record);
  if (results.length === 0) return record;
  let toolState = record.toolState;
  for (const block of results) {
    const cause = block.is_error === true ? causeIn(wordsOf(block).slice(0, 400)) : undefined;
    if (cause === undefined) continue;
    incomplete.push({ toolUseId: block.tool_use_id, name: names.get(block.tool_use_id) ?? '', cause });
    toolState = states[cause];
  }
  const content = (record.message.content as ToolResultBlock[]).map((block) => {
    const name = block.type === 'tool_result' ? names.get(block.tool_use_id) : undefined;
    if (name === undefined || !isAgentCall(name)) return block;
    const { agentId, rest } = withoutTrailer(block);
    if (agentId !== undefined) agents.push({ toolUseId: block.tool_use_id, agentId });
    return rest;
  });
  return { ...record, message: { role: 'user', content }, ...defined({ toolState }) };
}

/** Words of the agent's own, never of a program's output: the first that fits. */
const causes: [IncompleteCause, RegExp][] = [
  [
    'hook blocked',
    /\bhook\b[^\n]{0,200}\b(block|den[iy]|prevent|stopp)|\b(blocked|denied|prevented|stopped) by\b[^\n]{0,60}\bhook\b|hook_(blocking|stopped|permission)|PreToolUse:\S+ (hook )?(error|\[)/i,
  ],
  [
    'permission denied',
    /doesn't want to (proceed|take this action)|\b(rejected|denied|declined) by (the )?(user|policy)|\buser (rejected|denied|declined)|permission_?denied|permission to use \S+|haven't granted|permission\b[^\n]{0,40}\bhas been denied/i,
  ],
  ['tool timeout', /(^|\n)(error:? )?(the )?(command|tool|call)\b[^\n]{0,40}\btimed out\b|tool_?timeout/i],
  ['session interrupted', /^\[?request interrupted|^aborted\b|interrupted by (the )?user/i],
];

function causeIn(text: string): IncompleteCause | undefined {
  return causes.find(([, pattern]) => pattern.test(text))?.[0];
}

function wordsOf({ content }: ToolResultBlock): string {
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return text.replace(/<\/?tool_use_error>/g, '').trim();
}

const trailer = /(?:^|\n)agentId:[ \t]*([\w-]+)[^\n]*(?:\n<usage>[\s\S]*?<\/usage>)?\s*$/;

function withoutTrailer(block: ToolResultBlock): { agentId: string | undefined; rest: ToolResultBlock } {
  const { content } = block;
  if (typeof content === 'string') {
    const agentId = trailer.exec(content)?.[1];
    return { agentId, rest: agentId === undefined ? block : { ...block, content: content.replace(trailer, '') } };
  }
  let agentId: string | undefined;
  const parts = content.flatMap((part) => {
    const found = part.type === 'text' ? trailer.exec(part.text)?.[1] : undefined;
    if (found === undefined || part.type !== 'text') return [part];
    agentId = found;
    const text = part.text.replace(trailer, '');
    return text.trim() === '' ? [] : [{ ...part, text }];
  });
  return { agentId, rest: agentId === undefined ? block : { ...block, content: parts } };
}
