// What is said to the model where a question would be needed and nobody is asked.
import { type PermissionMode } from '../../../shared/permission';
import { type PermissionVerdict } from './verdict';
import { type Judgment } from './judgment';

/** `why` nobody is asked, the reason of the question, and what would lift it. */
export function refusal(why: string, question: string, way: string): string {
  const reason = /[.!?]$/.test(question) ? question : `${question}.`;
  return `${why} ${reason} ${way} Do not work around this; say what was not allowed.`;
}

/** In the mode that asks nobody, a question is a no; what would have been asked stays with it. */
export function unasked<Verdict extends Judgment>(
  verdict: Verdict,
  mode: PermissionMode,
): Verdict & Pick<PermissionVerdict, 'question'> {
  if (verdict.behavior !== 'ask' || mode !== 'dontAsk') return verdict;
  const reason = refusal(
    "The permission mode Don't ask denies anything that needs approval.",
    verdict.reason,
    'In another mode the user could approve it.',
  );
  return { ...verdict, behavior: 'deny', reason, question: { ...verdict, suggestions: [] } };
}
