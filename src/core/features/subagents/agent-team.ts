// What agents need of a team, where there is one: a teammate is an agent that stays for mail.
import { featureKey } from '../../feature/feature-key';
import { type Ports } from '../../ports/ports';
import { type SessionSettings } from '../../feature/session-settings';
import { type FeatureFactory } from '../../feature/session-feature';
import { type AgentRun } from './agent-run';

/** The session of an agent, about to be opened. */
export interface AgentOpening {
  ports: Ports;
  settings: SessionSettings;
  features: readonly FeatureFactory[];
}

export interface JoiningTeammate {
  id: string;
  name: string;
  agentType: string;
  description: string;
}

export interface TeammateSlot {
  /** The name of the team. */
  readonly team: string;
  /** Opens its session, in place of that of an agent which ends with its turn; `refused`: `disallowedTools` of its file. */
  begin(opening: AgentOpening, refused: readonly string[], open: (opening: AgentOpening) => AgentRun): AgentRun;
  /** It was not started after all. */
  leave(): void;
}

export interface AgentTeam {
  /** Undefined if there is no team now. */
  join(teammate: JoiningTeammate): TeammateSlot | { problem: string } | undefined;
  /** The slot of one that ended and is resumed; undefined if it is not in this team. */
  rejoin(teammate: JoiningTeammate, team: string | undefined): TeammateSlot | undefined;
  /** The lead owes a turn to what it was sent. */
  readonly callsLead: boolean;
  /** Notifies the host that something for the lead has arrived. */
  callLead(): void;
  /** Resolves with the next change of who is at work, and with what comes for the lead. */
  nextChange(): Promise<void>;
  /** Once after the session was opened. */
  catchUp(): void;
}

/** The team feature of the conversation, whether or not there is a team now. */
export const agentTeam = featureKey<AgentTeam>('teams');
