// The Approver where nobody can be asked: denies, and names the rule that would allow the call.
import { onlyManagedRules, refusal, shownRules, withParts } from '../core/permissions/rules/refusal';
import { formatRule, isBare } from '../core/permissions/rules/rule-syntax';
import { type ApprovalRequest, type Approver } from '../core/ports/approver';
import { shellQuoted } from '../core/text/shell-quoted';
import { type PermissionRuleValue, type PermissionSuggestion } from '../shared/permission';

/** `managedOnly`: no rule but an organization's counts. */
export function createDenyApprover(managedOnly = false): Approver {
  return {
    ask: async (request) => ({
      behavior: 'deny',
      message: denial(request, managedOnly),
      interrupt: false,
      unasked: true,
    }),
  };
}

/** For the model, and through it for the user who reads the answer. */
export function denial(request: ApprovalRequest, managedOnly = false): string {
  if (request.plan !== undefined)
    return `This run is headless, so nobody can accept the plan. It is saved in ${request.plan.file}: reply with the plan, and do not start on it.`;
  const { suggestions, coveredBy } = request;
  const offered = suggestions.map(wayOf).filter((way) => way !== undefined);
  const isShown = suggestions.some(({ updates }) => updates.some(({ type }) => type === 'addRules'));
  const ways = [...offered, ...(coveredBy === undefined || isShown ? [] : [rulesWay(coveredBy)])];
  const way =
    ways.length === 0 && managedOnly
      ? onlyManagedRules
      : ways.length === 0
        ? `No rule can allow it in advance; somebody has to decide it in VS Code.`
        : `To allow it, the run has to be started with ${ways.join(' or ')}.`;
  return refusal('This run is headless, so nobody can be asked.', withParts(request.reason, request.parts), way);
}

function wayOf({ updates }: PermissionSuggestion): string | undefined {
  const rules = updates.flatMap((update) =>
    update.type === 'addRules' && update.behavior === 'allow' ? update.rules.map(formatRule) : [],
  );
  const folders = updates.flatMap((update) => (update.type === 'addDirectories' ? update.directories : []));
  const modes = updates.flatMap((update) => (update.type === 'setMode' ? [update.mode] : []));
  const parts = [
    ...(rules.length === 0 ? [] : [rulesOption(rules)]),
    ...folders.map((folder) => `--add-dir ${shellQuoted(folder)}`),
    ...modes.map((mode) => `--permission-mode ${mode}`),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Also for what no button shows: a long command, or a whole tool. */
function rulesWay(rules: readonly PermissionRuleValue[]): string {
  const { short, hasLong } = shownRules(rules);
  const wide = rules.find((rule) => isBare(rule));
  const named = [
    ...(short.length === 0
      ? []
      : [`${rulesOption(short)}${wide === undefined ? '' : `, which allows every use of ${wide.toolName}`}`]),
    ...(hasLong
      ? ['an allow rule (--allowedTools or a settings file) that names the whole command, word for word']
      : []),
  ];
  return named.join(' and ');
}

function rulesOption(rules: readonly string[]): string {
  return `--allowedTools ${rules.map(shellQuoted).join(' ')}`;
}
