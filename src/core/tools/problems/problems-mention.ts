// The text that "@problems" stands for: what the tool would say of everything.
import { type Problems } from '../../ports/problems';
import { type Asked, judgeProblems, problemsOutput, problemsText } from './problems-output';

export async function mentionedProblems(
  problems: Problems,
  cwd: string,
  isHidden: (path: string) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const survey = await problems.survey([], signal);
  const asked: Asked = { places: [], least: 'warning', source: undefined, cwd };
  return problemsText(problemsOutput(judgeProblems(survey, asked, isHidden), [], survey.notes, asked));
}
