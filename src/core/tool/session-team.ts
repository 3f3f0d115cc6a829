// A team as tools see it: the conversation leads, its teammates stay for mail, all share one list of tasks.
import { type Path } from '../ports/path';
import { type MailKind } from '../sessions/mail-text';
import { type Words } from '../text/words';

export interface TeamMember {
  name: string;
  agentId: string;
  /** `ended`: SendMessage of the lead resumes it. */
  state: 'working' | 'idle' | 'ended';
}

export interface Team {
  name: string;
  members: readonly TeamMember[];
}

export interface TeamMail {
  to: string;
  text: string;
  summary?: string | undefined;
  kind: MailKind;
  /** For a shutdown_response. */
  approve?: boolean | undefined;
}

export type MailOutcome =
  /** `woken`: those of them that were idle, or had ended. */
  | { kind: 'sent'; to: string[]; woken: string[]; resumed?: { agentId: string; transcript: Path } }
  | { kind: 'failed'; code: string; message: Words };

/** What was under way when a team was taken apart. */
export interface TeamRemains {
  name: string;
  ended: { name: string; wasWorking: boolean; unread: number }[];
  openTasks: string[];
}

/** Why something cannot be done, as a sentence for the model. */
export interface Problem {
  problem: string;
}

export interface SessionTeam {
  current(): Team | undefined;
  /** Only the lead creates and ends a team. */
  create(name: string): Problem | undefined;
  dissolve(): Promise<Problem | TeamRemains>;
  /** Undefined if there is no team, or if nobody in it has that name. */
  send(mail: TeamMail, toolUseId: string): Promise<MailOutcome | undefined>;
}
