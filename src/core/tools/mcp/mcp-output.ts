// What an MCP server answered, as the model, the log and the user get it: text, pictures, and files for all that is neither.
import { defined } from '../../../shared/defined';
import { z } from 'zod/v3';
import { cutMiddle } from '../../../shared/cut-text';
import { isObject } from '../../../shared/plain-object';
import { type ToolView } from '../../../shared/tool-view';
import { textTokens } from '../../model/estimate-tokens';
import { type ImageMediaType, type ToolResultBlock, type ToolResultContent } from '../../wire/wire';
import { type McpCallOutcome, type McpContent } from '../../ports/mcp';
import { imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, fromBase64 } from '../read/read-image';
import { formatSize } from '../../text/size-text';
import { type MovedCall } from '../../tool/background-calls';
import { type ToolContext } from '../../tool/tool';

const partSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string(),
    /** The file that it names, where the server sent something else than text. */
    path: z.string().optional(),
  }),
  z.object({
    type: z.literal('image'),
    mediaType: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.string(),
    path: z.string().optional(),
    bytes: z.number(),
  }),
]);
export const mcpOutputSchema = z.object({
  parts: z.array(partSchema),
  isError: z.boolean(),
  isJson: z.boolean(),
  /** It continues in the background: these are read like those of a command. */
  state: z.literal('background').optional(),
  backgroundTaskId: z.string().optional(),
  outputPath: z.string().optional(),
  stdout: z.string().optional(),
  title: z.string().optional(),
});

export type McpPart = z.infer<typeof partSchema>;
export type McpOutput = z.infer<typeof mcpOutputSchema>;

/** More than this is reported to the user. */
const manyTokens = 10_000;
/** Pictures of one result; the others go to files only. */
const maxImages = 20;
/** The log keeps this much for the chat; the block next to it has all. */
const maxShown = 20_000;

export async function mcpOutput(
  outcome: Extract<McpCallOutcome, { outcome: 'answered' }>,
  context: ToolContext,
): Promise<McpOutput> {
  const { content, structured, isError } = outcome;
  const parts: McpPart[] = [];
  let images = 0;
  for (const [index, piece] of content.entries()) {
    const part = await partOf(piece, index, context, images < maxImages);
    if (part.type === 'image') images++;
    parts.push(part);
  }
  // Servers repeat it as text for clients that do not know it.
  const isRepeated =
    structured !== undefined && content.some((piece) => piece.type === 'text' && saysTheSame(piece.text, structured));
  if (structured !== undefined && !isRepeated) parts.push({ type: 'text', text: printed(structured) });
  return { parts, isError, isJson: structured !== undefined && !isRepeated };
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch {
    return '[structured content that is nested too deeply to show]';
  }
}

/** The call is not answered yet. */
export function movedOutput({ taskId, outputPath, afterMs }: MovedCall, title: string): McpOutput {
  const text = `It has not answered within ${afterMs / 1000} seconds and continues in the background as ${taskId}. You are notified when it ends. Its answer will be in ${outputPath}. Do not call it again meanwhile.`;
  return {
    parts: [{ type: 'text', text }],
    isError: false,
    isJson: false,
    state: 'background',
    backgroundTaskId: taskId,
    outputPath,
    stdout: '',
    title,
  };
}

