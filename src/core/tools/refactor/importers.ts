// The files that may name a moved file: found by its name, read afterwards.
import { escapedPattern } from '../../../shared/escaped-pattern';
import { type Path } from '../../ports/path';
import { type ToolContext, type ToolFailure } from '../../tool/tool';
import { fail } from '../../tool/file-failure';
import { extensionOf, mentionedNames } from './module-paths';
import { scriptExtensions } from './specifiers';

const maxFiles = 5_000;
const maxMentions = 8;

const scripts = `*.{${scriptExtensions.join(',')}}`;

/** Files with JavaScript or TypeScript, in all folders of the workspace. `aliases`: names that may mean one of them whatever it is called. */
export async function filesThatName(
  moved: readonly Path[],
  aliases: readonly string[],
  folders: readonly Path[],
  { ports, signal }: ToolContext,
): Promise<Path[] | ToolFailure> {
  const names = [...new Set([...moved.flatMap(mentionedNames), ...aliases])].map(escapedPattern).join('|');
  // An index is also named by dots alone.
  const dots = moved.some((path) => /(?:^|\/)index\.[^/]*$/.test(path)) ? `|["'\`](?:\\.{1,2}/)*\\.{1,2}/?["'\`]` : '';
  const found = new Set<Path>();
  for (const folder of folders) {
    const outcome = await ports.search.grep(
      {
        pattern: `["'\`/](?:${names})(?:[./?"'\`]|$)${dots}`,
        path: folder,
        glob: scripts,
        mode: 'files_with_matches',
        ignoreCase: false,
        multiline: false,
        onlyMatching: false,
        before: 0,
        after: 0,
        limit: maxFiles,
        offset: 0,
        // What rules hide is found too: then nothing moves, since its imports would break.
        hidden: () => false,
      },
      signal,
    );
    if (outcome.outcome === 'failed')
      return fail(
        'search-failed',
        `The files that import it could not be found, so nothing was changed: ${outcome.message}`,
      );
    if (outcome.outcome !== 'files') continue;
    if (outcome.truncated || outcome.stopped !== undefined)
      return fail(
        'too-many-files',
        'Too many files may import it to look at all of them, so nothing was changed. Move fewer files at once.',
      );
    for (const path of outcome.paths) found.add(path);
  }
  return [...found];
}

/** Lines of other files, such as package.json, that have the path of `from`: they are only told of. */
export async function mentionsOf(from: Path, folder: Path, { ports, signal, session }: ToolContext): Promise<string[]> {
  const below = from.slice(folder.length + 1);
  const path = below.slice(0, below.length - extensionOf(below).length);
  // A name without a folder is in many texts that mean something else.
  if (!path.includes('/')) return [];
  const outcome = await ports.search.grep(
    {
      pattern: `${escapedPattern(path)}(?:[^\\w-]|$)`,
      path: folder,
      glob: `!${scripts},!*.lock,!package-lock.json`,
      mode: 'content',
      ignoreCase: false,
      multiline: false,
      onlyMatching: false,
      before: 0,
      after: 0,
      limit: maxMentions,
      offset: 0,
      hidden: (one) => session.isHidden(one) || one === from || one.startsWith(`${from}/`),
    },
    signal,
  );
  if (outcome.outcome !== 'content') return [];
  return outcome.lines.flatMap((line) =>
    line === 'separator'
      ? []
      : [`${line.path.slice(folder.length + 1)}:${line.line} ${line.text.trim().slice(0, 200)}`],
  );
}
