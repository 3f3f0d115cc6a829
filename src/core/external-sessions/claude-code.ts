// Reads a session file of Claude Code: its format is internal to its vendor, so everything that is not understood is skipped.
import { defined } from '../../shared/defined';
import { writtenText } from '../sessions/prompt-text';
import { type SessionRecord } from '../ports/record';
import { recordOf } from '../sessions/session-codec';
import { sessionTitle } from '../sessions/session-title';
import { callId, type Fields, type ExternalSession, parseLines, textOf } from './external-session';
import { pairCalls } from './pair-calls';
import { agentOutput, isAgentCall, shownOutput } from './shown-output';
import { readSidechains, type Sidechain } from './sidechains';
import { isObject } from '../../shared/plain-object';

/** Never throws. */
export function readClaudeCode(lines: Iterable<string>): ExternalSession {
  const { objects, unreadable } = parseLines(lines);
  const main = objects.filter((line) => line['isSidechain'] !== true && textOf(line['type']) !== undefined);
  const kept = conversation(main);
  const boundary = kept.findLastIndex(isBoundary);
  const inputs = new Map<string, { name: string; input: unknown }>();
  const agents = new StartedSidechains(readSidechains(objects));
  let unknown = 0;
  const records: SessionRecord[] = [];
  let firstAfter: SessionRecord | undefined;
  for (const [at, line] of kept.entries()) {
    const record = shownRecord(line, `line-${at}`, { inputs, agents });
    if (record === undefined && isTurn(line)) unknown++;
    if (record === undefined) continue;
    records.push(record);
    if (boundary >= 0 && at >= boundary) firstAfter ??= record;
  }
  const paired = pairCalls(records, saidOfCalls(objects));
  const first = (name: string): string => textOf(main.find((line) => textOf(line[name]) !== undefined)?.[name]) ?? '';
  const uuid = firstAfter && 'uuid' in firstAfter ? firstAfter.uuid : undefined;
  return {
    source: 'claude-code',
    id: first('sessionId'),
    title: claudeCodeTitle(objects) ?? firstPrompt(records),
    cwd: first('cwd'),
    ...paired,
    from: Math.max(
      0,
      paired.records.findIndex((record) => 'uuid' in record && record.uuid === uuid),
    ),
    unreadable: unreadable + unknown,
    unplaced: agents.unplaced(),
  };
}

/** The agents whose conversations are in the file, each given to the call that asked it. */
class StartedSidechains {
  readonly #left: Sidechain[];

  constructor(chains: Sidechain[]) {
    this.#left = chains;
  }

  /** The same words may have been asked twice: the first comes first. */
  of(input: unknown): Sidechain | undefined {
    const prompt = isObject(input) ? textOf(input['prompt'])?.trim() : undefined;
    const at = prompt === undefined ? -1 : this.#left.findIndex((chain) => chain.prompt === prompt);
    return at === -1 ? undefined : this.#left.splice(at, 1)[0];
  }

  unplaced(): number {
    return this.#left.reduce((sum, { messages }) => sum + messages, 0);
  }
}

interface Calls {
  inputs: Map<string, { name: string; input: unknown }>;
  agents: StartedSidechains;
}

/** A title that the user gave, one that a model made, or the summary that was written for a list. */
export function claudeCodeTitle(lines: readonly Fields[]): string | undefined {
  const last = (type: string, ...names: string[]): string | undefined => {
    const line = lines.findLast((one) => one['type'] === type);
    return names.map((name) => textOf(line?.[name])).find((title) => title !== undefined);
  };
  return (
    last('custom-title', 'customTitle', 'title') ??
    last('agent-name', 'agentName', 'name') ??
    last('ai-title', 'aiTitle', 'title') ??
    ownSummary(lines)
  );
}

/** Files also hold summaries of other conversations. */
function ownSummary(lines: readonly Fields[]): string | undefined {
  const uuids = new Set(lines.map((line) => line['uuid']));
  return textOf(lines.findLast((line) => line['type'] === 'summary' && uuids.has(line['leafUuid']))?.['summary']);
}

