// The members of a conversation's team: teammates of this process, and those whose start the log records.
import { type SessionRecord } from '../../ports/record';
import { startedTeammates } from '../../sessions/started-agents';
import { type LoggedTeam, teamFromRecords } from '../../sessions/team-from-records';
import { type Problem, type Team, type TeamMember } from '../../teams/team';
import { type Teammate } from './teammate';

export class TeamRoster {
  readonly #records: readonly SessionRecord[];
  /** Those of this process, by name. */
  readonly mates = new Map<string, Teammate>();
  #team: LoggedTeam | undefined;

  constructor(records: readonly SessionRecord[]) {
    this.#records = records;
    this.#team = teamFromRecords(records);
  }

  /** Undefined if there is no team. */
  get teamName(): string | undefined {
    return this.#team?.name;
  }

  get team(): Team | undefined {
    return this.#team && { name: this.#team.name, members: this.members };
  }

  get members(): TeamMember[] {
    if (this.#team === undefined) return [];
    const members = new Map<string, TeamMember>();
    for (const { id, name } of startedTeammates(this.#records.slice(this.#team.since), this.#team.name))
      members.set(name, { name, agentId: id, state: 'ended' });
    for (const { name, agent, state } of this.mates.values()) members.set(name, { name, agentId: agent.id, state });
    return [...members.values()];
  }

  create(name: string): Problem | undefined {
    const now = this.teamName;
    if (now !== undefined)
      return { problem: `A team already exists: ${now}. End it with TeamDelete first, or start teammates in it.` };
    this.#team = { name, since: this.#records.length };
    return undefined;
  }

  end(): void {
    this.#team = undefined;
    this.mates.clear();
  }
}
