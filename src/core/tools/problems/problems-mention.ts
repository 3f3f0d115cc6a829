// The text that "@problems" stands for: what the tool would say of everything.
import { type Ports } from '../../ports/ports';
import { type Problems } from '../../ports/problems';
import { knownReports } from './known-reports';
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

/** Where commands find them: the last look. Nothing runs because of a mention, which nobody would have been asked about. */
export function mentionedLook(session: string, { checks }: Pick<Ports, 'checks'>): string {
  if (checks === undefined)
    return 'Nothing reports problems here: that needs VS Code, or commands in the setting problemCommands.';
  const { last } = knownReports(session);
  return last === undefined
    ? 'Nothing has been checked in this session yet: the tool Problems does that.'
    : problemsText(last);
}
