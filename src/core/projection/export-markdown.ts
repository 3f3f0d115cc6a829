// A session as Markdown to read or to pass on: prompts, answers, and each call with its input, its result and why it was allowed.
import { escapedHtml, escapedMarkdown } from '../text/escaped-markdown';
import { codeSpan } from '../text/code-span';
import { redactText, type Secrets } from '../text/redact';
import { type Source, sourceKey, sourcesOf } from '../model/cited-sources';
import { foundTools, isToolSearch, searchProblem } from '../model/server-search';
import { type AssistantBlock, type TextBlock, type ToolResultBlock, type UserBlock } from '../wire/wire';
import { markdownLink } from '../text/web-address';
import { headOf } from '../../shared/cut-text';
import { type DiffHunk } from '../../shared/tool-view';
import { createExportProof, type ExportProof } from './export-proof';
import { type AssistantRecord, type SessionRecord, type SystemRecord, type UserRecord } from '../ports/record';

export interface MarkdownOptions {
  title: string;
  /** Credentials that the text must not hold. */
  secrets?: Secrets;
  /** Who answers in it. */
  agent?: string;
}

const maxResultChars = 4_000;
const maxInputChars = 8_000;
const maxDiffLines = 400;

type Results = ReadonlyMap<string, { block: ToolResultBlock; record: UserRecord }>;
type Decisions = ReadonlyMap<string, Extract<SystemRecord, { subtype: 'decision' }>>;

/** What hooks, settings and counters wrote is left out; so are thoughts, which nobody asked for. */
export function exportMarkdown(
  records: readonly SessionRecord[],
  { title, secrets = [], agent = 'Deft' }: MarkdownOptions,
): string {
  const results: Results = new Map(
    records.flatMap((record) =>
      record.type === 'user' ? resultsOf(record).map((block) => [block.tool_use_id, { block, record }] as const) : [],
    ),
  );
  const decisions: Decisions = new Map(
    records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'decision' ? [[record.toolUseId, record] as const] : [],
    ),
  );
  const shown = shownTexts(records);
  const notes = createFootnotes();
  const proof = createExportProof(records);
  const parts = [`# ${oneLine(title) || 'Untitled session'}`];
  const first = records.find((record) => !('raw' in record) && record.timestamp !== '');
  if (first !== undefined && !('raw' in first))
    parts.push(
      [first.timestamp, first.cwd === '' ? '' : `in ${codeSpan(first.cwd)}`].filter((text) => text !== '').join(' '),
    );
  const conversation = new Conversation(agent);
  for (const record of records) {
    if ('raw' in record || record.isSidechain === true) continue;
    if (record.type === 'user') conversation.prompt(promptOf(record));
    else if (record.type === 'assistant') {
      proof.begins(record);
      const cited = citedText(record);
      const { id } = record.message;
      if (cited === undefined) conversation.reply(replyOf(record, { results, decisions, shown, proof }));
      else conversation.citingReply(id, `${shown(id, cited.text)}${notes.marks(cited)}`);
    } else if (record.type === 'system' && record.subtype === 'turn_end') {
      conversation.note(proof.after(record.uuid));
      if (record.reason !== 'completed')
        conversation.note(`*The turn ended: ${oneLine(record.message ?? record.reason)}*`);
    }
  }
  parts.push(...conversation.parts, ...notes.list(), ...proof.notes());
  return `${redactText(parts.join('\n\n'), secrets)}\n`;
}

/** Prompts and replies, with a heading wherever the speaker changes. */
class Conversation {
  readonly parts: string[] = [];
  #agentSpeaks = false;
  /** The reply whose text with citations is last. */
  #citing: string | undefined;

  constructor(private readonly agent: string) {}

  prompt(text: string): void {
    if (text === '') return;
    // Each prompt has its heading, also after another one.
    this.parts.push('## You', text);
    this.#agentSpeaks = false;
  }

