// The goal of a session as a feature: the user sets it, and no turn ends before it is met. Agents have their task instead.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { goal } from './goal-key';
import { createSessionGoal } from './session-goal';

export const goalFeature: FeatureFactory = ({ settings, writer, session, messages }) => {
  const kept = createSessionGoal({
    records: settings.records,
    writer,
    smallModel: session.smallModel,
    nudge: messages.nudge,
  });
  return {
    ...provides(goal, kept),
    sources: [kept.source],
    // Turns that begin by themselves share the checks of the user's last message.
    turnBegins: (prompt) => prompt && kept.begin(),
    beforeEnd: kept.beforeEnd,
  };
};
