// Moves large results to a file and leaves size, path and a preview in the conversation.
import { headOf, tailOf } from '../../shared/cut-text';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { type ToolResultBlock, type ToolResultContent } from '../wire/wire';
import { formatSize } from '../text/size-text';

/** Characters of a stored result that the model still sees. */
export const previewChars = 2_000;
/** So many of them from its end: there stand summaries of builds and tests, and the notes of the tool. */
export const previewEndChars = 800;

export interface StoreOptions {
  maxChars: number;
  directory: Path;
  files: Pick<FileSystem, 'writeOwnFile'>;
}

/** The block itself where it fits. Images stay as they are. A disk that refuses cuts the text instead and says so. */
export async function storeLargeResult(block: ToolResultBlock, options: StoreOptions): Promise<ToolResultBlock> {
  const text = textOf(block.content);
  if (text.length <= options.maxChars) return block;
  const path = `${options.directory}/${fileName(block.tool_use_id)}`;
  let where: string;
  try {
    await options.files.writeOwnFile(path, text);
    where = `The whole output is in ${path}; read the parts that you need.`;
  } catch (error) {
    where = `The whole output could not be stored (${error instanceof Error ? error.message : String(error)}).`;
  }
  const message = `Output too large. Original size: ${formatSize(text.length)}. ${where}\n\n${preview(text)}`;
  return { ...block, content: withText(block.content, message) };
}

function preview(text: string): string {
  if (text.length <= previewChars) return text;
  const headChars = previewChars - previewEndChars;
  return `First ${headChars} characters:\n${headOf(text, headChars)}\n\nLast ${previewEndChars} characters:\n${tailOf(text, previewEndChars)}`;
}

/** Without its images and documents. */
export function textOf(content: ToolResultBlock['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function withText(content: ToolResultBlock['content'], text: string): ToolResultBlock['content'] {
  if (typeof content === 'string') return text;
  const others: ToolResultContent[] = content.filter((part) => part.type !== 'text');
  return [{ type: 'text', text }, ...others];
}

function fileName(toolUseId: string): string {
  return `${toolUseId.replace(/[^A-Za-z0-9_-]/g, '_')}.txt`;
}
