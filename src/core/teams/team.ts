// A team as tools see it: the conversation leads, its teammates stay for mail, all share one list of tasks.
import { type Path } from '../ports/path';

/** How everybody writes to the conversation. */
export const leadName = 'lead';
/** Names that others give it. */
const leadNames: ReadonlySet<string> = new Set([leadName, 'team-lead', 'leader', 'main']);
/** To all others of the team. */
export const everybody = '*';

export function isLead(name: string): boolean {
  return leadNames.has(name.toLowerCase());
}

/** Why a teammate cannot be called that; the team's own names come on top. */
export function nameProblem(name: string): string | undefined {
  if (isLead(name) || name === everybody) return `${JSON.stringify(name)} is reserved in teams. Choose another name.`;
  return /^[\w.-]{1,64}$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a valid teammate name: use up to 64 letters, digits, "-", "_" and ".".`;
}

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

/** What a message asks for, where it is more than words. */
export type MailKind = 'message' | 'shutdown_request' | 'shutdown_response';

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
  | { kind: 'failed'; code: string; message: string };

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
