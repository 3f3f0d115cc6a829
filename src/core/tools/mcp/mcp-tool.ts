// A tool of an MCP server as one of the session's own, and what stands in for one whose server is gone.
import { z } from 'zod/v3';
import { cleanSchema } from '../../mcp/clean-schema';
import { charsOf } from '../../model/estimate-tokens';
import { type PermissionVerdict } from '../../permissions/rules/verdict';
import { type McpCallOutcome, type McpTool } from '../../ports/mcp';
import { buildTool } from '../../tool/build-tool';
import { type LongCall } from '../../tool/background-calls';
import { mcpForHooks } from './mcp-for-hooks';
import {
  mcpDetail,
  mcpOutput,
  mcpOutputSchema,
  mcpResultBlock,
  mcpView,
  movedOutput,
  printedOutput,
  type McpOutput,
} from './mcp-output';
import { type AnyTool } from '../../tool/tool';
import { isObject } from '../../../shared/plain-object';

export interface McpToolOptions {
  server: string;
  tool: McpTool;
  /** As the model knows it. */
  name: string;
  deferred: boolean;
  /** For one result; more goes to a file. */
  maxOutputTokens: number;
}

export const defaultMcpOutputTokens = 25_000;
/** The most that a tool may ask for itself. */
const mostChars = 500_000;

/** The server checks its own input. */
const inputSchema = z.object({}).passthrough();

export function createMcpTool({ server, tool, name, deferred, maxOutputTokens }: McpToolOptions): AnyTool {
  const { annotations, meta, description, title } = tool;
  const asked = meta['anthropic/maxResultSizeChars'];
  const asksAlways = meta['anthropic/requiresUserInteraction'] === true;
  const about = description === '' ? (title ?? '') : description;
  return buildTool<Record<string, unknown>, McpOutput>({
    name,
    prompt: async () => about,
    inputSchema,
    inputJSONSchema: cleanSchema(tool.inputSchema),
    outputSchema: mcpOutputSchema,
    hookOutput: mcpForHooks,
    // Whatever the server says: only the user's rules let it run unasked.
    access: 'DangerFullAccess',
    isMcp: true,
    deferred,
    searchText: `${tool.shownAs?.server ?? server} ${title ?? tool.shownAs?.tool ?? ''} ${description}`,
    maxResultSizeChars: typeof asked === 'number' && asked > 0 ? Math.min(asked, mostChars) : charsOf(maxOutputTokens),
    isReadOnly: () => annotations.readOnlyHint === true,
    isConcurrencySafe: () => annotations.readOnlyHint === true,
    isDestructive: () => annotations.readOnlyHint !== true && annotations.destructiveHint === true,
    describe: () => sentence(tool.shownAs?.server ?? server, tool.shownAs?.tool ?? tool.name),
    checkPermissions: async () => (asksAlways ? userAsks : undefined),
    async call(input, context) {
      const { mcp } = context.ports;
      if (mcp === undefined) return gone(name);
      const { signal, session } = context;
      const ask: LongCall<McpCallOutcome>['ask'] = (stop, onProgress) =>
        mcp.callTool(server, tool.name, input, { signal: stop, onProgress });
      const title = `${server}: ${tool.name}`;
      const printed: LongCall<McpCallOutcome>['printed'] = async (late) =>
        late.outcome === 'failed'
          ? { text: late.message, failed: true }
          : printedOutput(await mcpOutput(late, context));
      const ran =
        session.calls === undefined
          ? { answer: await ask(signal, (text) => context.onProgress({ kind: 'text', text })) }
          : await session.calls.run({ title, ask, printed }, context);
      if ('moved' in ran) return { data: movedOutput(ran.moved, title) };
      const { answer: outcome } = ran;
      if (outcome.outcome === 'failed') return { failure: { code: 'mcp-failed', message: outcome.message } };
      return { data: await mcpOutput(outcome, context) };
    },
    mapToolResultToToolResultBlockParam: mcpResultBlock,
    view: mcpView,
    detail: mcpDetail,
  });
}

/** In every mode, and whatever rules or hooks say. */
const userAsks: PermissionVerdict = {
  behavior: 'ask',
  code: 'rule',
  reason: 'The server wants a user to approve each call of this tool.',
  suggestions: [],
};

/** A tool of a log, or one that a server had: it is shown like the others, and cannot be called. */
export function absentMcpTool(name: string): AnyTool | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return undefined;
  return buildTool<Record<string, unknown>, McpOutput>({
    name,
    prompt: async () => 'Its server is not connected.',
    inputSchema,
    inputJSONSchema: { type: 'object', properties: {} },
    access: 'DangerFullAccess',
    isMcp: true,
    deferred: true,
    describe: () => sentence(server, tool),
    validateInput: async () => ({ ok: false, code: 'no-server', message: gone(name).failure.message }),
    call: async () => gone(name),
    mapToolResultToToolResultBlockParam: mcpResultBlock,
    view: (output) =>
      isObject(output) && Array.isArray(output['parts'])
        ? mcpView(output)
        : { kind: 'json', text: JSON.stringify(output, undefined, 2) ?? '' },
    detail: (output) => (isObject(output) && Array.isArray(output['parts']) ? mcpDetail(output) : ''),
  });
}

function gone(name: string): { failure: { code: string; message: string } } {
  return {
    failure: {
      code: 'no-server',
      message: `The tool ${name} is unavailable: its MCP server is not connected, or no longer offers it. Use the tool search to see what is available.`,
    },
  };
}

function sentence(server: string, tool: string): { now: string; past: string } {
  return { now: `Asking ${server}: ${tool}`, past: `Asked ${server}: ${tool}` };
}
