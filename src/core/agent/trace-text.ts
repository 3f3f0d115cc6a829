// A decision's trace as plain text, one line a step: for logs and documents.
import { checkNames, type DecisionTrace } from '../../shared/decision-trace';
import { visibleText } from '../../shared/visible-text';

export function traceText({ behavior, reason, steps, hiddenRules, otherRules }: DecisionTrace): string {
  const lines = steps.flatMap(({ check, subject, outcome, decided, sentence, rules }) => [
    `${decided ? '>' : ' '} ${checkNames[check]}${subject === undefined ? '' : ` [${subject}]`}${outcome === undefined ? '' : `: ${outcome}`}: ${sentence}`,
    ...rules.map(({ rule, behavior: own, file, source, matches, why }) => `    ${matches ? '+' : '-'} ${own} ${rule} (${file ?? source})${why === undefined ? '' : `: ${why}`}`),
  ]);
  const counts = [...(hiddenRules > 0 ? [`${hiddenRules} more rules were looked at.`] : []), ...(otherRules > 0 ? [`${otherRules} rules were not looked at.`] : [])];
  return [`${behavior}: ${reason}`, ...lines, ...counts].map(visibleText).join('\n');
}
