// The conversations of agents that older logs of Claude Code hold between the lines of the main one: what each was asked, did and reported.
import { headOf } from '../../shared/cut-text';
import { isObject } from '../../shared/plain-object';
import { type Fields, textOf } from './external-session';

export interface Sidechain {
  prompt: string;
  /** One line for each of its calls. */
  steps: string[];
  report: string;
  toolUses: number;
  /** Of the last reply, with all that it was sent. */
  tokens: number;
  durationMs: number;
  /** Lines of the file. */
  messages: number;
}

/** As many as Deft keeps of its own agents. */
const maxSteps = 100;
const maxStepChars = 160;

/** Lines without links belong to the agent that was begun last. */
export function readSidechains(lines: readonly Fields[]): Sidechain[] {
  const chains: Fields[][] = [];
  const byUuid = new Map<string, Fields[]>();
  for (const line of lines) {
    if (line['isSidechain'] !== true || (line['type'] !== 'user' && line['type'] !== 'assistant')) continue;
    const parent = textOf(line['parentUuid']);
    const known = parent === undefined ? undefined : byUuid.get(parent);
    const last = chains.at(-1);
    let chain = known ?? (last !== undefined && !begins(line) ? last : undefined);
    if (chain === undefined) chains.push((chain = []));
    chain.push(line);
    const uuid = textOf(line['uuid']);
    if (uuid !== undefined) byUuid.set(uuid, chain);
  }
  return chains.map(sidechainOf);
}

/** A task: words of a user, and no result of a call. */
function begins(line: Fields): boolean {
  return line['type'] === 'user' && partsOf(line).every(({ type }) => type !== 'tool_result');
}

function sidechainOf(chain: Fields[]): Sidechain {
  const calls = chain.flatMap((line) => partsOf(line).filter(({ type }) => type === 'tool_use'));
  const replies = chain.filter(({ type }) => type === 'assistant');
  const [first] = chain;
  const usage = messageOf(replies.at(-1))['usage'];
  return {
    prompt: first === undefined || first['type'] !== 'user' ? '' : wordsOf(first),
    steps: calls.slice(-maxSteps).map(stepOf),
    report: replies.map(wordsOf).findLast((words) => words !== '') ?? '',
    toolUses: calls.length,
    tokens: isObject(usage) ? Object.entries(usage).reduce((sum, [name, value]) => sum + tokensOf(name, value), 0) : 0,
    durationMs: spanOf(chain),
    messages: chain.length,
  };
}

const told = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt'];

/** What it was and what of: its input's own words, since another program's tools have no sentence here. */
function stepOf({ name, input }: Fields): string {
  const about = isObject(input)
    ? told.map((key) => textOf(input[key])).find((value) => value !== undefined)
    : undefined;
  const what = typeof name === 'string' ? name : 'A call';
  return about === undefined ? what : headOf(`${what}: ${about.replace(/\s+/g, ' ')}`, maxStepChars);
}

function tokensOf(name: string, value: unknown): number {
  return name.endsWith('_tokens') && typeof value === 'number' ? value : 0;
}

function spanOf(chain: readonly Fields[]): number {
  const times = chain.map(({ timestamp }) => Date.parse(String(timestamp))).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
}

function messageOf(line: Fields | undefined): Fields {
  return isObject(line?.['message']) ? line['message'] : {};
}

function partsOf(line: Fields): Fields[] {
  const { content } = messageOf(line);
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.filter(isObject)
      : [];
}

function wordsOf(line: Fields): string {
  return partsOf(line)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
    .trim();
}
