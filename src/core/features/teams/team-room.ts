// The team of one conversation: who belongs to it, the mail between them, and the list of tasks that they share.
import { shortened } from '../../../shared/cut-text';
import { type Prompt } from '../../events/steering-queue';
import { type SessionAccess } from '../../feature/session-feature';
import { type Letter, letterText, withoutTags } from '../../sessions/mail-text';
import { startedTeammates } from '../../sessions/started-agents';
import { tasksFromRecords } from '../../sessions/tasks-from-records';
import { teamFromRecords, undeliveredMail } from '../../sessions/team-from-records';
import { type SessionTasks } from '../../tasks/session-tasks';
import { taskLine } from '../../tasks/task';
import {
  everybody,
  isLead,
  leadName,
  type MailOutcome,
  nameProblem,
  type SessionTeam,
  type Team,
  type TeamMail,
  type TeamMember,
  type TeamRemains,
} from '../../teams/team';
import { type AgentRun } from '../subagents/agent-run';
import { type AgentTeam, type JoiningTeammate, type TeammateSlot } from '../subagents/agent-team';
import { type TrackedAgent } from '../subagents/running-agents';
import { taskPrompt } from '../subagents/subagent-texts';
import { subagents } from '../subagents/subagents-key';
import { claimProblem, withClaim } from './claims';
import { teammateOpening } from './teammate-opening';
import { createTeammateRun, type TeammateLife } from './teammate-run';

interface Mate extends TeammateLife, Omit<JoiningTeammate, 'name'> {
  idle: boolean;
  /** It has written to the lead since it was last idle. */
  spoke: boolean;
  /** Of its session; undefined until it has one. */
  run: Pick<AgentRun, 'waiting' | 'steer'> | undefined;
  /** Mail that came before. */
  early: Prompt[];
}

const maxLastWords = 2_000;
const notLead = { problem: 'Only the lead can create and end teams.' };

function failed(code: string, message: string): MailOutcome {
  return { kind: 'failed', code, message };
}

export class TeamRoom implements AgentTeam {
  readonly #access: SessionAccess;
  readonly #mates = new Map<string, Mate>();
  #team: ReturnType<typeof teamFromRecords>;
  #waiters: (() => void)[] = [];

  constructor(access: SessionAccess) {
    this.#access = access;
    this.#team = teamFromRecords(access.settings.records);
  }

  get callsLead(): boolean {
    return this.#team !== undefined && this.#access.messages.owesReport;
  }

