// Skills of a session: what the Skill tool may ask of them. The session's side is in core/agent.
import { type UserBlock } from '../wire/wire';
import { type Path } from '../ports/path';
import { type SkillList } from './skill';
import { type Words } from '../text/words';

export interface SkillCall {
  toolUseId: string;
  signal: AbortSignal;
  onProgress: (text: string) => void;
}

/** What a log says about an agent that was started, as results of the Agent tool have it. */
export interface ForkedAgent {
  status: 'completed' | 'async_launched';
  agentId: string;
  agentType: string;
  description: string;
  /** For one in the background. */
  transcript?: Path;
}

export type SkillUse =
  /** What goes into the conversation. */
  | { kind: 'content'; content: UserBlock[] }
  /** The same content is in the conversation already. */
  | { kind: 'known' }
  /** It ran in an agent of its own, which said this at the end. */
  | { kind: 'forked'; text: string; agent: ForkedAgent }
  /** `message` says what to do next. */
  | {
      kind: 'failed';
      code: string;
      message: Words;
      /** The user rejected a command of it without a reason. */ endsTurn?: boolean;
    };

export interface Skills {
  list(): Promise<SkillList>;
  /** By the model: what only the user may call is refused. Rejects only on abort. */
  use(name: string, args: string, call: SkillCall): Promise<SkillUse>;
}
