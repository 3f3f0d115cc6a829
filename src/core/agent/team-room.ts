// The team of a conversation as the parts of its sessions see it.
import { type SendOutcome } from '../subagents/subagents';
import { type SessionTasks } from '../tasks/session-tasks';
import { type SessionTeam } from '../teams/team';
import { type Prompt } from '../events/steering-queue';

/** What a teammate's run says and hears of its place in the team. */
export interface TeammateLife {
  readonly name: string;
  readonly team: string;
  /** It has agreed to end. */
  leaving: boolean;
  /** Its run is over: mail no longer reaches it there. */
  over: boolean;
  /** Ends the wait. */
  wake: (() => void) | undefined;
  rests(lastWords: string): void;
  worksAgain(): void;
  /** Its session is closed: nothing of it is held from now on. */
  ended(): void;
}

/** Where a teammate's mail goes. */
export interface TeammateRun {
  readonly waiting: readonly unknown[];
  steer(prompt: Prompt): string;
}

export interface JoiningTeammate {
  id: string;
  name: string;
  agentType: string;
  description: string;
}

export interface TeammateSeat {
  readonly life: TeammateLife;
  /** It runs: mail that came before goes to it. */
  taken(run: TeammateRun): void;
  /** It was not started after all. */
  leave(): void;
}

/** Goes on with an agent that has ended. */
export type Resume = (agentId: string, prompt: Prompt, toolUseId: string) => Promise<SendOutcome>;

export interface TeamRoom {
  /** For the lead (undefined) or a teammate; other agents see none. */
  seenBy(agentId: string | undefined): SessionTeam | undefined;
  tasksOf(agentId: string | undefined, own: SessionTasks): SessionTasks;
  /** Undefined where there is no team now. */
  join(teammate: JoiningTeammate): TeammateSeat | { problem: string } | undefined;
  /** The seat of one that ended, and goes on; undefined where it is none of this team. */
  rejoin(teammate: JoiningTeammate, team: string | undefined): TeammateSeat | undefined;
  resumeWith(resume: Resume): void;
  /** Something of its own waits for a teammate, such as the end of a command: it rests no longer. */
  wake(agentId: string): void;
  /** What hooks are told of the session's place. */
  hookFields(agentId: string | undefined): Record<string, unknown>;
  /** The lead owes a turn to what it was told. */
  readonly callsLead: boolean;
  /** Tells the host that something for the lead has come. */
  callLead(): void;
  /** Resolves with the next change of who is at work, and with what comes for the lead. */
  nextChange(): Promise<void>;
  /** Once after the session was opened. */
  catchUp(): void;
}
