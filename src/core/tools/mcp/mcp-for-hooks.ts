// What an MCP server answered as hooks see it, a list of content blocks, and as they may replace it.
import { z } from 'zod/v3';
import { isObject } from '../../../shared/plain-object';
import { type HookOutput, hookOutput, type KeptFile } from '../../tool/hook-output';
import { shownImage } from '../read/read-image';
import { type McpOutput, type McpPart } from './mcp-output';

export const mcpForHooks = hookOutput<unknown, McpOutput, unknown>({
  shape: z.unknown(),
  show: ({ data: { parts } }) =>
    parts.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } },
    ),
  read(given, { data }) {
    const parts = partsGiven(given, data);
    return typeof parts === 'string' ? parts : { data: { ...data, parts } };
  },
  files: savedFiles,
});

/** Files of parts that the hook has left out, or that it has replaced. */
function savedFiles(before: McpOutput, now: McpOutput | undefined): KeptFile[] {
  const left = now?.parts ?? [];
  return before.parts.flatMap((part) => {
    const { path } = part;
    if (path === undefined) return [];
    const isLeft = left.some((one) => one.path === path || (one.type === 'text' && one.text.includes(path)));
    return isLeft ? [] : [{ path, text: '' }];
  });
}

/** A string is a text; an object is the whole answer of a server, or is shown as JSON. */
function partsGiven(given: unknown, own: McpOutput): McpPart[] | string {
  if (typeof given === 'string') return [textPart(given, own)];
  const blocks = isObject(given) && Array.isArray(given['content']) ? given['content'] : given;
  if (Array.isArray(blocks)) {
    const parts: McpPart[] = [];
    for (const [index, block] of blocks.entries()) {
      const part = partGiven(block, `[${index}]`, own);
      if (typeof part === 'string') return part;
      parts.push(part);
    }
    return parts;
  }
  if (isObject(given)) return [textPart(JSON.stringify(given, undefined, 2), own)];
  return 'The output must be a string or a list of content blocks.';
}

function partGiven(block: unknown, place: string, own: McpOutput): McpPart | string {
  if (!isObject(block)) return `\`${place}\` must be a content block.`;
  const { type, text } = block;
  if (type === 'text') return typeof text === 'string' ? textPart(text, own) : `\`${place}.text\` must be a string.`;
  if (type !== 'image') return `\`${place}.type\` must be "text" or "image".`;
  const isWire = isObject(block['source']);
  const data = isWire ? (block['source'] as Record<string, unknown>)['data'] : block['data'];
  const kept = own.parts.find((part) => part.type === 'image' && part.data === data);
  if (kept !== undefined) return kept;
  const image = typeof data === 'string' ? shownImage(data) : undefined;
  if (image === undefined)
    return `\`${place}.${isWire ? 'source.data' : 'data'}\` must be base64 of a whole PNG, JPEG, GIF or WebP image.`;
  return { type: 'image', mediaType: image.mediaType, data: image.data, bytes: image.bytes };
}

/** One of the server's own, with the file that it names, where the text is the same. */
function textPart(text: string, own: McpOutput): McpPart {
  return own.parts.find((part) => part.type === 'text' && part.text === text) ?? { type: 'text', text };
}

const resourceGiven = z.object({
  contents: z.array(
    z.object({ uri: z.string().nullish(), text: z.string().nullish(), blobSavedTo: z.string().nullish() }),
  ),
});

/** As a resource begins where the model reads it. */
const heading = /^\[Resource ([^\]\n]+)\]\n/;

export const mcpResourceForHooks: HookOutput<{ uri: string }, McpOutput> = hookOutput<
  { uri: string },
  McpOutput,
  z.infer<typeof resourceGiven>
>({
  shape: resourceGiven,
  show: ({ data: { parts } }, { input }) => ({
    contents: parts.map((part) => {
      if (part.type === 'image') return { uri: input.uri, mimeType: part.mediaType, blobSavedTo: part.path ?? '' };
      const [head, uri] = heading.exec(part.text) ?? [];
      return { uri: uri ?? input.uri, text: part.text.slice(head?.length ?? 0) };
    }),
  }),
  read({ contents }, { data }, shown) {
    const parts: McpPart[] = [];
    for (const [index, { uri, text, blobSavedTo }] of contents.entries()) {
      const before = shown.contents.findIndex((one) => one.uri === uri && one.text === text && text != null);
      const kept =
        before === -1
          ? data.parts.find((part) => part.type === 'image' && part.path !== undefined && part.path === blobSavedTo)
          : data.parts[before];
      if (kept !== undefined) parts.push(kept);
      else if (typeof text === 'string')
        parts.push({ type: 'text', text: typeof uri === 'string' ? `[Resource ${uri}]\n${text}` : text });
      else return `\`contents[${index}].text\` is missing.`;
    }
    return { data: { ...data, parts } };
  },
  files: savedFiles,
});
