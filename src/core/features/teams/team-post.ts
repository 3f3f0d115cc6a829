// The mail of a team: who may write what to whom, and how it reaches them.
import { type SessionAccess } from '../../feature/session-feature';
import { type Letter, letterText } from '../../sessions/mail-text';
import { everybody, isLead, leadName, type MailOutcome, type TeamMail } from '../../teams/team';
import { taskPrompt } from '../subagents/subagent-texts';
import { subagents } from '../subagents/subagents-key';
import { type TeamRoster } from './team-roster';
import { type Teammate } from './teammate';

function failed(code: string, message: string): MailOutcome {
  return { kind: 'failed', code, message };
}

/** `self`: who writes, undefined for the lead. */
export class TeamPost {
  readonly #access: SessionAccess;
  readonly #roster: TeamRoster;
  readonly #callLead: () => void;

  constructor(access: SessionAccess, roster: TeamRoster, callLead: () => void) {
    this.#access = access;
    this.#roster = roster;
    this.#callLead = callLead;
  }

  async send(self: Teammate | undefined, mail: TeamMail, toolUseId: string): Promise<MailOutcome> {
    if (this.#roster.teamName === undefined) return { kind: 'stranger' };
    const { to, text, summary, kind, approve } = mail;
    const letter = (): Letter => this.letter(self, text, summary, kind);
    if (kind === 'shutdown_request' && self !== undefined)
      return failed('not-the-lead', 'Only the lead can ask others to end.');
    if (kind === 'shutdown_response' && (self === undefined || !isLead(to)))
      return failed('not-asked', "A shutdown_response is a teammate's reply to the lead.");
    if (self !== undefined && kind === 'shutdown_response' && approve === true) {
      self.leaving = true;
      self.spoke = true;
      return { kind: 'sent', to: [leadName], woken: [] };
    }
    if (!isLead(to)) return to === everybody ? this.#toAll(self, letter) : this.#toOne(self, mail, letter, toolUseId);
    if (self === undefined) return failed('to-yourself', 'You are the lead.');
    this.#toLead(self, kind === 'shutdown_response' ? { ...letter(), text: `It continues: ${text}` } : letter());
    return { kind: 'sent', to: [leadName], woken: [] };
  }

  letter(self: Teammate | undefined, text: string, summary = '', kind: Letter['kind'] = 'message'): Letter {
    return { id: this.#access.ports.uuid(), from: self?.name ?? leadName, text, summary, kind };
  }

  #toAll(self: Teammate | undefined, letter: () => Letter): MailOutcome {
    const others = this.#roster.mates.filter((mate) => mate !== self && !this.#roster.isOver(mate));
    const woken = others.filter((mate) => this.#toMate(self, mate, letter()));
    if (self !== undefined) this.#toLead(self, letter());
    const names = [...(self === undefined ? [] : [leadName]), ...others.map(({ name }) => name)];
    return names.length === 0
      ? failed('nobody', 'No teammates are running: nobody got the message.')
      : { kind: 'sent', to: names, woken: woken.map(({ name }) => name) };
  }

  async #toOne(
    self: Teammate | undefined,
    { to, kind }: TeamMail,
    letter: () => Letter,
    toolUseId: string,
  ): Promise<MailOutcome> {
    const { members } = this.#roster;
    const member = members.find(({ name, agentId }) => name === to || agentId === to);
    if (member === undefined && self === undefined) return { kind: 'stranger' };
    if (member === undefined) {
      const names = [leadName, ...members.map(({ name }) => name)].join(', ');
      return failed('unknown-teammate', `There is no teammate ${JSON.stringify(to)}. There are: ${names}.`);
    }
    const { name, agentId } = member;
    if (name === self?.name) return failed('to-yourself', `You are ${name}.`);
    const mate = this.#roster.named(agentId);
    if (mate !== undefined && !this.#roster.isOver(mate))
      return { kind: 'sent', to: [name], woken: this.#toMate(self, mate, letter()) ? [name] : [] };
    const agents = this.#access.feature(subagents);
    if (self !== undefined || agents === undefined)
      return failed('teammate-ended', `${name} has ended. Only the lead can resume it: write to "lead".`);
    if (kind !== 'message') return failed('teammate-ended', `${name} has ended already.`);
    // Its run may be over a moment before it counts as ended.
    await this.#roster.agent(agentId)?.ended;
    const outcome = await agents.deliver(agentId, taskPrompt(letterText(letter())), toolUseId);
    if (outcome.kind === 'failed') return outcome;
    const resumed =
      outcome.kind === 'resumed' ? { resumed: { agentId: outcome.agentId, transcript: outcome.transcript } } : {};
    return { kind: 'sent', to: [name], woken: [name], ...resumed };
  }

  /** What teammates write to each other the user can read, too. True where the mate was idle. */
  #toMate(self: Teammate | undefined, mate: Teammate, letter: Letter): boolean {
    if (self !== undefined) this.#log(letter, mate.name);
    return mate.take(taskPrompt(letterText(letter)));
  }

  /** The log keeps it until a request has held it. */
  #toLead(self: Teammate, letter: Letter): void {
    self.spoke = true;
    this.#log(letter, leadName);
    this.#access.messages.report(letterText(letter));
    this.#callLead();
  }

  #log({ id: mailId, from, text, summary }: Letter, to: string): void {
    this.#access.writer.write({ type: 'system', subtype: 'team_mail', mailId, from, to, text, summary });
  }
}
