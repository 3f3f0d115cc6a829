// The `paths` of a rule file: which files it holds for.
import picomatch from 'picomatch';
import { splitGlobs } from '../search/glob-pattern';
import { expandBraces } from '../text/expand-braces';

/** Patterns that the braces of one file may stand for. */
const braceBudget = 1_000;

export interface RuleGlobs {
  /** As written. */
  globs: string[];
  /** Takes a path below the folder that the rules belong to. */
  matches(below: string): boolean;
  /** A sentence where some of them do not count. */
  problem?: string;
}

/** Undefined where the rule holds everywhere. */
export function readRuleGlobs(fields: Readonly<Record<string, unknown>>): RuleGlobs | undefined {
  const value = fields['paths'];
  const globs = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
    typeof one === 'string' ? splitGlobs(one) : [],
  );
  if (globs.length === 0) return undefined;
  let left = braceBudget;
  const usable = globs.flatMap((glob) => {
    const patterns = expandBraces(relative(glob), left);
    left -= patterns?.length ?? 0;
    return patterns ?? [];
  });
  const matchers = usable.map((pattern) =>
    picomatch(pattern, { dot: true, nobrace: true, noextglob: true, nonegate: true, posix: true }),
  );
  const tooMany = globs.some((glob) => expandBraces(glob, braceBudget) === undefined) || left <= 0;
  return {
    globs,
    matches: (below) => matchers.some((matches) => matches(below)),
    ...(tooMany
      ? {
          problem: `The braces in its \`paths\` expand to more than ${braceBudget} patterns: the rest are ignored.`,
        }
      : {}),
  };
}

/** "./src/" means all that is in it. */
function relative(glob: string): string {
  const pattern = glob.replace(/^(\.?\/)+/, '');
  return pattern.endsWith('/') ? `${pattern}**` : pattern;
}