/** The user's first words that are words: commands and what was put in by the program are not. */
export function firstPrompt(records: readonly SessionRecord[]): string {
  for (const record of records) {
    if (record.type !== 'user' || record.isMeta === true || record.isSidechain === true) continue;
    const text = writtenText(record);
    if (text.trim() !== '') return sessionTitle(text);
  }
  return '';
}

/**
 * A file may hold branches: the conversation is the chain of its last leaf, with all blocks of its replies and the results of
 * their calls, which branch off the chain. A file without links is read as it stands.
 */
function conversation(main: readonly Fields[]): Fields[] {
  const nodes = main.filter(
    (line) => line['type'] === 'user' || line['type'] === 'assistant' || textOf(line['uuid']) !== undefined,
  );
  const byUuid = new Map(nodes.map((line) => [line['uuid'], line]));
  const linked = nodes.some((line) => textOf(line['parentUuid']) !== undefined && byUuid.has(line['parentUuid']));
  if (!linked) return nodes;
  const places = new Map(nodes.map((line, at) => [line, at]));
  const kept = new Set<Fields>();
  let line = nodes.findLast(isTurn);
  while (line !== undefined && !kept.has(line)) {
    kept.add(line);
    line = parentOf(line, byUuid) ?? (mayBegin(line) ? undefined : nodes[(places.get(line) ?? 0) - 1]);
  }
  const replies = new Set([...kept].flatMap((one) => messageId(one) ?? []));
  for (const one of nodes) if (replies.has(messageId(one) ?? '')) kept.add(one);
  const open = new Set([...kept].flatMap((one) => blocksOf(one, 'tool_use').map((block) => block['id'])));
  for (const one of kept) for (const block of blocksOf(one, 'tool_result')) open.delete(block['tool_use_id']);
  for (const one of nodes)
    if (blocksOf(one, 'tool_result').some((block) => open.delete(block['tool_use_id']))) kept.add(one);
  return nodes.filter((one) => kept.has(one));
}

function parentOf(line: Fields, byUuid: ReadonlyMap<unknown, Fields>): Fields | undefined {
  // What was before a compaction is linked apart.
  return byUuid.get(textOf(line['parentUuid']) ?? textOf(line['logicalParentUuid']));
}

/** A reply cannot begin a conversation, and a parent that is named was there. */
function mayBegin(line: Fields): boolean {
  return (
    line['type'] !== 'assistant' &&
    textOf(line['parentUuid']) === undefined &&
    textOf(line['logicalParentUuid']) === undefined
  );
}

function isTurn(line: Fields): boolean {
  return line['type'] === 'user' || line['type'] === 'assistant';
}

function isBoundary(line: Fields): boolean {
  return (line['type'] === 'system' && line['subtype'] === 'compact_boundary') || line['isCompactSummary'] === true;
}

function messageOf(line: Fields): Fields {
  return isObject(line['message']) ? line['message'] : {};
}

function messageId(line: Fields): string | undefined {
  return line['type'] === 'assistant' ? textOf(messageOf(line)['id']) : undefined;
}

function blocksOf(line: Fields, type: string): Fields[] {
  const { content } = messageOf(line);
  return Array.isArray(content)
    ? content.filter((block): block is Fields => isObject(block) && block['type'] === type)
    : [];
}

/** The record of a line of the conversation; undefined for one that shows nothing. */
function shownRecord(line: Fields, uuid: string, calls: Calls): SessionRecord | undefined {
  const named = { ...line, uuid: textOf(line['uuid']) ?? uuid };
  switch (line['type']) {
    case 'user':
      return known(userLine(named, calls));
    case 'assistant': {
      const record = known({
        ...named,
        message: { ...messageOf(line), content: assistantContent(messageOf(line)['content']) },
      });
      if (record?.type !== 'assistant') return undefined;
      for (const block of record.message.content) if (block.type === 'tool_use') calls.inputs.set(block.id, block);
      return record;
    }
    case 'attachment': {
      // Written while the agent worked, delivered with results.
      const attachment = isObject(line['attachment']) ? line['attachment'] : {};
      if (attachment['type'] !== 'queued_command') return undefined;
      return known({
        ...named,
        type: 'user',
        steering: true,
        message: { role: 'user', content: attachment['prompt'] },
      });
    }
    default:
      return undefined;
  }
}

