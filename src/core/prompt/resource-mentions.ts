// Mentions of what MCP servers offer, "@server:proto://path", and their content for the prompt.
import { headOf } from '../../shared/cut-text';
import { redactText, type Secrets } from '../text/redact';
import { type McpCallOutcome } from '../ports/mcp';
import { attachment } from '../text/attachment';
import { type Mention } from './mentions';

export interface ResourceMention {
  server: string;
  uri: string;
}

/** Reads one; undefined if there is no such server: the mention may be a path then. */
export type ReadMentioned = (mention: ResourceMention) => Promise<McpCallOutcome | undefined>;

const maxChars = 60_000;

/** Undefined for a path. */
export function resourceMention({ path, range }: Mention): ResourceMention | undefined {
  const found = /^([^:/\\]+):([A-Za-z][A-Za-z0-9+.-]*:\/\/.*)$/.exec(path);
  if (found?.[1] === undefined || found[2] === undefined) return undefined;
  const fragment = range === undefined ? '' : `#${range.start}${range.end === range.start ? '' : `-${range.end}`}`;
  return { server: found[1], uri: found[2] + fragment };
}

/** How a resource is written after "@". */
export function resourceLabel({ server, uri }: ResourceMention): string {
  return `${server}:${uri}`;
}

/** Texts only: what is not text is named, for a tool to fetch. */
export function resourceAttachment(mention: ResourceMention, outcome: McpCallOutcome, secrets: Secrets): string {
  const attributes = { resource: mention.uri, server: mention.server };
  if (outcome.outcome === 'failed') return attachment(attributes, redactText(outcome.message, secrets));
  const text = outcome.content
    .map((piece) => {
      if (piece.type === 'text') return piece.text;
      if (piece.type === 'resource' && piece.text !== undefined) return piece.text;
      return `[Not attached: ${'mimeType' in piece ? (piece.mimeType ?? 'data') : piece.uri}: fetch it if you need it.]`;
    })
    .join('\n');
  const clean = redactText(text, secrets);
  return attachment(
    attributes,
    clean.length <= maxChars ? clean : `${headOf(clean, maxChars)}\n[cut here: fetch the resource for all of it]`,
  );
}
