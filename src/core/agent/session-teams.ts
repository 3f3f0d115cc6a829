// The team of one conversation: who belongs to it, the mail between them, and the list of tasks that they share.
import { shortened } from '../../shared/cut-text';
import { type SessionRecord } from '../ports/record';
import { startedTeammates } from '../sessions/started-agents';
import { taskLine } from '../tasks/task';
import { tasksFromRecords } from '../sessions/tasks-from-records';
import { claimProblem, withClaim } from '../features/teams/claims';
import { type Letter, letterText, withoutTags } from '../sessions/mail-text';
import {
  everybody,
  isLead,
  leadName,
  type MailOutcome,
  nameProblem,
  type Team,
  type TeamMail,
  type TeamMember,
  type TeamRemains,
} from '../teams/team';
import { teamFromRecords, undeliveredMail } from '../sessions/team-from-records';
import { type ToolSession } from '../tool/tool';
import { type Emit } from '../events/session-event';
import { type Outbox } from '../session/pending-messages';
import { type RecordWriter } from '../events/record-writer';
import { type SubagentFleet } from '../features/subagents/running-agents';
import { abortError, taskPrompt } from '../features/subagents/subagent-texts';
import { type Prompt } from '../events/steering-queue';
import {
  type JoiningTeammate,
  type Resume,
  type TeammateLife,
  type TeammateRun,
  type TeammateSeat,
  type TeamRoom,
} from './team-room';

export interface TeamRoomParts {
  records: readonly SessionRecord[];
  writer: Pick<RecordWriter, 'write'>;
  outbox: Pick<Outbox, 'remind' | 'report' | 'owesReport'>;
  /** Something for the lead has arrived. */
  ring: () => void;
  emit: Emit;
  uuid: () => string;
  fleet: SubagentFleet;
}

/** Makes the room of a conversation, and gives a session its place in it: lead, teammate or none. */
export function takeSeat(
  session: ToolSession,
  fleet: SubagentFleet,
  { agentId, ...parts }: Omit<TeamRoomParts, 'fleet'> & { agentId: string | undefined },
): void {
  if (agentId === undefined) fleet.team = createTeamRoom({ ...parts, fleet });
  const team = fleet.team?.seenBy(agentId);
  if (team === undefined || fleet.team === undefined) return;
  session.team = team;
  if (session.tasks !== undefined) session.tasks = fleet.team.tasksOf(agentId, session.tasks);
}

interface Mate extends TeammateLife {
  id: string;
  agentType: string;
  description: string;
  idle: boolean;
  /** It has written to the lead since it was last idle. */
  spoke: boolean;
  /** Of its session; undefined until it has one. */
  run: TeammateRun | undefined;
  /** Mail that came before. */
  early: Prompt[];
}

const maxLastWords = 2_000;

