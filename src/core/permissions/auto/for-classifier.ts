// Which questions the classifier of auto mode may answer: those that the user alone decides never reach it.
import {
  type PermissionCall,
  type PermissionContext,
  type PermissionVerdict,
  type VerdictCode,
} from '../rules/verdict';

/**
 * Ask rules, protected and critical paths, unknown deny rules and lines that Deft cannot read stay with the user; so does what only
 * the disk shows (a link, a doubt of the host) and what the user's own names stand for, since the classifier does not see it.
 */
export function isForClassifier(
  { targets }: PermissionCall,
  { mode, autoDisabled }: PermissionContext,
  verdict: PermissionVerdict,
): boolean {
  if (mode !== 'auto' || autoDisabled === true) return false;
  if (verdict.behavior !== 'ask' || verdict.rule !== undefined || !judgeable.has(verdict.code)) return false;
  return targets.every((target) =>
    target.kind === 'file'
      ? target.path === target.realPath
      : target.kind === 'url' || (target.doubts === undefined && target.means === undefined),
  );
}

const judgeable: ReadonlySet<VerdictCode> = new Set([
  'no-rule',
  'unknown-command',
  'mode',
  'effect-elsewhere',
  'outside-workspace',
  'redirection',
]);
