// Questions of the agent to the user: the words that tool, host and chat share.

export interface QuestionOption {
  label: string;
  description: string;
  /** Markdown that shows what this option would look like. */
  preview?: string;
}

export interface Question {
  question: string;
  /** At most 12 characters: its subject. */
  header: string;
  options: QuestionOption[];
  multiSelect: boolean;
  /** What the field for other words asks for. */
  otherHint?: string;
}

/** Questions that wait for an answer, all of them together. */
export interface QuestionRequest {
  id: string;
  toolUseId: string;
  questions: Question[];
  /** What closing it without an answer does, as its button says. */
  closeLabel?: string;
}