  reply(text: string): void {
    this.#citing = undefined;
    if (text.trim() === '') return;
    this.#startAgent();
    this.parts.push(text);
  }

  /** The API cuts one text where it cites something: what continues the same reply is joined to it. */
  citingReply(messageId: string, text: string): void {
    const continues = this.#citing === messageId && this.#agentSpeaks;
    this.#citing = messageId;
    if (text.trim() === '') return;
    this.#startAgent();
    if (continues) this.parts.push(`${this.parts.pop() ?? ''}${text}`);
    else this.parts.push(text.trimStart());
  }

  note(text: string): void {
    if (text !== '') this.parts.push(text);
  }

  #startAgent(): void {
    if (!this.#agentSpeaks) this.parts.push(`## ${this.agent}`);
    this.#agentSpeaks = true;
  }
}

function citedText({ message: { content } }: AssistantRecord): TextBlock | undefined {
  const [block] = content;
  return content.length === 1 && block?.type === 'text' && Array.isArray(block.citations) ? block : undefined;
}

/** Numbered over the whole session: one note for each source. */
function createFootnotes(): { marks(block: TextBlock): string; list(): string[] } {
  const numbers = new Map<string, { number: number; source: Source }>();
  return {
    marks(block) {
      const marks = sourcesOf(block).map((source) => {
        const known = numbers.get(sourceKey(source)) ?? { number: numbers.size + 1, source };
        numbers.set(sourceKey(source), known);
        return `[^${known.number}]`;
      });
      return [...new Set(marks)].join('');
    },
    list: () => {
      const notes = [...numbers.values()].map(({ number, source: { title, url, file, quote } }) => {
        const place =
          url === undefined
            ? file === undefined || file === title
              ? plainMarkdown(title)
              : `${plainMarkdown(title)} (${codeSpan(file)})`
            : markdownLink(title, url);
        return `[^${number}]: ${place}${quote === '' ? '' : ` – “${plainMarkdown(quote)}”`}`;
      });
      return notes.length === 0 ? [] : [notes.join('\n')];
    },
  };
}

function plainMarkdown(text: string): string {
  return escapedMarkdown(oneLine(text));
}

function promptOf(record: UserRecord): string {
  if (record.isMeta === true || resultsOf(record).length > 0) return '';
  const { content } = record.message;
  const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text =
    record.display?.text ?? blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  const images = record.display?.images ?? blocks.filter(({ type }) => type === 'image').length;
  const extras = [
    ...(record.display?.attachments ?? []).map(codeSpan),
    ...(images > 0 ? [`${images} ${images === 1 ? 'image' : 'images'}`] : []),
  ];
  return [text.trim(), extras.length > 0 ? `*With ${extras.join(', ')}*` : '']
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the texts of a message as hooks want the user to see them: requested one after the other. */
function shownTexts(records: readonly SessionRecord[]): (messageId: string, said: string) => string {
  const rewritten = new Map(
    records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'message_display'
        ? [[`${record.messageId}\n${record.index}`, record.text] as const]
        : [],
    ),
  );
  const seen = new Map<string, number>();
  return (messageId, said) => {
    const index = seen.get(messageId) ?? 0;
    seen.set(messageId, index + 1);
    return rewritten.get(`${messageId}\n${index}`) ?? said;
  };
}

interface ReplyParts {
  results: Results;
  decisions: Decisions;
  shown: ReturnType<typeof shownTexts>;
  proof: ExportProof;
}

function replyOf({ message }: AssistantRecord, { results, decisions, shown, proof }: ReplyParts): string {
  const parts = message.content.flatMap((block, index) => {
    if (block.type === 'text') return [proof.marked(index, shown(message.id, block.text).trim())];
    if (block.type === 'server_tool_use' && isToolSearch(block))
      return [`*Looked for tools: ${plainMarkdown(queryOf(block))}*`];
    if (block.type === 'tool_search_tool_result')
      return [`*${plainMarkdown(searchProblem(block) ?? `Found: ${foundTools(block).join(', ') || 'nothing'}`)}*`];
    if (block.type !== 'tool_use') return [];
    return [callOf(block, results.get(block.id), decisions.get(block.id))];
  });
  return parts.filter((part) => part !== '').join('\n\n');
}

