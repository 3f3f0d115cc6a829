// What the chat shows of all that a command printed: its output file, byte by byte, else what the log holds of it.
import { type FileSystem } from '../../../core/ports/files';
import { type SessionRecord } from '../../../core/ports/record';
import { loggedResult } from '../../../core/sessions/call-records';
import { redactText, type Secrets } from '../../../core/text/redact';
import { tailOf } from '../../../shared/cut-text';
import { type ToolOutput } from '../../../shared/answers';

/** Characters that the chat shows on request. */
const maxOutputChars = 200_000;

/** Larger files are not read. */
const maxFileBytes = 50_000_000;

export interface OutputSource {
  /** Undefined where no file was kept: the log has all of it then. */
  file: string | undefined;
  records: readonly SessionRecord[];
  files: Pick<FileSystem, 'readBytes'>;
  secrets: Secrets;
}

export async function wholeOutput(
  toolUseId: string,
  { file, records, files, secrets }: OutputSource,
): Promise<ToolOutput> {
  const logged = (): string => printed(loggedResult(records, toolUseId));
  if (file === undefined) return outputText(logged(), secrets);
  const read = await files.readBytes(file, maxFileBytes);
  if (read.outcome !== 'refused') return outputText(new TextDecoder().decode(read.bytes), secrets);
  return outputText(`[${read.message} This is what the session has of it:]\n${logged()}`, secrets);
}

/** Records of other programs and versions lack it. */
function printed(result: unknown): string {
  const has = typeof result === 'object' && result !== null && 'stdout' in result;
  return has && typeof result.stdout === 'string' ? result.stdout : '';
}

/** The end of it, free of credentials: they are taken out before it is cut, since half a secret would not be recognised. */
export function outputText(output: string, secrets: Secrets): ToolOutput {
  const text = redactText(output, secrets);
  return { text: tailOf(text, maxOutputChars), truncated: text.length > maxOutputChars };
}
