// Paths at the port's edge: forward slashes outside, whatever the platform uses inside.
import path from 'node:path';

/** A native absolute path as ports name it. */
export function portPath(native: string): string {
  return path.sep === '\\' ? native.replaceAll('\\', '/') : native;
}
