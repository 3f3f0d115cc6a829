// Side questions as a feature: asked by the host, answered from the conversation.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory } from '../../feature/session-feature';
import { budget } from '../budget/budget-key';
import { sideQuestions } from './side-questions-key';
import { createSideQuestions } from './side-questions';

export const sideQuestionsFeature: FeatureFactory = ({ settings, ports, requests, countUsage, feature }) =>
  provides(
    sideQuestions,
    createSideQuestions({
      model: ports.model,
      conversation: () => requests.of(settings.records),
      countUsage,
      budget: () => feature(budget),
      records: settings.records,
    }),
  );
