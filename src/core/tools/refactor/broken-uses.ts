// Which uses of a renamed symbol break because the user left a part of the rename out.
import { diffTexts } from '../../edits/diff-hunks';
import { type AcceptedProposal } from '../../tool/tool';
import { findNames } from './find-symbol';
import { type RefactorPlan } from './plan';
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
