// Exceptions to lint rules, as comments in the code: each names its rules and its reason.
import { type SourceFile } from '../unit/tidy/source-files';

/** More of one kind, and the rule is wrong. */
export const mostExceptions = 15;

export interface Exception {
  rule: string;
  path: string;
  line: number;
  /** Empty where none is given. */
  reason: string;
}

const directive = /(?:\/\/|\/\*|\{\/\*)\s*eslint-disable(?:-next-line|-line)?(?=[\s*]|$)(.*)/;

export function exceptions(files: readonly Pick<SourceFile, 'path' | 'text'>[]): Exception[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((content, index) => {
      // Quoted, in a list of examples.
      if (/^\s*['"`]/.test(content)) return [];
      const said = directive.exec(content)?.[1];
      if (said === undefined) return [];
      const [rules = '', ...reason] = said.replace(/\*\/.*$/, '').split(/\s--\s/);
      const named = rules.split(',').map((rule) => rule.trim());
      return named.map((rule) => ({
        rule: rule === '' ? 'every rule' : rule,
        path,
        line: index + 1,
        reason: reason.join(' -- ').trim(),
      }));
    }),
  );
}
