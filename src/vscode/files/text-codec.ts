// Bytes to text and back as the editor does it, but only where not a single byte gets lost on the way.
import * as vscode from 'vscode';
import { contentHash, decodeText, encodeText } from '../../node/files/text-encoding';
import { type Path } from '../../core/ports/path';
import { type FileStat, type ReadFailure, type TextFile } from '../../core/ports/files';
import { defined } from '../../shared/defined';

/** `mark` says whether the bytes start with a byte order mark. */
export type DecodedFile = { outcome: 'decoded'; text: string; encoding: string; mark: boolean } | ReadFailure;

/** In the encoding of the byte order mark, else of the open document, else of the settings for this file. */
export async function decodeFile(
  path: Path,
  uri: vscode.Uri,
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
): Promise<DecodedFile> {
  const plain = decodeText(bytes);
  if (plain.outcome === 'text' && plain.encoding !== 'utf8') return { ...plain, outcome: 'decoded', mark: true };
  const settings = vscode.workspace.getConfiguration('files', uri);
  const encoding = document?.encoding ?? settings.get<string>('encoding', 'utf8');
  if (!encoding.startsWith('utf8')) return decodeExactly(path, bytes, encoding);
  if (plain.outcome === 'text') return { ...plain, outcome: 'decoded', mark: false };
  if (plain.outcome === 'binary') return { outcome: 'refused', code: 'binary', message: `${path} is a binary file.` };
  const guessed = settings.get('autoGuessEncoding', false) ? await guessedEncoding(uri) : undefined;
  return guessed === undefined || guessed.startsWith('utf8')
    ? unknownEncoding(path, encoding)
    : decodeExactly(path, bytes, guessed);
}

/** Undefined where the encoding cannot keep the text. */
export async function encodeFile(text: string, encoding: string, mark: boolean): Promise<Uint8Array | undefined> {
  const wide = encoding === 'utf16le' || encoding === 'utf16be';
  const plain = encodeText(text, encoding);
  if (plain !== undefined) return wide && !mark ? plain.subarray(2) : plain;
  if (wide || encoding.startsWith('utf8')) return undefined;
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text ? bytes : undefined;
}

/** For a file that does not exist yet. */
export function newFileEncoding(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get<string>('encoding', 'utf8');
}

export function textFile(path: Path, text: string, encoding: string, unsaved: boolean, disk?: FileStat): TextFile {
  return { path, text, encoding, hash: contentHash(encoding, text), unsaved, ...defined({ disk }) };
}

/** VS Code replaces what it cannot decode without saying so: only text that gives the same bytes again counts. */
async function decodeExactly(path: Path, bytes: Uint8Array, encoding: string): Promise<DecodedFile> {
  try {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const again = await encodeFile(text, encoding, false);
    if (again !== undefined && Buffer.from(again).equals(bytes))
      return { outcome: 'decoded', text, encoding, mark: false };
    return unknownEncoding(path, encoding);
  } catch {
    // Decoding throws for binary content alone.
    return { outcome: 'refused', code: 'binary', message: `${path} is a binary file.` };
  }
}

async function guessedEncoding(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).encoding;
  } catch {
    return undefined;
  }
}

function unknownEncoding(path: Path, encoding: string): ReadFailure {
  const message = `${path} is not valid ${encoding}, so saving it that way would destroy characters; it is left unchanged. Reopen it in the editor with its real encoding ("Reopen with Encoding"), or set files.encoding for it.`;
  return { outcome: 'refused', code: 'encoding', message };
}