function createTeamRoom({ records, writer, outbox, ring, emit, uuid, fleet }: TeamRoomParts): TeamRoom {
  let team = teamFromRecords(records);
  let resume: Resume | undefined;
  const mates = new Map<string, Mate>();
  let waiters: (() => void)[] = [];

  const changed = (): void => {
    const now = waiters;
    waiters = [];
    for (const resolve of now) resolve();
  };
  const callLead = (): void => {
    changed();
    if (team !== undefined) emit({ type: 'team_calls' });
  };
  const isOver = (mate: Mate): boolean => mate.over || (fleet.agents.get(mate.id)?.state ?? 'running') !== 'running';
  const mateNamed = (name: string): Mate | undefined =>
    [...mates.values()].findLast((mate) => (mate.name === name || mate.id === name) && mate.team === team?.name);

  const members = (): TeamMember[] => {
    const found = new Map<string, TeamMember>();
    for (const one of startedTeammates(records.slice(team?.since ?? records.length), team?.name ?? ''))
      found.set(one.name, {
        name: one.name,
        agentId: one.id,
        agentType: one.agentType,
        description: one.description,
        state: 'ended',
      });
    for (const mate of mates.values()) {
      if (mate.team !== team?.name) continue;
      const { name, id, agentType, description, idle } = mate;
      found.set(name, {
        name,
        agentId: id,
        agentType,
        description,
        state: isOver(mate) ? 'ended' : idle ? 'idle' : 'working',
      });
    }
    return [...found.values()];
  };
  const current = (): Team | undefined =>
    team === undefined ? undefined : { name: team.name, description: team.description, members: members() };

  const prompt = (letter: Letter): Prompt => taskPrompt(letterText(letter));
  /** The log keeps it until a request has held it. */
  const toLead = (letter: Letter): void => {
    const { id: mailId, from, text, summary } = letter;
    writer.write({ type: 'system', subtype: 'team_mail', mailId, from, to: leadName, text, summary });
    outbox.report(letterText(letter));
    ring();
    callLead();
  };
  /** True where it was idle. */
  const toMate = (mate: Mate, letter: Letter): boolean => {
    const { idle } = mate;
    if (mate.run === undefined) mate.early.push(prompt(letter));
    else mate.run.steer(prompt(letter));
    return idle;
  };

  /** `before`: the same teammate, as it was when it last ended. */
  const seat = (mate: Mate, before: Mate | undefined): TeammateSeat => ({
    life: mate,
    taken(run) {
      mate.run = run;
      for (const early of mate.early.splice(0)) run.steer(early);
    },
    leave() {
      if (before === undefined) mates.delete(mate.id);
      else mates.set(mate.id, before);
    },
  });
  const mateOf = ({ id, name, agentType, description }: JoiningTeammate, of: string): Mate => {
    const setIdle = (idle: boolean): void => {
      mate.idle = idle;
      const agent = fleet.agents.get(id);
      if (agent !== undefined) agent.idle = idle;
      emit({ type: 'teammate', agentId: id, idle });
    };
    const mate: Mate = {
      ...{
        id,
        name,
        team: of,
        agentType,
        description,
        idle: false,
        leaving: false,
        over: false,
        spoke: false,
        wake: undefined,
        run: undefined,
        early: [],
      },
      rests(lastWords) {
        setIdle(true);
        const words = `The teammate ${name} is idle now: it waits for messages.`;
        // What it has written to the lead has called it already.
        if (mate.spoke) outbox.remind(words);
        else
          outbox.report(
            `${words}${lastWords === '' ? '' : ` Its last words:\n\n${withoutTags(shortened(lastWords, maxLastWords))}`}`,
          );
        if (mate.spoke) changed();
        else callLead();
        ring();
        mate.spoke = false;
      },
      worksAgain: () => setIdle(false),
      // The team may go on for long, and a run holds its whole session.
      ended() {
        mate.over = true;
        mate.run = undefined;
      },
    };
    mates.set(id, mate);
    return mate;
  };

  const send = async (
    self: Mate | undefined,
    { to, text, summary = '', kind, approve }: TeamMail,
    toolUseId: string,
  ): Promise<MailOutcome> => {
    if (team === undefined) return { kind: 'stranger' };
    const from = self?.name ?? leadName;
    const failed = (code: string, message: string): MailOutcome => ({ kind: 'failed', code, message });
    const letter = (): Letter => ({ id: uuid(), from, text, summary, kind });
    if (kind === 'shutdown_request' && self !== undefined)
      return failed('not-the-lead', 'Only the lead asks others to end.');
    if (kind === 'shutdown_response') {
      if (self === undefined || !isLead(to))
        return failed('not-asked', "A shutdown_response is a teammate's answer to the lead.");
      if (approve === true) {
        self.leaving = true;
        self.spoke = true;
        return { kind: 'sent', to: [leadName], woken: [] };
      }
    }
    if (isLead(to)) {
      if (self === undefined) return failed('to-yourself', 'You are the lead.');
      self.spoke = true;
      toLead(kind === 'shutdown_response' ? { ...letter(), text: `It goes on: ${text}` } : letter());
      return { kind: 'sent', to: [leadName], woken: [] };
    }
    if (to === everybody) {
      const others = [...mates.values()].filter((mate) => mate.team === team?.name && mate !== self && !isOver(mate));
      const woken = others.filter((mate) => peerMail(self, mate, letter()));
      if (self !== undefined) {
        self.spoke = true;
        toLead(letter());
      }
      const names = [...(self === undefined ? [] : [leadName]), ...others.map(({ name }) => name)];
      return names.length === 0
        ? failed('nobody', 'No teammate runs: nobody got the message.')
        : { kind: 'sent', to: names, woken: woken.map(({ name }) => name) };
    }
    const member = members().find(({ name, agentId }) => name === to || agentId === to);
    if (member === undefined)
      return self === undefined
        ? { kind: 'stranger' }
        : failed(
            'unknown-teammate',
            `There is no teammate ${JSON.stringify(to)}. There are: ${[leadName, ...members().map(({ name }) => name)].join(', ')}.`,
          );
    if (member.name === self?.name) return failed('to-yourself', `You are ${member.name}.`);
    const mate = mateNamed(member.agentId);
    if (mate !== undefined && !isOver(mate))
      return { kind: 'sent', to: [member.name], woken: peerMail(self, mate, letter()) ? [member.name] : [] };
    if (self !== undefined || resume === undefined)
      return failed('teammate-ended', `${member.name} has ended. Only the lead can go on with it: write to "lead".`);
    if (kind !== 'message') return failed('teammate-ended', `${member.name} has ended already.`);
    // Its run may be over a moment before it counts as ended.
    await fleet.agents.get(member.agentId)?.ended;
    const outcome = await resume(member.agentId, prompt(letter()), toolUseId);
    if (outcome.kind === 'failed') return outcome;
    const resumed =
      outcome.kind === 'resumed' ? { resumed: { agentId: outcome.agentId, transcript: outcome.transcript } } : {};
    return { kind: 'sent', to: [member.name], woken: [member.name], ...resumed };
  };
  /** What teammates write to each other the person can read, too. True where it was idle. */
  const peerMail = (from: Mate | undefined, mate: Mate, letter: Letter): boolean => {
    const { id: mailId, text, summary } = letter;
    if (from !== undefined)
      writer.write({ type: 'system', subtype: 'team_mail', mailId, from: from.name, to: mate.name, text, summary });
    return toMate(mate, letter);
  };

  const dissolve = async (): Promise<{ problem: string } | TeamRemains> => {
    if (team === undefined) return { problem: 'There is no team. Nothing was changed.' };
    const { name } = team;
    const all = [...mates.values()].filter((mate) => mate.team === name);
    const ended = all
      .filter((mate) => !isOver(mate))
      .map((mate) => ({
        name: mate.name,
        wasWorking: !mate.idle,
        unread: mate.run?.waiting.length ?? mate.early.length,
      }));
    await Promise.all(
      all.map((mate) => {
        const agent = fleet.agents.get(mate.id);
        if (agent?.state !== 'running') return undefined;
        // The result of the call says it; of one that was ending by itself the report does.
        if (agent.run !== undefined) agent.stoppedIn = 'conversation';
        agent.stop.abort(abortError());
        return agent.ended;
      }),
    );
    const list = tasksFromRecords(records);
    const names = new Set(all.map((mate) => mate.name));
    const openTasks = list.tasks
      .filter(({ owner, status }) => status !== 'completed' && owner !== undefined && names.has(owner))
      .map((task) => taskLine(task, list));
    team = undefined;
    mates.clear();
    changed();
    return { name, ended, openTasks };
  };

  return {
    seenBy(agentId) {
      const mate = agentId === undefined ? undefined : mates.get(agentId);
      if (agentId !== undefined && mate === undefined) return undefined;
      const notLead = { problem: 'Only the lead makes and ends teams.' };
      return {
        self: mate?.name ?? leadName,
        current,
        create(name, description) {
          if (mate !== undefined) return notLead;
          if (team !== undefined)
            return {
              problem: `There is a team already: ${team.name}. End it with TeamDelete first, or start teammates in it.`,
            };
          team = { name, description, since: records.length };
          return { team: { name, description, members: [] } };
        },
        dissolve: async () => (mate === undefined ? dissolve() : notLead),
        send: (mail, toolUseId) => send(mate, mail, toolUseId),
      };
    },
    tasksOf(agentId, own) {
      const mate = agentId === undefined ? undefined : mates.get(agentId);
      if (agentId !== undefined && mate === undefined) return own;
      const self = mate?.name ?? leadName;
      return {
        list: () => (team === undefined ? own.list() : tasksFromRecords(records)),
        refuses: own.refuses,
        judge(list, id, patch) {
          if (team === undefined) return { patch };
          const problem = mate === undefined ? undefined : claimProblem(list, id, patch, self);
          return problem === undefined ? { patch: withClaim(list, id, patch, self) } : { problem };
        },
        share(list, { task, before }) {
          if (team === undefined) return list;
          const shared = { ...list, revision: (list.revision ?? 0) + 1 };
          writer.write({ type: 'system', subtype: 'task_list', ...shared });
          const owner =
            task.owner === undefined || task.owner === before?.owner || task.owner === self
              ? undefined
              : mateNamed(task.owner);
          if (owner !== undefined && !isOver(owner)) {
            toMate(owner, {
              id: uuid(),
              from: self,
              text: `Task #${task.id} is yours now: ${task.subject}\n\n${task.description}`.trim(),
              summary: `Task #${task.id} is yours`,
              kind: 'message',
            });
          }
          return shared;
        },
      };
    },
    join(teammate) {
      if (team === undefined) return undefined;
      const { name } = teammate;
      const problem = nameProblem(name);
      if (problem !== undefined) return { problem };
      const namesake = members().find((member) => member.name === name);
      if (namesake !== undefined)
        return {
          problem: `The team has a teammate ${JSON.stringify(name)} already, which ${namesake.state === 'ended' ? 'has ended: SendMessage to it goes on with it' : `is ${namesake.state}: write to it with SendMessage`}. For another one choose another name.`,
        };
      return seat(mateOf(teammate, team.name), undefined);
    },
    rejoin(teammate, of) {
      const before = mates.get(teammate.id);
      if (team === undefined || (before?.team ?? of) !== team.name) return undefined;
      return seat(mateOf(teammate, team.name), before);
    },
    wake: (agentId) => mates.get(agentId)?.wake?.(),
    resumeWith: (given) => void (resume = given),
    hookFields(agentId) {
      const mate = agentId === undefined ? undefined : mates.get(agentId);
      if (mate !== undefined) return { teammate_name: mate.name, team_name: mate.team };
      return agentId === undefined && team !== undefined ? { team_name: team.name } : {};
    },
    get callsLead() {
      return team !== undefined && outbox.owesReport;
    },
    callLead,
    nextChange: () => new Promise((resolve) => waiters.push(resolve)),
    catchUp() {
      for (const { mailId: id, from, text, summary } of undeliveredMail(records, leadName))
        outbox.report(letterText({ id, from, text, summary, kind: 'message' }));
      const lost = members().filter(({ state }) => state === 'ended');
      if (team !== undefined && lost.length > 0)
        outbox.remind(
          `The team ${team.name} is still there, but its teammates ended when the session was closed: ${lost.map(({ name }) => name).join(', ')}. SendMessage to one goes on with it, where it stood; its unread messages reach it then. TeamDelete ends the team.`,
        );
    },
  };
}
