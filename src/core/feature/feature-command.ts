// A command that a feature adds to those of the hosts: what is listed of it, and what it answers.
import { type NoticeItem } from '../../shared/chat';
import { type PromptInput } from '../prompt/compose-prompt';

/** It stands apart from what it runs, so that hosts can list it without loading the feature. */
export interface CommandFacts {
  name: string;
  /** One line, in the "/" menu. */
  description: string;
  /** "[focus]": what may follow the name. */
  argumentHint?: string;
}

/** `text` is what follows the name. */
export type RunCommand = (text: string) => CommandAnswer | Promise<CommandAnswer>;

export interface CommandAnswer {
  /** For the user. */
  notice?: Pick<NoticeItem, 'level' | 'title' | 'detail'>;
  /** Sent as a message of the user's. */
  prompt?: Pick<PromptInput, 'text' | 'shownAs' | 'mentionsIn'>;
}
