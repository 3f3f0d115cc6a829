// The team of one conversation: it begins and ends, teammates join it, and the lead is notified of what they do.
import { shortened } from '../../../shared/cut-text';
import { type SessionAccess } from '../../feature/session-feature';
import { letterText, withoutTags } from '../../sessions/mail-text';
import { tasksFromRecords } from '../../sessions/tasks-from-records';
import { undeliveredMail } from '../../sessions/team-from-records';
import { type SessionTasks } from '../../tasks/session-tasks';
import { taskLine } from '../../tasks/task';
import { leadName, nameProblem, type SessionTeam, type Team, type TeamRemains } from '../../teams/team';
import { type AgentTeam, type JoiningTeammate, type TeammateSlot } from '../subagents/agent-team';
import { TeamPost } from './team-post';
import { TeamRoster } from './team-roster';
import { teamTasks } from './team-tasks';
import { Teammate } from './teammate';
import { teammateOpening } from './teammate-opening';

const maxLastWords = 2_000;
const notLead = { problem: 'Only the lead can create and end teams.' };

export class TeamRoom implements AgentTeam {
  readonly #access: SessionAccess;
  readonly #roster: TeamRoster;
  readonly #post: TeamPost;
  #waiters: (() => void)[] = [];

  constructor(access: SessionAccess) {
    this.#access = access;
    this.#roster = new TeamRoster(access);
    this.#post = new TeamPost(access, this.#roster, () => this.callLead());
  }

  get callsLead(): boolean {
    return this.#roster.teamName !== undefined && this.#access.messages.owesReport;
  }

  callLead(): void {
    this.#changed();
    if (this.#roster.teamName !== undefined) this.#access.settings.emit({ type: 'team_calls' });
  }

  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  catchUp(): void {
    const { messages, settings } = this.#access;
    for (const { mailId: id, from, text, summary } of undeliveredMail(settings.records, leadName))
      messages.report(letterText({ id, from, text, summary, kind: 'message' }));
    const { teamName, members } = this.#roster;
    const lost = members.filter(({ state }) => state === 'ended');
    if (teamName !== undefined && lost.length > 0)
      messages.remind(
        `The team ${teamName} still exists, but its teammates ended when the session was closed: ${lost.map(({ name }) => name).join(', ')}. SendMessage to one goes on with it, where it stood; its unread messages reach it then. TeamDelete ends the team.`,
      );
  }

  join(teammate: JoiningTeammate): TeammateSlot | { problem: string } | undefined {
    const { teamName, members } = this.#roster;
    if (teamName === undefined) return undefined;
    const { name } = teammate;
    const problem = nameProblem(name);
    if (problem !== undefined) return { problem };
    const namesake = members.find((member) => member.name === name);
    if (namesake !== undefined)
      return {
        problem: `The team already has a teammate ${JSON.stringify(name)}, which ${namesake.state === 'ended' ? 'has ended: SendMessage to it resumes it' : `is ${namesake.state}: write to it with SendMessage`}. For a new one choose another name.`,
      };
    return this.#slot(teammate, teamName);
  }

  rejoin(teammate: JoiningTeammate, of: string | undefined): TeammateSlot | undefined {
    const before = this.#roster.get(teammate.id);
    const { teamName } = this.#roster;
    return teamName === undefined || (before?.team ?? of) !== teamName
      ? undefined
      : this.#slot(teammate, teamName, before);
  }

  /** Something of its own waits for a teammate, such as the end of a command: it rests no longer. */
  wake(agentId: string): void {
    this.#roster.get(agentId)?.wake();
  }

  /** What the lead (undefined) or a teammate sees of it, with its tasks; undefined for other agents. */
  seenBy(
    agentId: string | undefined,
    own: SessionTasks | undefined,
  ): { team: SessionTeam; tasks: SessionTasks | undefined } | undefined {
    const mate = this.#roster.get(agentId);
    if (agentId !== undefined && mate === undefined) return undefined;
    const team: SessionTeam = {
      self: mate?.name ?? leadName,
      current: () => this.#roster.current,
      create: (name, description) => (mate === undefined ? this.#create(name, description) : notLead),
      dissolve: async () => (mate === undefined ? this.#dissolve() : notLead),
      send: (mail, toolUseId) => this.#post.send(mate, mail, toolUseId),
    };
    const parts = { roster: this.#roster, post: this.#post };
    return { team, tasks: own && teamTasks(this.#access, parts, mate, own) };
  }

  #create(name: string, description: string): { problem: string } | { team: Team } {
    const { teamName } = this.#roster;
    return teamName === undefined
      ? { team: this.#roster.create(name, description) }
      : { problem: `A team already exists: ${teamName}. End it with TeamDelete first, or start teammates in it.` };
  }

  async #dissolve(): Promise<{ problem: string } | TeamRemains> {
    const { settings, session } = this.#access;
    const { teamName: name, mates } = this.#roster;
    if (name === undefined) return { problem: 'There is no team. Nothing was changed.' };
    const ended = mates
      .filter((mate) => !this.#roster.isOver(mate))
      .map((mate) => ({ name: mate.name, wasWorking: !mate.idle, unread: mate.unread }));
    // The result of the call says it; of one that was ending by itself the report does.
    await Promise.all(mates.map(({ facts }) => session.subagents?.stop(facts.id, 'agent')));
    const list = tasksFromRecords(settings.records);
    const names = new Set<string | undefined>(mates.map((mate) => mate.name));
    const openTasks = list.tasks
      .filter(({ owner, status }) => status !== 'completed' && names.has(owner))
      .map((task) => taskLine(task, list));
    this.#roster.end();
    this.#changed();
    return { name, ended, openTasks };
  }

  /** `before`: the same teammate, as it was when it last ended. */
  #slot(facts: JoiningTeammate, team: string, before?: Teammate): TeammateSlot {
    const mate = new Teammate(facts, team, (...idle) => this.#onIdle(...idle));
    this.#roster.add(mate);
    return {
      team,
      begin: (opening, refused, open) =>
        mate.begin(open(teammateOpening(opening, { ...facts, team }, this.#access.registry, refused))),
      leave: () => {
        if (before === undefined) this.#roster.delete(mate);
        else this.#roster.add(before);
      },
    };
  }

  /** Without last words it works again. */
  #onIdle(mate: Teammate, lastWords: string | undefined): void {
    const { settings, messages } = this.#access;
    const { id, name } = mate.facts;
    const agent = this.#roster.agent(id);
    if (agent !== undefined) agent.idle = mate.idle;
    settings.emit({ type: 'teammate', agentId: id, idle: mate.idle });
    if (lastWords === undefined) return;
    const words = `The teammate ${name} is idle now: it waits for messages.`;
    const last = lastWords === '' ? '' : ` Its last message:\n\n${withoutTags(shortened(lastWords, maxLastWords))}`;
    // What it has written to the lead has called it already.
    if (mate.spoke) messages.remind(words);
    else messages.report(`${words}${last}`);
    if (mate.spoke) this.#changed();
    else this.callLead();
    mate.spoke = false;
  }

  #changed(): void {
    const now = this.#waiters;
    this.#waiters = [];
    for (const resolve of now) resolve();
  }
}
