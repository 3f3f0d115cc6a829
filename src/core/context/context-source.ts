// What a session's model is sent about its surroundings in addition to the environment: memory files, skills, servers.
import { type Path } from '../ports/path';
import { type Words } from '../text/words';

/** One thing to be sent. It is sent again only if its key is new: a key holds a hash of what may change. */
export interface ContextNote<Text = string> {
  key: string;
  /** Goes to the model as a reminder of Deft's own. */
  text: Text;
  /** It takes back what an earlier note about the same subject said: sent only where that one was. */
  takesBack?: boolean;
  /** The files that these words come from: hooks are notified once they are sent. */
  instructions?: readonly InstructionsFile[];
}

/** As the hook InstructionsLoaded gets it. */
export interface InstructionsFile {
  file_path: Path;
  memory_type: string;
  load_reason: string;
  globs?: readonly string[];
  parent_file_path?: Path;
}

const versionMark = '#=';

/** A key for what may change and change back: only its newest version counts as sent. */
export function versionKey(subject: string, version: string): string {
  return `${subject}${versionMark}${version}`;
}

/** What the key is about; the whole key where it has no version. */
export function keySubject(key: string): string {
  const at = key.lastIndexOf(versionMark);
  return at === -1 ? key : key.slice(0, at);
}

export interface ContextSource {
  /**
   * All that holds now, asked before each prompt and after a compaction; what the model has in front of it already is left out
   * by the session. Quick: a prompt waits for it. Never rejects but on abort.
   */
  present(signal: AbortSignal): Promise<ContextNote<Words>[]>;
  /** The same between two requests of a turn, for what cannot wait for the next prompt. Never rejects. */
  joined?(): Promise<ContextNote<Words>[]>;
  /** What was sent within the conversation itself and must survive it: requested only after a compaction. Never rejects. */
  reattached?(): Promise<ContextNote<Words>[]>;
  /** For an agent that has only these tools, with a state of its own; left out where that makes no difference. */
  narrowed?(tools: readonly { name: string; deferred?: boolean }[]): ContextSource;
  /** What belongs to these files, once calls have read or changed them. Never rejects but on abort. */
  touched?(paths: readonly Path[], signal: AbortSignal): Promise<ContextNote<Words>[]>;
}
