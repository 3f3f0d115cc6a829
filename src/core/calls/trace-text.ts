// A decision's trace as plain text, one line a step: for logs and documents.
import { checkNames, type DecisionTrace, shortFile, withShortFiles } from '../../shared/decision-trace';
import { visibleText } from '../../shared/visible-text';

export function traceText({ behavior, reason, steps, hiddenRules, otherRules }: DecisionTrace): string {
  const files = steps.flatMap(({ rules }) => rules.map(({ file }) => file));
  const lines = steps.flatMap(({ check, subject, outcome, decided, sentence, rules }) => [
    `${decided ? '>' : ' '} ${checkNames[check]}${subject === undefined ? '' : ` [${subject}]`}${outcome === undefined ? '' : `: ${outcome}`}: ${withShortFiles(sentence, files)}`,
    ...rules.map(
      ({ rule, behavior: own, file, source, matches, why }) =>
        `    ${matches ? '+' : '-'} ${own} ${rule} (${file === undefined ? source : shortFile(file)})${why === undefined ? '' : `: ${why}`}`,
    ),
  ]);
  const counts = [
    ...(hiddenRules > 0 ? [`${hiddenRules} more rules were checked.`] : []),
    ...(otherRules > 0 ? [`${otherRules} rules were not checked.`] : []),
  ];
  return [`${behavior}: ${withShortFiles(reason, files)}`, ...lines, ...counts].map(visibleText).join('\n');
}