  callLead(): void {
    this.#changed();
    if (this.#team !== undefined) this.#access.settings.emit({ type: 'team_calls' });
  }

  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  catchUp(): void {
    const { messages, settings } = this.#access;
    for (const { mailId: id, from, text, summary } of undeliveredMail(settings.records, leadName))
      messages.report(letterText({ id, from, text, summary, kind: 'message' }));
    const lost = this.#members().filter(({ state }) => state === 'ended');
    if (this.#team !== undefined && lost.length > 0)
      messages.remind(
        `The team ${this.#team.name} still exists, but its teammates ended when the session was closed: ${lost.map(({ name }) => name).join(', ')}. SendMessage to one goes on with it, where it stood; its unread messages reach it then. TeamDelete ends the team.`,
      );
  }

  join(teammate: JoiningTeammate): TeammateSlot | { problem: string } | undefined {
    if (this.#team === undefined) return undefined;
    const { name } = teammate;
    const problem = nameProblem(name);
    if (problem !== undefined) return { problem };
    const namesake = this.#members().find((member) => member.name === name);
    if (namesake !== undefined)
      return {
        problem: `The team already has a teammate ${JSON.stringify(name)}, which ${namesake.state === 'ended' ? 'has ended: SendMessage to it resumes it' : `is ${namesake.state}: write to it with SendMessage`}. For a new one choose another name.`,
      };
    return this.#slot(this.#mateOf(teammate, this.#team.name), undefined);
  }

  rejoin(teammate: JoiningTeammate, of: string | undefined): TeammateSlot | undefined {
    const before = this.#mates.get(teammate.id);
    if (this.#team === undefined || (before?.team ?? of) !== this.#team.name) return undefined;
    return this.#slot(this.#mateOf(teammate, this.#team.name), before);
  }

  /** Something of its own waits for a teammate, such as the end of a command: it rests no longer. */
  wake(agentId: string): void {
    this.#mates.get(agentId)?.wake?.();
  }

  /** For the lead (undefined) or a teammate; other agents see none. */
  seenBy(agentId: string | undefined): SessionTeam | undefined {
    const mate = agentId === undefined ? undefined : this.#mates.get(agentId);
    if (agentId !== undefined && mate === undefined) return undefined;
    return {
      self: mate?.name ?? leadName,
      current: () => this.#current(),
      create: (name, description) => (mate === undefined ? this.#create(name, description) : notLead),
      dissolve: async () => (mate === undefined ? this.#dissolve() : notLead),
      send: (mail, toolUseId) => this.#send(mate, mail, toolUseId),
    };
  }

  /** The tasks of whoever sees the team are the team's while there is one. */
  tasksOf(agentId: string | undefined, own: SessionTasks): SessionTasks {
    const mate = agentId === undefined ? undefined : this.#mates.get(agentId);
    const self = mate?.name ?? leadName;
    const { records } = this.#access.settings;
    return {
      list: () => (this.#team === undefined ? own.list() : tasksFromRecords(records)),
      refuses: (event, task, signal) => own.refuses(event, task, signal, this.#hookFields(mate)),
      judge: (list, id, patch) => {
        if (this.#team === undefined) return { patch };
        const problem = mate === undefined ? undefined : claimProblem(list, id, patch, self);
        return problem === undefined ? { patch: withClaim(list, id, patch, self) } : { problem };
      },
      share: (list, { task, before }) => {
        if (this.#team === undefined) return list;
        const shared = { ...list, revision: (list.revision ?? 0) + 1 };
        this.#access.writer.write({ type: 'system', subtype: 'task_list', ...shared });
        const isNew = task.owner !== undefined && task.owner !== before?.owner && task.owner !== self;
        const owner = isNew ? this.#mateNamed(task.owner ?? '') : undefined;
        const text = `Task #${task.id} is yours now: ${task.subject}\n\n${task.description}`.trim();
        if (owner !== undefined && !this.#isOver(owner))
          this.#toMate(owner, { ...this.#letter(self, text), summary: `Task #${task.id} is yours` });
        return shared;
      },
    };
  }

  #create(name: string, description: string): { problem: string } | { team: Team } {
    if (this.#team !== undefined)
      return {
        problem: `A team already exists: ${this.#team.name}. End it with TeamDelete first, or start teammates in it.`,
      };
    this.#team = { name, description, since: this.#access.settings.records.length };
    return { team: { name, description, members: [] } };
  }

  async #dissolve(): Promise<{ problem: string } | TeamRemains> {
    const { settings, session } = this.#access;
    if (this.#team === undefined) return { problem: 'There is no team. Nothing was changed.' };
    const { name } = this.#team;
    const all = [...this.#mates.values()].filter((mate) => mate.team === name);
    const ended = all
      .filter((mate) => !this.#isOver(mate))
      .map((mate) => ({
        name: mate.name,
        wasWorking: !mate.idle,
        unread: mate.run?.waiting.length ?? mate.early.length,
      }));
    // The result of the call says it; of one that was ending by itself the report does.
    await Promise.all(all.map((mate) => session.subagents?.stop(mate.id, 'agent')));
    const list = tasksFromRecords(settings.records);
    const names = new Set(all.map((mate) => mate.name));
    const openTasks = list.tasks
      .filter(({ owner, status }) => status !== 'completed' && owner !== undefined && names.has(owner))
      .map((task) => taskLine(task, list));
    this.#team = undefined;
    this.#mates.clear();
    this.#changed();
    return { name, ended, openTasks };
  }

  /** `self`: undefined for the lead. */
  async #send(self: Mate | undefined, mail: TeamMail, toolUseId: string): Promise<MailOutcome> {
    if (this.#team === undefined) return { kind: 'stranger' };
    const { to, text, kind, approve } = mail;
    const letter = (): Letter => ({ ...this.#letter(self?.name ?? leadName, text), summary: mail.summary ?? '', kind });
    if (kind === 'shutdown_request' && self !== undefined)
      return failed('not-the-lead', 'Only the lead can ask others to end.');
    if (kind === 'shutdown_response' && (self === undefined || !isLead(to)))
      return failed('not-asked', "A shutdown_response is a teammate's reply to the lead.");
    if (self !== undefined && kind === 'shutdown_response' && approve === true) {
      self.leaving = true;
      self.spoke = true;
      return { kind: 'sent', to: [leadName], woken: [] };
    }
    if (isLead(to)) {
      if (self === undefined) return failed('to-yourself', 'You are the lead.');
      self.spoke = true;
      this.#toLead(kind === 'shutdown_response' ? { ...letter(), text: `It continues: ${text}` } : letter());
      return { kind: 'sent', to: [leadName], woken: [] };
    }
    return to === everybody ? this.#sendToAll(self, letter) : this.#sendToOne(self, mail, letter, toolUseId);
  }

  #sendToAll(self: Mate | undefined, letter: () => Letter): MailOutcome {
    const others = [...this.#mates.values()].filter(
      (mate) => mate.team === this.#team?.name && mate !== self && !this.#isOver(mate),
    );
    const woken = others.filter((mate) => this.#peerMail(self, mate, letter()));
    if (self !== undefined) {
      self.spoke = true;
      this.#toLead(letter());
    }
    const names = [...(self === undefined ? [] : [leadName]), ...others.map(({ name }) => name)];
    return names.length === 0
      ? failed('nobody', 'No teammates are running: nobody got the message.')
      : { kind: 'sent', to: names, woken: woken.map(({ name }) => name) };
  }

  async #sendToOne(
    self: Mate | undefined,
    { to, kind }: TeamMail,
    letter: () => Letter,
    toolUseId: string,
  ): Promise<MailOutcome> {
    const member = this.#members().find(({ name, agentId }) => name === to || agentId === to);
    if (member === undefined)
      return self === undefined
        ? { kind: 'stranger' }
        : failed(
            'unknown-teammate',
            `There is no teammate ${JSON.stringify(to)}. There are: ${[leadName, ...this.#members().map(({ name }) => name)].join(', ')}.`,
          );
    const { name, agentId } = member;
    if (name === self?.name) return failed('to-yourself', `You are ${name}.`);
    const mate = this.#mateNamed(agentId);
    if (mate !== undefined && !this.#isOver(mate))
      return { kind: 'sent', to: [name], woken: this.#peerMail(self, mate, letter()) ? [name] : [] };
    const agents = this.#access.feature(subagents);
    if (self !== undefined || agents === undefined)
      return failed('teammate-ended', `${name} has ended. Only the lead can resume it: write to "lead".`);
    if (kind !== 'message') return failed('teammate-ended', `${name} has ended already.`);
    // Its run may be over a moment before it counts as ended.
    await this.#agent(agentId)?.ended;
    const outcome = await agents.deliver(agentId, taskPrompt(letterText(letter())), toolUseId);
    if (outcome.kind === 'failed') return outcome;
    const resumed =
      outcome.kind === 'resumed' ? { resumed: { agentId: outcome.agentId, transcript: outcome.transcript } } : {};
    return { kind: 'sent', to: [name], woken: [name], ...resumed };
  }

  #letter(from: string, text: string): Letter {
    return { id: this.#access.ports.uuid(), from, text, summary: '', kind: 'message' };
  }

  /** What teammates write to each other the user can read, too. True where it was idle. */
  #peerMail(from: Mate | undefined, mate: Mate, letter: Letter): boolean {
    if (from !== undefined) this.#writeMail(letter, mate.name);
    return this.#toMate(mate, letter);
  }

  /** The log keeps it until a request has held it. */
  #toLead(letter: Letter): void {
    this.#writeMail(letter, leadName);
    this.#access.messages.report(letterText(letter));
    this.callLead();
  }

  #writeMail({ id: mailId, from, text, summary }: Letter, to: string): void {
    this.#access.writer.write({ type: 'system', subtype: 'team_mail', mailId, from, to, text, summary });
  }

  /** True where it was idle. */
  #toMate(mate: Mate, letter: Letter): boolean {
    const { idle, run, early } = mate;
    const prompt = taskPrompt(letterText(letter));
    if (run === undefined) early.push(prompt);
    else run.steer(prompt);
    return idle;
  }

  /** `before`: the same teammate, as it was when it last ended. */
  #slot(mate: Mate, before: Mate | undefined): TeammateSlot {
    return {
      team: mate.team,
      begin: (opening, refused, open) => {
        const run = createTeammateRun(open(teammateOpening(opening, mate, this.#access.registry, refused)), mate);
        mate.run = run;
        for (const early of mate.early.splice(0)) run.steer(early);
        return run;
      },
      leave: () => {
        if (before === undefined) this.#mates.delete(mate.id);
        else this.#mates.set(mate.id, before);
      },
    };
  }

  #mateOf(teammate: JoiningTeammate, team: string): Mate {
    const setIdle = (idle: boolean): void => {
      mate.idle = idle;
      const agent = this.#agent(mate.id);
      if (agent !== undefined) agent.idle = idle;
      this.#access.settings.emit({ type: 'teammate', agentId: mate.id, idle });
    };
    const mate: Mate = {
      ...teammate,
      ...{ team, idle: false, leaving: false, over: false, spoke: false, wake: undefined, run: undefined, early: [] },
      rests: (lastWords) => {
        setIdle(true);
        this.#tellIdle(mate, lastWords);
      },
      worksAgain: () => setIdle(false),
      // The team may go on for long, and a run holds its whole session.
      ended() {
        mate.over = true;
        mate.run = undefined;
      },
    };
    this.#mates.set(mate.id, mate);
    return mate;
  }

  #tellIdle(mate: Mate, lastWords: string): void {
    const { messages } = this.#access;
    const words = `The teammate ${mate.name} is idle now: it waits for messages.`;
    const last = lastWords === '' ? '' : ` Its last message:\n\n${withoutTags(shortened(lastWords, maxLastWords))}`;
    // What it has written to the lead has called it already.
    if (mate.spoke) messages.remind(words);
    else messages.report(`${words}${last}`);
    if (mate.spoke) this.#changed();
    else this.callLead();
    mate.spoke = false;
  }

  #hookFields(mate: Mate | undefined): Record<string, unknown> {
    if (mate !== undefined) return { teammate_name: mate.name, team_name: mate.team };
    return this.#team === undefined ? {} : { team_name: this.#team.name };
  }

  #current(): Team | undefined {
    if (this.#team === undefined) return undefined;
    const { name, description } = this.#team;
    return { name, description, members: this.#members() };
  }

  #members(): TeamMember[] {
    const found = new Map<string, TeamMember>();
    const { records } = this.#access.settings;
    const { name: team = '', since = records.length } = this.#team ?? {};
    for (const { id, name, agentType, description } of startedTeammates(records.slice(since), team))
      found.set(name, { name, agentId: id, agentType, description, state: 'ended' });
    for (const mate of this.#mates.values()) {
      if (mate.team !== this.#team?.name) continue;
      const { name, id, agentType, description, idle } = mate;
      const state = this.#isOver(mate) ? 'ended' : idle ? 'idle' : 'working';
      found.set(name, { name, agentId: id, agentType, description, state });
    }
    return [...found.values()];
  }

  #mateNamed(name: string): Mate | undefined {
    return [...this.#mates.values()].findLast(
      (mate) => (mate.name === name || mate.id === name) && mate.team === this.#team?.name,
    );
  }

  #isOver(mate: Mate): boolean {
    return mate.over || (this.#agent(mate.id)?.state ?? 'running') !== 'running';
  }

  #agent(id: string): TrackedAgent | undefined {
    return this.#access.feature(subagents)?.running.agents.get(id);
  }

  #changed(): void {
    const now = this.#waiters;
    this.#waiters = [];
    for (const resolve of now) resolve();
  }
}
