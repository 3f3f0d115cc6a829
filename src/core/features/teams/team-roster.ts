// Who belongs to the team of a conversation: those of this process, and those whose start its log records.
import { type SessionAccess } from '../../feature/session-feature';
import { startedTeammates } from '../../sessions/started-agents';
import { teamFromRecords } from '../../sessions/team-from-records';
import { type Team, type TeamMember } from '../../teams/team';
import { type TrackedAgent } from '../subagents/running-agents';
import { subagents } from '../subagents/subagents-key';
import { type Teammate } from './teammate';

export class TeamRoster {
  readonly #access: SessionAccess;
  /** Includes earlier teams, until the next team is ended. */
  readonly #mates = new Map<string, Teammate>();
  /** `since`: the record after which its teammates were started. */
  #team: ReturnType<typeof teamFromRecords>;

  constructor(access: SessionAccess) {
    this.#access = access;
    this.#team = teamFromRecords(access.settings.records);
  }

  /** Undefined if there is no team. */
  get teamName(): string | undefined {
    return this.#team?.name;
  }

  /** Those of this process. */
  get mates(): Teammate[] {
    return [...this.#mates.values()].filter(({ team }) => team === this.#team?.name);
  }

  get members(): TeamMember[] {
    const { records } = this.#access.settings;
    const { name: team = '', since = records.length } = this.#team ?? {};
    const ended = startedTeammates(records.slice(since), team).map(
      ({ id, name, agentType, description }): TeamMember => ({
        ...{ name, agentId: id, agentType, description },
        state: 'ended',
      }),
    );
    const here = this.mates.map((mate): TeamMember => {
      const { id, name, agentType, description } = mate.facts;
      const state = this.isOver(mate) ? 'ended' : mate.idle ? 'idle' : 'working';
      return { name, agentId: id, agentType, description, state };
    });
    return [...new Map([...ended, ...here].map((member) => [member.name, member])).values()];
  }

  get current(): Team | undefined {
    return this.#team && { name: this.#team.name, description: this.#team.description, members: this.members };
  }

  create(name: string, description: string): Team {
    this.#team = { name, description, since: this.#access.settings.records.length };
    return { name, description, members: [] };
  }

  end(): void {
    this.#team = undefined;
    this.#mates.clear();
  }

  get(agentId: string | undefined): Teammate | undefined {
    return agentId === undefined ? undefined : this.#mates.get(agentId);
  }

  add(mate: Teammate): void {
    this.#mates.set(mate.facts.id, mate);
  }

  delete(mate: Teammate): void {
    this.#mates.delete(mate.facts.id);
  }

  /** By name or id: the last one. */
  named(name: string): Teammate | undefined {
    return this.mates.findLast(({ facts }) => facts.name === name || facts.id === name);
  }

  isOver(mate: Teammate): boolean {
    return mate.over || (this.agent(mate.facts.id)?.state ?? 'running') !== 'running';
  }

  agent(id: string): TrackedAgent | undefined {
    return this.#access.feature(subagents)?.running.agents.get(id);
  }
}
