// Teams as a feature: the conversation leads, and agents that it gives a name stay for mail. The Team tools see it as the session's team.
import { defined } from '../../../shared/defined';
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionFeature } from '../../feature/session-feature';
import { type ToolSession } from '../../tool/tool';
import { agentTeam } from '../subagents/agent-team';
import { TeamRoom } from './team-room';

export const teamsFeature: FeatureFactory = (access) => {
  const room = new TeamRoom(access);
  return { ...provides(agentTeam, room), ...placeIn(room, undefined, access.session) };
};

/** The session's place in the team: lead, teammate or none. */
function placeIn(
  room: TeamRoom,
  agentId: string | undefined,
  { tasks }: Pick<ToolSession, 'tasks'>,
): Pick<SessionFeature, 'forTools' | 'inAgents'> {
  return {
    forTools: { ...defined({ ...room.seenBy(agentId, tasks) }) },
    inAgents: () => (access) => {
      const { settings, session, messages } = access;
      const id = settings.agent?.id;
      // What its session reports wakes a teammate that rests.
      if (id !== undefined) session.onArrival(() => messages.owesReport && room.wake(id));
      return { name: agentTeam.name, ...placeIn(room, id, session) };
    },
  };
}
