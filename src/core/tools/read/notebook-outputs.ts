// What the cells of a notebook put out, as text and images that a model can read.
import { cutMiddle } from '../../../shared/cut-text';
import { terminalText } from '../../../shared/terminal-text';
import { type ImageMediaType } from '../../wire/wire';
import { joined, type NotebookCell } from './notebook';
import { decodeInSlices } from './notebook-slices';
import { imageKind, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from './read-image';
import { smallerCopy } from './read-picture';
import { type ToolContext } from '../../tool/tool';
import { isObject } from '../../../shared/plain-object';

/** Characters of all text that one cell put out. */
const MAX_OUTPUT_TEXT = 8_000;

export type NotebookPart =
  { type: 'text'; text: string } | { type: 'image'; mediaType: ImageMediaType; base64: string };

type Fields = Readonly<Record<string, unknown>>;

/** How many images may still be shown; those after them are parts without bytes. */
interface ImageRoom {
  images: number;
}

/** In their order; long text keeps its head and tail. */
export async function outputParts(cell: NotebookCell, images: number, context: ToolContext): Promise<NotebookPart[]> {
  const outputs = cell.json['outputs'];
  if (!Array.isArray(outputs)) return [];
  const parts: NotebookPart[] = [];
  const room: ImageRoom = { images };
  for (const output of outputs.filter(isObject)) parts.push(...(await partsOf(output, room, context)));
  return cutTexts(parts);
}

async function partsOf(output: Fields, room: ImageRoom, context: ToolContext): Promise<NotebookPart[]> {
  switch (output['output_type']) {
    case 'stream':
      return textPart(joined(output['text']));
    case 'error':
    case 'pyerr': {
      const trace = Array.isArray(output['traceback'])
        ? output['traceback'].filter((line) => typeof line === 'string').join('\n')
        : '';
      return textPart(trace === '' ? `${String(output['ename'])}: ${String(output['evalue'])}` : trace);
    }
    default:
      return richParts(isObject(output['data']) ? output['data'] : oldNames(output), room, context);
  }
}

/** Formats 2 and 3 say `png` where format 4 says `image/png`. */
function oldNames(output: Fields): Fields {
  const names: Readonly<Record<string, string>> = {
    text: 'text/plain',
    html: 'text/html',
    latex: 'text/latex',
    png: 'image/png',
    jpeg: 'image/jpeg',
    svg: 'image/svg+xml',
    json: 'application/json',
    javascript: 'application/javascript',
  };
  return Object.fromEntries(
    Object.entries(output).flatMap(([key, value]) => (names[key] === undefined ? [] : [[names[key], value]])),
  );
}

const readableTypes = ['text/plain', 'text/markdown', 'text/latex', 'text/html'];

/** An image where there is one, else the plainest text; what cannot be shown is named. */
async function richParts(data: Fields, room: ImageRoom, context: ToolContext): Promise<NotebookPart[]> {
  const types = Object.keys(data);
  for (const type of types.filter((one) => /^image\/(png|jpeg|gif|webp)$/.test(one))) {
    const image = await imagePart(joined(data[type]), room, context);
    if (image !== undefined) return [image];
  }
  const readable = readableTypes.find((type) => joined(data[type]) !== '');
  if (readable !== undefined) return textPart(joined(data[readable]));
  if (data['application/json'] !== undefined) return textPart(JSON.stringify(data['application/json']));
  return types.length === 0 ? [] : [{ type: 'text', text: `[not shown: ${types.join(', ')}]` }];
}

async function imagePart(raw: string, room: ImageRoom, context: ToolContext): Promise<NotebookPart | undefined> {
  // The reader leaves it out: nobody needs its bytes.
  if (room.images <= 0) return { type: 'image', mediaType: 'image/png', base64: '' };
  const data = raw.replace(/\s+/g, '');
  const bytes = await decodeInSlices(data, context);
  const kind = bytes && imageKind(bytes);
  if (bytes === undefined || kind?.whole !== true) return undefined;
  const copy = await smallerCopy(bytes, kind, context);
  if (copy === undefined) {
    const { width, height } = kind.dimensions ?? { width: 0, height: 0 };
    if (bytes.length > MAX_IMAGE_BYTES || Math.max(width, height) > MAX_IMAGE_SIDE) return undefined;
  }
  room.images--;
  return copy === undefined
    ? { type: 'image', mediaType: kind.mediaType, base64: data.padEnd(Math.ceil(data.length / 4) * 4, '=') }
    : { type: 'image', mediaType: copy.mediaType, base64: copy.base64 };
}

function textPart(text: string): NotebookPart[] {
  const plain = terminalText(text);
  return plain.trim() === '' ? [] : [{ type: 'text', text: withoutLastNewlines(plain) }];
}

/** An expression for them would start over at each newline of the text. */
function withoutLastNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** What one text leaves of the room is the next one's. */
function cutTexts(parts: NotebookPart[]): NotebookPart[] {
  let room = MAX_OUTPUT_TEXT;
  let left = 0;
  const kept = parts.flatMap((part): NotebookPart[] => {
    if (part.type === 'image') return [part];
    if (room <= 0) {
      left += part.text.length;
      return [];
    }
    const text = cutMiddle(part.text, room);
    room -= part.text.length;
    return [{ type: 'text', text }];
  });
  return left === 0 ? kept : [...kept, { type: 'text', text: `[${left} more characters of output]` }];
}
