// The members of a conversation's team (teammates of this process, and those whose start the log records) and their mail.
import { defined } from '../../../shared/defined';
import { type Prompt } from '../../events/steering-queue';
import { type SessionAccess } from '../../feature/session-feature';
import { type Letter, letterText } from '../../sessions/mail-text';
import { startedTeammates } from '../../sessions/started-agents';
import { type LoggedTeam, teamFromRecords } from '../../sessions/team-from-records';
import { type MailOutcome, type Problem, type Team, type TeamMail, type TeamMember } from '../../tool/session-team';
import { failed, taskPrompt } from '../subagents/subagent-texts';
import { subagents } from '../subagents/subagents-key';
import { type Teammate } from './teammate';

/** How everybody writes to the conversation. */
export const leadName = 'lead';
/** Names that others give it. */
const leadNames: ReadonlySet<string> = new Set([leadName, 'team-lead', 'leader', 'main']);
/** To all others of the team. */
const everybody = '*';

function isLead(name: string): boolean {
  return leadNames.has(name.toLowerCase());
}

/** Why a teammate cannot be called that; the team's own names come on top. */
export function nameProblem(name: string): string | undefined {
  if (isLead(name) || name === everybody) return `${JSON.stringify(name)} is reserved in teams. Choose another name.`;
  return /^[\w.-]{1,64}$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a valid teammate name: use up to 64 letters, digits, "-", "_" and ".".`;
}

/** `self`: who writes, undefined for the lead. */
export class TeamMembers {
  readonly #access: SessionAccess;
  readonly #callLead: () => void;
  /** Those of this process, by name. */
  readonly mates = new Map<string, Teammate>();
  #team: LoggedTeam | undefined;

  constructor(access: SessionAccess, callLead: () => void) {
    this.#access = access;
    this.#callLead = callLead;
    this.#team = teamFromRecords(access.settings.records);
  }

  /** Undefined if there is no team. */
  get teamName(): string | undefined {
    return this.#team?.name;
  }

  get current(): Team | undefined {
    return this.#team && { name: this.#team.name, members: this.members };
  }

  get members(): TeamMember[] {
    if (this.#team === undefined) return [];
    const members = new Map<string, TeamMember>();
    for (const { id, name } of startedTeammates(this.#access.settings.records.slice(this.#team.since), this.#team.name))
      members.set(name, { name, agentId: id, state: 'ended' });
    for (const { name, agent, state } of this.mates.values()) members.set(name, { name, agentId: agent.id, state });
    return [...members.values()];
  }

  create(name: string): Problem | undefined {
    const now = this.teamName;
    if (now !== undefined) return { problem: `A team already exists: ${now}. End it first, or start teammates in it.` };
    this.#team = { name, since: this.#access.settings.records.length };
    return undefined;
  }

  end(): void {
    this.#team = undefined;
    this.mates.clear();
  }

  async send(self: Teammate | undefined, mail: TeamMail, toolUseId: string): Promise<MailOutcome | undefined> {
    if (this.teamName === undefined) return undefined;
    const { to, kind } = mail;
    if (kind === 'shutdown_request' && self !== undefined)
      return failed('not-the-lead', 'Only the lead can ask others to end.');
    if (kind === 'shutdown_response' && (self === undefined || !isLead(to)))
      return failed('not-asked', "A shutdown_response is a teammate's reply to the lead.");
    if (to === everybody) return this.#toAll(self, mail);
    if (!isLead(to)) return this.#toOne(self, mail, toolUseId);
    return self === undefined ? failed('to-yourself', 'You are the lead.') : this.#toLead(self, mail);
  }

  #toLead(self: Teammate, mail: TeamMail): MailOutcome {
    self.spoke = true;
    if (mail.approve === true) self.stays = false;
    else {
      this.#access.messages.report(letterText(this.#letter(self, { ...mail, to: leadName })));
      this.#callLead();
    }
    return { kind: 'sent', to: [leadName], woken: [] };
  }

  #toAll(self: Teammate | undefined, mail: TeamMail): MailOutcome {
    const others = [...this.mates.values()].filter((mate) => mate !== self && mate.state !== 'ended');
    const woken = others.filter(({ state }) => state === 'idle').map(({ name }) => name);
    for (const { name, agent } of others) agent.run?.steer(this.prompt(self, { ...mail, to: name }));
    if (self !== undefined) this.#toLead(self, mail);
    const to = [...(self === undefined ? [] : [leadName]), ...others.map(({ name }) => name)];
    if (to.length === 0) return failed('nobody', 'No teammates are running: nobody got the message.');
    return { kind: 'sent', to, woken };
  }

  async #toOne(self: Teammate | undefined, mail: TeamMail, toolUseId: string): Promise<MailOutcome | undefined> {
    const { members } = this;
    const member = members.find(({ name, agentId }) => name === mail.to || agentId === mail.to);
    const names = [leadName, ...members.map(({ name }) => name)].join(', ');
    if (member === undefined)
      return (
        self && failed('unknown-teammate', `There is no teammate ${JSON.stringify(mail.to)}. There are: ${names}.`)
      );
    const { name, agentId, state } = member;
    if (name === self?.name) return failed('to-yourself', `You are ${name}.`);
    const agents = this.#access.feature(subagents);
    if (agents === undefined || (state === 'ended' && self !== undefined))
      return failed('teammate-ended', `${name} has ended. Only the lead can resume it: write to "lead".`);
    if (state === 'ended' && mail.kind !== 'message') return failed('teammate-ended', `${name} has ended already.`);
    const outcome = await agents.deliver(agentId, this.prompt(self, { ...mail, to: name }), toolUseId);
    if (outcome.kind === 'failed') return outcome;
    const resumed = outcome.kind === 'resumed' ? outcome : undefined;
    return { kind: 'sent', to: [name], woken: state === 'working' ? [] : [name], ...defined({ resumed }) };
  }

  /** The mail as a teammate gets it. */
  prompt(self: Teammate | undefined, mail: TeamMail): Prompt {
    return taskPrompt(letterText(this.#letter(self, mail)));
  }

  /** The user reads in the chat what teammates write. For the lead, the log keeps it until a request has held it. */
  #letter(self: Teammate | undefined, { to, text, summary = '', kind }: TeamMail): Letter {
    const { ports, writer } = this.#access;
    const letter = { id: ports.uuid(), from: self?.name ?? leadName, text, summary };
    if (self !== undefined)
      writer.write({ type: 'system', subtype: 'team_mail', mailId: letter.id, from: letter.from, to, text, summary });
    return { ...letter, kind };
  }
}