function known(line: Fields): SessionRecord | undefined {
  const record = recordOf(line);
  return record === undefined || 'raw' in record ? undefined : record;
}

function userLine(line: Fields, { inputs, agents }: Calls): Fields {
  const { toolUseResult, ...rest } = line;
  const { content } = messageOf(line);
  if (Array.isArray(content)) {
    const blocks = content.map((block: unknown) =>
      isObject(block) && block['type'] === 'tool_result'
        ? { ...block, tool_use_id: callId(block['tool_use_id']) }
        : block,
    );
    const results = blocksOf(line, 'tool_result');
    const call =
      results.length === 1 && results[0]?.['is_error'] !== true
        ? inputs.get(callId(results[0]?.['tool_use_id']) ?? '')
        : undefined;
    const chain = call !== undefined && isAgentCall(call.name) ? agents.of(call.input) : undefined;
    const output =
      call &&
      (chain === undefined ? shownOutput(call.name, call.input, toolUseResult) : agentOutput(call.input, chain));
    const texts = blocks.flatMap((block: unknown) =>
      isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : [],
    );
    const images = blocks.filter((block: unknown) => isObject(block) && block['type'] === 'image').length;
    return {
      ...rest,
      ...(results.length > 0 ? {} : shownPrompt(texts.join('\n'), images)),
      message: { role: 'user', content: blocks },
      ...defined({ toolUseResult: output }),
    };
  }
  return typeof content === 'string' ? { ...rest, ...shownPrompt(content, 0) } : rest;
}

const insertions =
  /<(system-reminder|ide_opened_file|ide_selection|local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr)>[\s\S]*?<\/\1>/g;

/** What the user wrote of a prompt: commands by their names, nothing that the program put in. */
function shownPrompt(text: string, images: number): Fields {
  const command = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(text)?.[1];
  const shell = /<bash-input>([\s\S]*?)<\/bash-input>/.exec(text)?.[1];
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  const shown =
    command !== undefined
      ? `${command.startsWith('/') ? '' : '/'}${command} ${words}`.trim()
      : shell !== undefined
        ? `! ${shell.trim()}`
        : text.replace(insertions, '').trim();
  if (shown === text.trim()) return {};
  return shown === '' && images === 0 ? { isMeta: true } : { display: { text: shown, attachments: [], images } };
}

/** Thinking of older files lacks its signature; it is shown all the same. */
function assistantContent(content: unknown): unknown {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) => {
    if (!isObject(block)) return block;
    if (block['type'] === 'tool_use') return { ...block, id: callId(block['id']) };
    return block['type'] === 'thinking' && typeof block['signature'] !== 'string' ? { ...block, signature: '' } : block;
  });
}

/** What hooks, attachments and progress say about a call. */
function saidOfCalls(lines: readonly Fields[]): Map<string, string> {
  const said = new Map<string, string>();
  for (const line of lines) {
    if (line['type'] === 'user' || line['type'] === 'assistant') continue;
    const parts = [line, line['attachment'], line['data'], line['hookData']].filter(isObject);
    const ids = parts.flatMap((part) =>
      [part['toolUseID'], part['toolUseId'], part['tool_use_id'], part['parentToolUseID']].flatMap(
        (id) => callId(id) ?? [],
      ),
    );
    for (const id of new Set(ids)) said.set(id, `${said.get(id) ?? ''}\n${parts.flatMap(wordsIn).join('\n')}`);
  }
  return said;
}

function wordsIn(part: Fields): string[] {
  return Object.values(part).flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : isObject(value)
        ? Object.values(value).filter((one) => typeof one === 'string')
        : [],
  );
}