function queryOf(block: AssistantBlock): string {
  const { input } = block as { input?: { query?: unknown; pattern?: unknown } };
  return ([input?.query, input?.pattern].find((value) => typeof value === 'string') as string | undefined) ?? '';
}

function callOf(
  call: { name: string; input: unknown },
  result: { block: ToolResultBlock; record: UserRecord } | undefined,
  decision: { behavior: string; by: string; reason: string } | undefined,
): string {
  const state =
    result === undefined
      ? 'no result'
      : (stateWords[result.record.toolState ?? ''] ?? (result.block.is_error === true ? 'failed' : ''));
  const summary = `${call.name}${subjectOf(call.input)}${state === '' ? '' : ` (${state})`}`;
  const patch = patchOf(result?.record.toolUseResult);
  const parts = [
    decision === undefined
      ? ''
      : `*${decision.behavior === 'allow' ? 'Allowed' : 'Refused'}${decision.by === 'user' ? ' by the user' : ''}: ${oneLine(decision.reason)}*`,
    // The diff says what the strings of an edit say, and reads better.
    patch === undefined || patch === ''
      ? fenced(JSON.stringify(call.input, undefined, 2) ?? '', 'json', maxInputChars)
      : fenced(patch, 'diff', Infinity),
    result === undefined
      ? '*The session has no result for this call.*'
      : fenced(resultText(result.block), '', maxResultChars),
  ];
  return [
    '<details>',
    `<summary>${escapedHtml(summary)}</summary>`,
    '',
    parts.filter((part) => part !== '').join('\n\n'),
    '',
    '</details>',
  ].join('\n');
}

const stateWords: Readonly<Record<string, string>> = {
  done: '',
  failed: 'failed',
  denied: 'refused',
  stopped: 'stopped',
};

/** What a call is about, in its summary line. */
function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const subject = ['file_path', 'notebook_path', 'command', 'pattern', 'url', 'query', 'path']
    .map((name) => fields[name])
    .find((value): value is string => typeof value === 'string');
  return subject === undefined ? '' : `: ${headOf(oneLine(subject), 120)}`;
}

function resultText({ content }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

function patchOf(output: unknown): string | undefined {
  if (
    typeof output !== 'object' ||
    output === null ||
    !('structuredPatch' in output) ||
    !Array.isArray(output.structuredPatch)
  )
    return undefined;
  const lines = output.structuredPatch
    .filter(isHunk)
    .flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines]);
  return lines.length <= maxDiffLines
    ? lines.join('\n')
    : [...lines.slice(0, maxDiffLines), `[${lines.length - maxDiffLines} more lines omitted]`].join('\n');
}

/** Records of other programs and versions: only what has the fields. */
function isHunk(value: unknown): value is DiffHunk {
  if (typeof value !== 'object' || value === null) return false;
  const hunk = value as Partial<Record<keyof DiffHunk, unknown>>;
  return (
    Array.isArray(hunk.lines) &&
    [hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines].every((field) => typeof field === 'number')
  );
}

/** In a fence that is longer than any inside it; what is left out is said. */
function fenced(text: string, language: string, limit: number): string {
  const shown = text.length <= limit ? text : headOf(text, limit);
  if (shown.trim() === '') return '';
  const longest = Math.max(2, ...[...shown.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const note = shown === text ? '' : `\n\n*${text.length - shown.length} more characters omitted.*`;
  return `${fence}${language}\n${shown.trimEnd()}\n${fence}${note}`;
}

function resultsOf({ message }: UserRecord): ToolResultBlock[] {
  return typeof message.content === 'string' ? [] : message.content.filter((block) => block.type === 'tool_result');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
