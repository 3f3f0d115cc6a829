// Files as a program asks for them: one is read by the rules of Read, and one counts as read where the program says so.
import { decide } from '../../core/permissions/decide';
import { type AgentSession } from '../../core/feature/agent-session';
import { readTool } from '../../core/tools/read/read';
import { checkFilePath, filePath } from '../../core/tools/files/file-path';
import { MAX_TEXT_BYTES } from '../../core/tools/read/file-open';
import { type Path } from '../../core/ports/path';
import { noLines } from '../../core/sessions/unseen-lines';
import { said } from '../../core/text/words';
import { readFileStart } from '../../node/files/regular-file';
import { type ControlRequest } from './control-messages';

type Answer = Readonly<Record<string, unknown>> | string;

const standardBytes = 1024 * 1024;
const mostBytes = 16 * 1024 * 1024;

export async function readFile({ fields }: ControlRequest, session: AgentSession): Promise<Answer> {
  const { max_bytes: given = standardBytes, encoding = 'utf-8' } = fields;
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 1)
    return `read_file takes a whole number from 1 as \`max_bytes\`, not ${JSON.stringify(given)}.`;
  if (encoding !== 'utf-8' && encoding !== 'base64')
    return `read_file takes the encodings utf-8 and base64, not ${JSON.stringify(encoding)}.`;
  const place = await readable('read_file', fields['path'], session);
  if (typeof place === 'string') return place;
  const read = await readFileStart(place.realPath, Math.min(given, mostBytes));
  if (read.outcome === 'refused') return read.message;
  const { bytes, isWhole } = read;
  const facts = { absPath: place.path, ...(isWhole ? {} : { truncated: true }) };
  return encoding === 'base64'
    ? { contents: bytes.toString('base64'), encoding, ...facts }
    : { contents: bytes.toString('utf8'), ...facts, lossy: isLossy(bytes) };
}

/** The program has seen this text, and the model too: a change of it need not wait for a Read. */
export async function seedReadState({ fields }: ControlRequest, session: AgentSession): Promise<Answer> {
  const { mtime } = fields;
  if (typeof mtime !== 'number' || !Number.isFinite(mtime)) return 'seed_read_state takes an `mtime` in milliseconds.';
  const place = await readable('seed_read_state', fields['path'], session);
  if (typeof place === 'string') return place;
  const { files } = session.ports;
  const isAsSeen = async (): Promise<boolean> => {
    const found = await files.stat(place.path);
    return found?.type === 'file' && Math.floor(found.mtimeMs) <= Math.floor(mtime);
  };
  // What has changed since has to be read: nothing is noted, and that is no error.
  if (!(await isAsSeen())) return {};
  const read = await files.readText(place.path, MAX_TEXT_BYTES);
  if (read.outcome === 'read' && (await isAsSeen()))
    // No lines: what is no longer before the model must not be called unchanged when it is read again.
    session.surroundings.readState.set(place.path, { hash: read.file.hash, range: noLines });
  return {};
}

/** A sentence where Read would refuse it or ask: a program that only looks is not a user who answers. */
async function readable(
  subtype: string,
  given: unknown,
  session: AgentSession,
): Promise<{ path: Path; realPath: Path } | string> {
  if (typeof given !== 'string') return `${subtype} takes a \`path\`.`;
  const valid = checkFilePath(given, session.surroundings, 'path');
  if (!valid.ok) return said(valid.message, session.surroundings.offers);
  const { cwd } = session.surroundings;
  const path = filePath(given, cwd);
  const realPath = await session.ports.files.realPath(path);
  const verdict = decide(
    {
      ...{ tool: readTool.name, access: readTool.access, readOnly: true, input: { file_path: path } },
      targets: [{ kind: 'file', access: 'read', path, realPath }],
    },
    { ...session.permission.now(), cwd },
  );
  return verdict.behavior === 'allow' ? { path, realPath } : `${path} may not be read: ${verdict.reason}`;
}

function isLossy(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}
