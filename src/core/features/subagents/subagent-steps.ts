// What an agent does, in words, from the records that its session writes.
import { contextTokens } from '../../model/models';
import { textOf } from '../../model/whole-reply';
import { type SessionRecord } from '../../ports/record';
import { namedFolders, type NamedFolder, shortPaths } from '../../text/short-paths';
import { type SubagentSteps, type SubagentUsage } from '../../subagents/subagents';
import { type ToolRegistry } from '../../tools/registry';
import { shownInput } from '../../tool/shown-input';

const maxSteps = 100;

interface Step {
  id: string;
  now: string;
  past: string;
  state: 'running' | 'done' | 'failed' | 'denied' | 'stopped';
}

export interface StepsOf {
  /** True where something is to be shown again. */
  add(record: SessionRecord): boolean;
  shown(): SubagentSteps;
  usage(durationMs: number): SubagentUsage;
}

/** `folders`: those that the agent works in. */
export function createSteps(registry: ToolRegistry, folders: readonly string[]): StepsOf {
  const named = namedFolders(folders);
  let steps: Step[] = [];
  let toolUses = 0;
  let tokens = 0;
  const words = ({ now, past, state }: Step): string =>
    state === 'running' ? `${now} …` : state === 'done' ? past : `${past} (${state})`;
  return {
    add(record) {
      if (record.type === 'system' && record.subtype === 'reply_end') {
        tokens = contextTokens(record.usage) + record.usage.output_tokens;
        return true;
      }
      if (record.type === 'assistant') {
        const calls = record.message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
        for (const { id, name, input } of calls)
          steps.push({ id, ...sentence(registry, name, input, named), state: 'running' });
        toolUses += calls.length;
        steps = steps.slice(-maxSteps);
        return calls.length > 0;
      }
      if (record.type !== 'user' || record.toolState === undefined || typeof record.message.content === 'string')
        return false;
      const { toolState } = record;
      for (const block of record.message.content) {
        const step = block.type === 'tool_result' ? steps.find(({ id }) => id === block.tool_use_id) : undefined;
        if (step !== undefined) step.state = toolState;
      }
      return true;
    },
    shown() {
      const current = steps.findLast(({ state }) => state === 'running');
      const parts = [
        ...(current === undefined ? [] : [current.now]),
        `${toolUses} tool ${toolUses === 1 ? 'use' : 'uses'}`,
        ...(tokens === 0 ? [] : [tokenText(tokens)]),
      ];
      return { steps: steps.map(words), summary: parts.join(' · ') };
    },
    usage: (durationMs) => ({ totalTokens: tokens, toolUses, durationMs }),
  };
}

export function tokenText(tokens: number): string {
  return tokens < 1_000 ? `${tokens} tokens` : `${Math.round(tokens / 1_000)}k tokens`;
}

function sentence(
  registry: ToolRegistry,
  name: string,
  input: unknown,
  folders: readonly NamedFolder[],
): { now: string; past: string } {
  const tool = registry.find(name);
  try {
    const shown = tool && shownInput(tool, input);
    if (tool !== undefined && shown !== undefined) {
      const { now, past } = tool.describe(shown);
      // A command is shown as it runs, paths and all.
      const isCommand = tool.targets(shown, '/').some(({ kind }) => kind === 'command');
      return isCommand ? { now, past } : { now: shortPaths(now, folders), past: shortPaths(past, folders) };
    }
  } catch {
    // Showing a step never ends a turn.
  }
  return { now: name, past: name };
}

/** The last text that the model wrote. */
export function reportOf(records: readonly SessionRecord[]): string {
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.type !== 'assistant') continue;
    const { id } = record.message;
    const text = textOf(
      records.flatMap((one) => (one.type === 'assistant' && one.message.id === id ? one.message.content : [])),
    ).trim();
    if (text !== '') return text;
  }
  return '';
}
