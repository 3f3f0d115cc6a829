// Questions of the agent to the person, with answers to choose from.

export interface QuestionOption {
  label: string;
  description: string;
  /** Markdown or code that shows what this option would look like. */
  preview?: string;
}

export interface Question {
  question: string;
  /** At most 12 characters: the name of the chip. */
  header: string;
  options: QuestionOption[];
  multiSelect: boolean;
}

export interface QuestionRequest {
  id: string;
  toolUseId: string;
  questions: Question[];
}

export type QuestionAnswer =
  /** By the question's text: the labels that were chosen, or the person's own words. `response`: what they wrote instead of choosing. */
  { behavior: 'answered'; answers: Record<string, string>; response?: string } | { behavior: 'dismissed' };

export interface Questioner {
  /** Rejects only on abort. */
  askQuestions(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>;
}
