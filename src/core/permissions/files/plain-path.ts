// A path as file systems may understand it, for names that must be recognised however they are written.
import { normalPath } from '../rules/workspace-path';

/** In small letters. Case never counts here: it does not on some file systems, and asking once too often is cheap. */
export function plainPath(path: string): string {
  return plainSegments(path).join('/');
}

export function plainSegments(path: string): string[] {
  return normalPath(path).split('/').map(plainSegment);
}

/** No trailing dots and blanks, no stream, no invisible characters, a plain `s` for a long one. */
function plainSegment(segment: string): string {
  const visible = segment
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '');
  const [name = ''] = /^[a-z]:$/.test(visible) ? [visible] : visible.split(':');
  return name.length > 2 ? name.replace(/[. ]+$/, '') : name;
}
