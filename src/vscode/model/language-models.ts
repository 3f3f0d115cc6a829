// What Deft needs of VS Code's language models, and what it knows of the one that answers.
import { type ModelClient } from '../../core/ports/model';
import { type AnswerPart } from './chat-answer';
import { type ChatMessage, type ChatTool } from './chat-messages';
import { type ListedChatModel } from './choose-chat-model';

export interface HostChatModel extends ListedChatModel {
  maxInputTokens: number;
  takesImages: boolean;
  /** VS Code asks the user before the first request of all. */
  send(
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
    mode: 'auto' | 'required',
    signal: AbortSignal,
  ): Promise<AsyncIterable<AnswerPart>>;
  count(text: string | ChatMessage, signal: AbortSignal): Promise<number>;
}

export interface HostChatModels {
  /** Those that can call tools. Asks nobody for anything. */
  list(): Promise<HostChatModel[]>;
}

export interface LanguageModelClient extends ModelClient {
  /** The model that a name stands for, as Deft names it; the usual one where it stands for none; undefined where there are none. */
  chosen(name: string): Promise<{ id: string; named: boolean } | undefined>;
  /** Looks at the list anew before the next use. */
  changed(): void;
}

/** The model that a session continues with. */
export interface FittedModel {
  id: string;
  /** The name that was wanted is none of this provider's models. */
  replaced: boolean;
}
