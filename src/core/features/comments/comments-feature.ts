// Gives a session with comments of the user, or with a review, the tool that answers them and reports what was found; without either it adds nothing to any request.
import { counted } from '../../../shared/counted';
import { type FeatureFactory } from '../../feature/session-feature';
import { toolDenial } from '../../permissions/rules/tool-rules';
import { type SessionRecord } from '../../ports/record';
import { slashLine } from '../../text/slash-line';
import { followComments } from '../../tool/session-comments';
import { type DismissedFinding, type FindingFacts, followFindings } from '../../tool/session-findings';
import { type AnyTool } from '../../tool/tool';
import { reviewTool } from '../../tools/review';

const none: readonly AnyTool[] = [];
const offered: readonly AnyTool[] = [reviewTool];

/** The skills that look for problems, also where a project has one of its own by that name. */
const reviews: readonly string[] = ['code-review', 'review', 'security-review'];

export function commentsFeature(facts: FindingFacts | undefined): FeatureFactory {
  return ({ settings, messages }) => {
    const comments = followComments(settings.records);
    const findings = followFindings(settings.records);
    const reviewed = facts === undefined ? () => false : followReviews(settings.records);
    const isDenied = (): boolean =>
      toolDenial(settings.permission.current().rules.filter(({ behavior }) => behavior === 'deny'))(reviewTool.name);
    return {
      name: 'comments',
      tools: () => ((comments().size === 0 && !reviewed()) || isDenied() ? none : offered),
      forTools: { comments, ...(facts && { findings: { all: findings, dismissed: facts.dismissed } }) },
      prompts: {
        async before(prompt) {
          if (facts !== undefined && prompt !== undefined && isReview(prompt.display.text) && !isDenied())
            messages.remind(howToReport(facts.dismissed()));
          return undefined;
        },
      },
    };
  };
}

function isReview(text: string): boolean {
  return reviews.includes(slashLine(text)?.name ?? '');
}

function followReviews(records: readonly SessionRecord[]): () => boolean {
  let count = 0;
  let seen = false;
  return () => {
    for (; !seen && count < records.length; count++) {
      const record = records[count];
      seen = record?.type === 'user' && isReview(record.display?.text ?? '');
    }
    return seen;
  };
}

/** What was dismissed is named by nobody but the tool: its words are of files and of the agent. */
function howToReport(dismissed: readonly DismissedFinding[]): string {
  const how =
    'The user looks at findings in the editor. When you have checked yours, report them with the Review tool (action `report`): load it with the tool search if you do not have it yet. Then answer with how many there are and which matters most; do not list them again.';
  return dismissed.length === 0
    ? how
    : `${how} The user has called ${counted(dismissed.length, 'finding')} no problem before: the tool says which of yours they are, and you leave those out of your answer.`;
}
