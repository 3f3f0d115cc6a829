// Teams as a feature: the conversation leads, and agents that it gives a name stay for mail. The Team tools see it as the session's team.
import { shortened } from '../../../shared/cut-text';
import { defined } from '../../../shared/defined';
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionAccess, type SessionFeature } from '../../feature/session-feature';
import { letterText, withoutTags } from '../../sessions/mail-text';
import { tasksFromRecords } from '../../sessions/tasks-from-records';
import { undeliveredMail } from '../../sessions/team-from-records';
import { type SessionTasks } from '../../tasks/session-tasks';
import { taskLine } from '../../tasks/task';
import { type Problem, type SessionTeam, type TeamRemains } from '../../tool/session-team';
import { type ToolSession } from '../../tool/tool';
import { type AgentTeam, agentTeam, type TeammateSlot } from '../subagents/agent-team';
import { leadName, nameProblem, TeamMembers } from './team-members';
import { teamTasks } from './team-tasks';
import { Teammate, teammateOpening } from './teammate';
import { said, words } from '../../text/words';

const maxLastWords = 2_000;

export const teamsFeature: FeatureFactory = (access) => {
  const room = new TeamRoom(access);
  return { ...provides(agentTeam, room), ...placeIn(room, access) };
};

/** The session's place in the team: lead, teammate or none. */
function placeIn(room: TeamRoom, { settings, session }: SessionAccess): Pick<SessionFeature, 'forTools' | 'inAgents'> {
  return {
    forTools: room.forTools(settings.agent?.id, session.tasks),
    inAgents: () => (access) => ({ name: agentTeam.name, ...placeIn(room, access) }),
  };
}

/** The team of one conversation: it begins and ends, teammates join it, and the lead is notified of what they do. */
class TeamRoom implements AgentTeam {
  readonly #access: SessionAccess;
  readonly #team: TeamMembers;
  readonly #waiters: (() => void)[] = [];

  constructor(access: SessionAccess) {
    this.#access = access;
    this.#team = new TeamMembers(access, () => this.callLead());
  }

  get callsLead(): boolean {
    return this.#team.teamName !== undefined && this.#access.messages.owesReport;
  }

  callLead(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
    if (this.#team.teamName !== undefined) this.#access.settings.emit({ type: 'team_calls' });
  }

  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  catchUp(): void {
    const { messages, settings } = this.#access;
    for (const { mailId: id, from, text, summary } of undeliveredMail(settings.records, leadName))
      messages.report(letterText({ id, from, text, summary, kind: 'message' }));
    const { teamName, members } = this.#team;
    const lost = members.filter(({ state }) => state === 'ended').map(({ name }) => name);
    if (lost.length > 0)
      messages.remind(
        said(
          words`The team ${teamName ?? ''} still exists, but its teammates ended when the session was closed: ${lost.join(', ')}.{{SendMessage:  SendMessage resumes one where it left off; its unread messages reach it then.}}{{TeamDelete:  TeamDelete ends the team.}}`,
          this.#access.session.offers,
        ),
      );
  }

  join(name: string): TeammateSlot | Problem | undefined {
    const { teamName, members } = this.#team;
    if (teamName === undefined) return undefined;
    const problem = nameProblem(name);
    if (problem !== undefined) return { problem };
    const state = members.find((member) => member.name === name)?.state;
    if (state === undefined) return this.#slot(name);
    const now =
      state === 'ended'
        ? words`has ended{{SendMessage: : SendMessage to it resumes it}}`
        : words`is ${state}{{SendMessage: : write to it with SendMessage}}`;
    const problemText = words`The team already has a teammate "${name}", which ${now}. Choose another name for a new one.`;
    return { problem: said(problemText, this.#access.session.offers) };
  }

  rejoin(agentId: string): TeammateSlot | undefined {
    const member = this.#team.members.find((one) => one.agentId === agentId);
    return member && this.#slot(member.name);
  }

  /** What tools of the lead (undefined) or of a teammate see of the team; nothing for other agents. */
  forTools(agentId: string | undefined, own: SessionTasks | undefined): Pick<ToolSession, 'team' | 'tasks'> {
    const mate = [...this.#team.mates.values()].find(({ agent }) => agent.id === agentId);
    if (agentId !== undefined && mate === undefined) return {};
    const leadOnly: Problem | undefined = mate && { problem: 'Only the lead can create and end teams.' };
    const team: SessionTeam = {
      current: () => this.#team.current,
      create: (name) => leadOnly ?? this.#team.create(name),
      dissolve: async () => leadOnly ?? this.#dissolve(),
      send: (mail, toolUseId) => this.#team.send(mate, mail, toolUseId),
    };
    return defined({ team, tasks: own && teamTasks(this.#access, this.#team, mate, own) });
  }

  async #dissolve(): Promise<Problem | TeamRemains> {
    const { settings, session } = this.#access;
    const team = this.#team.teamName;
    if (team === undefined) return { problem: 'There is no team. Nothing was changed.' };
    const mates = [...this.#team.mates.values()];
    const ended = mates
      .filter(({ state }) => state !== 'ended')
      .map(({ name, state, agent: { run } }) => ({
        name,
        wasWorking: state === 'working',
        unread: run?.waiting.length ?? 0,
      }));
    // The result of the call says that they have ended; for one that was ending by itself, its report does.
    await Promise.all(mates.map(({ agent }) => session.subagents?.stop(agent.id, 'agent')));
    const list = tasksFromRecords(settings.records);
    const openTasks = list.tasks
      .filter(({ owner, status }) => status !== 'completed' && mates.some((mate) => mate.name === owner))
      .map((task) => taskLine(task, list));
    this.#team.end();
    this.callLead();
    return { name: team, ended, openTasks };
  }

  #slot(name: string): TeammateSlot {
    const { teamName: team = '' } = this.#team;
    return {
      team,
      begin: (agent) => {
        const mate = new Teammate(name, agent, team, (...change) => this.#onIdle(...change));
        this.#team.mates.set(name, mate);
        return mate;
      },
      opening: (own, refused) => teammateOpening(own, { name, team }, this.#access.registry, refused),
    };
  }

  #onIdle(mate: Teammate, lastWords: string | undefined): void {
    const { settings, messages } = this.#access;
    settings.emit({ type: 'teammate', agentId: mate.agent.id, idle: lastWords !== undefined });
    if (lastWords === undefined) return;
    const words = `The teammate ${mate.name} is idle now: it waits for messages.`;
    const last = lastWords === '' ? '' : ` Its last message:\n\n${withoutTags(shortened(lastWords, maxLastWords))}`;
    // One turn of the lead for one event: what it has written to the lead has started that turn already.
    if (mate.spoke) messages.remind(words);
    else messages.report(`${words}${last}`);
    mate.spoke = false;
    this.callLead();
  }
}
