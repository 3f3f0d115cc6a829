// Which uses of a renamed symbol, or imports of a moved file, break because the user left a part of the change out.
import { diffTexts } from '../../edits/diff-hunks';
import { type AcceptedProposal } from '../../tool/tool';
import { findNames } from './find-symbol';
import { type RefactorPlan } from './refactor-plan';
import { specifiersOf } from './specifiers';
import { type BrokenUse } from './refactor-output';

/** Those that keep the old name; where that is the declaration, those that have the new one. */
export function brokenUses(
  { renamed, files }: Pick<RefactorPlan, 'renamed' | 'files'>,
  accepted: readonly AcceptedProposal[],
): BrokenUse[] {
  if (renamed === undefined) return [];
  const { from, to, declaration } = renamed;
  const kept = accepted.flatMap(({ path, text, proposedText }) => newLines(path, proposedText, text, from));
  if (kept.length === 0) return [];
  const base = files.find(({ path }) => path === declaration.path)?.base?.text ?? '';
  const declared = base.split(/\r\n|\r|\n/)[declaration.line - 1]?.trim();
  const isKept = kept.some(({ path, text }) => path === declaration.path && text === declared);
  return isKept
    ? accepted.flatMap(({ path, base: before, text }) => newLines(path, before?.text ?? '', text, to))
    : kept;
}

/** Imports that lead to where a file was, by the lines that they are on. */
export function brokenImports(
  { imports }: Pick<RefactorPlan, 'imports'>,
  accepted: readonly AcceptedProposal[],
): BrokenUse[] {
  return accepted.flatMap(({ path, text, proposedText, userModified }) => {
    const replaced = imports?.get(path);
    if (!userModified || replaced === undefined) return [];
    const proposed = new Set(specifiersOf(proposedText, path).map((specifier) => specifier.text));
    const lines = text.split(/\r\n|\r|\n/);
    return specifiersOf(text, path)
      .filter(({ kind, text: name }) => kind !== 'string' && replaced.includes(name) && !proposed.has(name))
      .map(({ start }) => {
        const line = text.slice(0, start).split(/\r\n|\r|\n/).length;
        return { path, line, text: (lines[line - 1] ?? '').trim() };
      });
  });
}

/** Lines of `after` that are not in `before`, and that have the name. */
function newLines(path: string, before: string, after: string, name: string): BrokenUse[] {
  return diffTexts(before, after).hunks.flatMap(({ newStart, lines }) => {
    let line = newStart - 1;
    return lines.flatMap((each) => {
      if (each.startsWith('-') || each.startsWith('\\')) return [];
      line++;
      const text = each.slice(1).trim();
      return each.startsWith('+') && findNames(text, name).length > 0 ? [{ path, line, text }] : [];
    });
  });
}
