// The team of a session that only the tools' own part is tested of.
import { type MailOutcome, type SessionTeam, type Team, type TeamMail } from '../../src/core/tool/session-team';

export interface ScriptedTeam extends SessionTeam {
  readonly sent: TeamMail[];
}

/** There is one, unless `none`; mail goes to finder (who was idle), ended (who continues) and "*". */
export function scriptedTeam(none = false): ScriptedTeam {
  let team: Team | undefined = none
    ? undefined
    : {
        name: 'crew',
        members: [{ name: 'finder', agentId: 'a1', state: 'idle' }],
      };
  const sent: TeamMail[] = [];
  const outcomes: Record<string, MailOutcome> = {
    finder: { kind: 'sent', to: ['finder'], woken: ['finder'] },
    ended: {
      kind: 'sent',
      to: ['ended'],
      woken: ['ended'],
      resumed: { agentId: 'a1', transcript: '/t/agent-a1.jsonl' },
    },
    '*': { kind: 'sent', to: ['finder', 'ended'], woken: [] },
    lead: { kind: 'failed', code: 'to-yourself', message: 'You are the lead.' },
  };
  return {
    sent,
    current: () => team,
    create(name) {
      if (team !== undefined) return { problem: `A team already exists: ${team.name}.` };
      team = { name, members: [] };
      return undefined;
    },
    async dissolve() {
      if (team === undefined) return { problem: 'There is no team. Nothing was changed.' };
      const { name, members } = team;
      team = undefined;
      return {
        name,
        ended: members.map((member) => ({ name: member.name, wasWorking: member.state === 'working', unread: 2 })),
        openTasks: members.length === 0 ? [] : ['#1 Build (pending, owner finder)'],
      };
    },
    async send(mail) {
      sent.push(mail);
      return outcomes[mail.to];
    },
  };
}
