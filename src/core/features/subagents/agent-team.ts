// What agents need of a team, where there is one: a teammate is an agent that stays for mail.
import { featureKey } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { type SessionSettings } from '../../feature/session-settings';
import { type TurnEnd } from '../../loop/after-reply';
import { type Ports } from '../../ports/ports';
import { type AgentRun } from './agent-run';
import { type TrackedAgent } from './running-agents';

/** The session of an agent, about to be opened. */
export interface AgentOpening {
  ports: Ports;
  settings: SessionSettings;
  features: readonly FeatureFactory[];
}

export interface TeammateSlot {
  /** The name of the team. */
  readonly team: string;
  /** The agent belongs to the team from now on. */
  begin(agent: TrackedAgent): StayingAgent;
  /** Its session, with the tools and notes of the team; `refused`: `disallowedTools` of its file. */
  opening(own: AgentOpening, refused: readonly string[]): AgentOpening;
}

/** An agent that waits for messages when its turn is over. */
export interface StayingAgent {
  /** False once it has agreed to end. */
  readonly stays: boolean;
  /** Ends as "completed" once a message or report waits for it, otherwise for the reason that ends its run. */
  rest(run: AgentRun, signal: AbortSignal): Promise<TurnEnd>;
}

export interface AgentTeam {
  /** The slot of an agent that starts at once, without a pause in between. Undefined if there is no team now. */
  join(name: string): TeammateSlot | { problem: string } | undefined;
  /** The slot of an agent that ended and is resumed; undefined if it is not in this team. */
  rejoin(agentId: string): TeammateSlot | undefined;
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