/** An answer as text, for the file of a call in the background. */
export function printedOutput({ parts, isError }: McpOutput): { text: string; failed: boolean } {
  return {
    text: parts
      .map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}: ${part.path ?? 'not saved'}]`))
      .join('\n\n'),
    failed: isError,
  };
}

async function partOf(piece: McpContent, index: number, context: ToolContext, mayBeImage: boolean): Promise<McpPart> {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: piece.text };
    case 'image':
      return imageOf(piece.data, piece.mimeType, index, context, mayBeImage);
    case 'audio':
      return { type: 'text', ...(await saved(piece.data, piece.mimeType, index, context)) };
    case 'link':
      return {
        type: 'text',
        text: `[Resource ${piece.name}: ${piece.uri}${piece.description === undefined ? '' : `. ${piece.description}`}.]`,
      };
    case 'resource': {
      if (piece.text !== undefined) return { type: 'text', text: `[Resource ${piece.uri}]\n${piece.text}` };
      if (piece.blob === undefined) return { type: 'text', text: `[Resource ${piece.uri}: empty]` };
      const mimeType = piece.mimeType ?? 'application/octet-stream';
      if (mimeType.startsWith('image/')) return imageOf(piece.blob, mimeType, index, context, mayBeImage);
      const { text, ...where } = await saved(piece.blob, mimeType, index, context);
      return { type: 'text', text: `[Resource ${piece.uri}] ${text}`, ...where };
    }
  }
}

/** The bytes show what it is: the API refuses a whole conversation for one picture that is something else. */
async function imageOf(
  data: string,
  mimeType: string,
  index: number,
  context: ToolContext,
  mayBeImage: boolean,
): Promise<McpPart> {
  const bytes = fromBase64(data);
  const kind = bytes === undefined ? undefined : imageKind(bytes);
  const { width = 0, height = 0 } = kind?.dimensions ?? {};
  const fits =
    bytes !== undefined &&
    kind?.whole === true &&
    kind.dimensions !== undefined &&
    bytes.length <= MAX_IMAGE_BYTES &&
    Math.max(width, height) <= MAX_IMAGE_SIDE;
  const { text, path } = await save(bytes, mimeType, index, context);
  if (!fits || !mayBeImage) return { type: 'text', text, ...defined({ path }) };
  const mediaType: ImageMediaType = kind.mediaType;
  return {
    type: 'image',
    mediaType,
    data: data.replace(/\s+/g, ''),
    bytes: bytes.length,
    ...defined({ path }),
  };
}

function saved(data: string, mimeType: string, index: number, context: ToolContext): ReturnType<typeof save> {
  return save(fromBase64(data), mimeType, index, context);
}

async function save(
  bytes: Uint8Array | undefined,
  mimeType: string,
  index: number,
  { toolUseId, session, ports }: ToolContext,
): Promise<{ text: string; path?: string }> {
  if (bytes === undefined) return { text: `[${mimeType}: the server sent no valid base64]` };
  const path = `${session.resultsDirectory}/${toolUseId.replace(/[^A-Za-z0-9_-]/g, '_')}-${index + 1}.${endingOf(mimeType)}`;
  const what = `${mimeType}, ${formatSize(bytes.length)}`;
  try {
    await ports.files.writeOwnFile(path, bytes);
    return { text: `[${what}: saved to ${path}]`, path };
  } catch (error) {
    return { text: `[${what}: it could not be saved (${error instanceof Error ? error.message : String(error)})]` };
  }
}

function endingOf(mimeType: string): string {
  const known = endings[mimeType];
  if (known !== undefined) return known;
  const [, kind = ''] = /^[\w.+-]+\/([\w-]+)$/.exec(mimeType) ?? [];
  return kind === '' || kind === 'octet-stream' ? 'bin' : kind;
}

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
  'image/svg+xml': 'svg',
};

/** As JSON in any order, or as the one thing that the object holds: servers wrap a list or a text to make an object of it. */
function saysTheSame(text: string, structured: Record<string, unknown>): boolean {
  const values = Object.values(structured);
  const only = values.length === 1 ? values[0] : undefined;
  if (typeof only === 'string' && only.trim() === text.trim()) return true;
  try {
    const said = inOrder(JSON.parse(text));
    return said === inOrder(structured) || (only !== undefined && said === inOrder(only));
  } catch {
    return false;
  }
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

export function mcpResultBlock(output: McpOutput, toolUseId: string): ToolResultBlock {
  const content = output.parts.flatMap((part): ToolResultContent[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const { path, mediaType, data } = part;
    const what = `${mediaType}, ${formatSize(part.bytes)}`;
    // A failure is reported in text alone: a screenshot of it is one Read away.
    if (output.isError && path !== undefined) return [{ type: 'text', text: `[${what}: saved to ${path}]` }];
    return [
      { type: 'image', source: { type: 'base64', media_type: mediaType, data } },
      // Seen is not yet usable: other tools take files.
      ...(path === undefined ? [] : [{ type: 'text' as const, text: `[${what}: saved to ${path}]` }]),
    ];
  });
  const filled = content.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  const [first] = filled;
  const only = filled.length === 1 && first?.type === 'text' ? first.text : filled;
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: filled.length === 0 ? '(no output)' : only,
    ...(output.isError ? { is_error: true } : {}),
  };
}

export function mcpView(output: McpOutput): ToolView {
  const { parts, isJson, state, title, outputPath, backgroundTaskId } = output;
  if (state !== undefined && backgroundTaskId !== undefined) {
    return {
      kind: 'terminal',
      command: title ?? '',
      state,
      tail: '',
      bytes: 0,
      taskId: backgroundTaskId,
      ...defined({ outputPath }),
    };
  }
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'image' && first.path !== undefined)
    return { kind: 'image', path: first.path, mediaType: first.mediaType, bytes: first.bytes };
  const text = cutMiddle(
    parts
      .map((part) =>
        part.type === 'text'
          ? part.text
          : `[${part.mediaType}, ${formatSize(part.bytes)}${part.path === undefined ? '' : `: ${part.path}`}]`,
      )
      .join('\n\n'),
    maxShown,
  );
  return isJson || /^\s*[[{]/.test(text) ? { kind: 'json', text } : { kind: 'markdown', text };
}

export function mcpDetail({ parts, state }: McpOutput): string {
  if (state !== undefined) return 'in the background';
  const tokens = textTokens(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  return tokens > manyTokens ? `about ${Math.round(tokens / 1000)},000 tokens` : '';
}
