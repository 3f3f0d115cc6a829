// Teams as a feature: the conversation leads, and agents that it gives a name stay for mail. The Team tools see it as the session's team.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionAccess, type SessionFeature } from '../../feature/session-feature';
import { agentTeam } from '../subagents/agent-team';
import { TeamRoom } from './team-room';

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
