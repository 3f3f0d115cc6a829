// Deft's version, from the package.json that this file was installed with.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Looks in `folder` and its parents. */
export function readVersion(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      const { name, version } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8')) as {
        name?: unknown;
        version?: unknown;
      };
      if (name === 'deft' && typeof version === 'string') return version;
    } catch {
      // Not here; the next one up may be it.
    }
    if (at === path.dirname(at)) return 'unknown';
  }
}
