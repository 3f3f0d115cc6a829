// Asks the user questions of the agent, with answers to choose from.
import { type QuestionRequest } from '../../shared/question';

export type QuestionAnswer =
  /** By the question's text: the labels that were chosen, or the user's own words. `response`: what they wrote instead of choosing. */
  | { behavior: 'answered'; answers: Record<string, string>; response?: string }
  /** They wrote a message that is more than words; it reaches the model after the result. */
  | { behavior: 'wrote' }
  | { behavior: 'dismissed' };

export interface Questioner {
  /** Rejects only on abort. */
  askQuestions(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>;
}
