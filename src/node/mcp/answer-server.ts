// Answers what a server asks its client: the folders, the user's words, and the model's.
import { defined } from '../../shared/defined';
import { type Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { pathToFileURL } from 'node:url';
import { fieldsOf } from '../../core/mcp/elicitation';
import { maxSampleChars } from '../../core/mcp/limits';
import { type McpElicitation } from '../../core/ports/mcp';
import { type LinkOptions, type McpSample } from './link';

/** Of one request to the model. */
const maxSampleTokens = 4_096;

export function capabilitiesOf({ people, sample }: LinkOptions): ClientCapabilities {
  return {
    roots: { listChanged: true },
    ...(people === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(people === undefined || sample === undefined ? {} : { sampling: {} }),
  };
}

export function answerServer(client: Client, options: LinkOptions): void {
  const { people, sample, entry, folders, log } = options;
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: folders().map((folder) => ({
      uri: pathToFileURL(folder).href,
      name: folder.slice(folder.lastIndexOf('/') + 1),
    })),
  }));
  if (people === undefined) {
    // Some ask whatever a client says of itself, and take an error for a failure of their tool.
    client.fallbackRequestHandler = async ({ method }) => {
      if (method !== 'elicitation/create') throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
      log.add('It asked the user something, and nobody answers here: the question was declined.');
      return { action: 'decline' };
    };
    return;
  }
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    const request = elicitation(entry.name, params);
    if (request === undefined) {
      log.add('It asked for something that a form cannot show; the question was declined.');
      return { action: 'decline' };
    }
    return people.elicit(request, signal);
  });
  if (sample === undefined) return;
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => {
    const request = readSample(entry.name, params);
    const text = [request.system ?? '', ...request.messages.map((message) => `${message.role}: ${message.text}`)]
      .join('\n\n')
      .trim();
    if (text.length > maxSampleChars)
      throw new McpError(ErrorCode.InvalidParams, `The request is longer than ${maxSampleChars} characters.`);
    if (!(await people.allowSampling({ server: entry.name, text }, signal)))
      throw new McpError(refused, 'The user rejected the request.');
    const answer = await sample(request, signal);
    return {
      role: 'assistant',
      model: answer.model,
      content: { type: 'text', text: answer.text },
      stopReason: 'endTurn',
    };
  });
}

/** As the protocol's own examples have it. */
const refused = -1;

function elicitation(
  server: string,
  params: { mode?: string | undefined; message: string; url?: unknown; requestedSchema?: unknown },
): McpElicitation | undefined {
  const { message, url } = params;
  if (params.mode === 'url')
    return typeof url === 'string' && /^https?:\/\//i.test(url) ? { kind: 'url', server, message, url } : undefined;
  const fields = fieldsOf(params.requestedSchema);
  return fields === undefined ? undefined : { kind: 'form', server, message, fields, schema: params.requestedSchema };
}

function readSample(
  server: string,
  params: {
    systemPrompt?: string | undefined;
    maxTokens: number;
    messages: { role: 'user' | 'assistant'; content: unknown }[];
  },
): McpSample {
  return {
    server,
    ...defined({ system: params.systemPrompt }),
    messages: params.messages.map(({ role, content }) => ({
      role,
      text: (Array.isArray(content) ? content : [content]).map(textOfPiece).join('\n'),
    })),
    maxTokens: Math.min(params.maxTokens, maxSampleTokens),
  };
}

/** Pictures and sounds are named only: the small model is asked in words. */
function textOfPiece(piece: unknown): string {
  const { type, text } = piece as { type?: unknown; text?: unknown };
  return typeof text === 'string' ? text : `[${String(type)}]`;
}
