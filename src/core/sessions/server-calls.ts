// Calls of tools that the API runs itself: it refuses one that has lost its result, and a result that has lost its call.
import { type AssistantBlock } from '../wire/wire';

export interface ServerCalls {
  made: Set<unknown>;
  answered: Set<unknown>;
}

export function newServerCalls(): ServerCalls {
  return { made: new Set(), answered: new Set() };
}

/** The block's share of what its log says about such calls. */
export function addServerCall({ made, answered }: ServerCalls, block: AssistantBlock): void {
  if (isCall(block)) made.add(block['id' as never]);
  else if (isResult(block)) answered.add(block['tool_use_id' as never]);
}

/** Whether the block may be sent again. `mayGoOn`: the API has only interrupted its reply, and still works on what is open. */
export function isPaired(block: AssistantBlock, { made, answered }: ServerCalls, mayGoOn: boolean): boolean {
  if (isCall(block)) return mayGoOn || answered.has(block['id' as never]);
  return !isResult(block) || made.has(block['tool_use_id' as never]);
}

function isCall({ type }: { type: string }): boolean {
  // `tool_use` alone is a call that the client runs.
  return type.endsWith('_tool_use');
}

function isResult({ type }: { type: string }): boolean {
  return type.endsWith('_tool_result');
}
