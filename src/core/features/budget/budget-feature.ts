// The budget of a session as a feature. The agents of a conversation share its budget.
import { provides } from '../../feature/feature-key';
import { type FeatureFactory, type SessionAccess, type SessionFeature } from '../../feature/session-feature';
import { budget } from './budget-key';
import { SessionBudget } from './session-budget';

export interface BudgetOptions {
  /** Dollars that the session may cost, agents included, unless the user lets it go on; asked before each request, 0 for no limit. */
  limit: () => number;
  /** What the log has cost before this process counts too, or not. */
  counts: 'session' | 'run';
  /** Dollars of the limit that went elsewhere: into sessions that this one took the place of. */
  spentBefore?: number;
}

export function budgetFeature(options: BudgetOptions): FeatureFactory {
  return (access) => {
    const { settings, ports, writer } = access;
    const shared = new SessionBudget({
      ...options,
      records: settings.records,
      emit: settings.emit,
      ports,
      write: (value) => void writer.write({ type: 'system', subtype: 'setting', name: 'budget', value }),
    });
    // What the user has stopped may be asked about again with the conversation's next turn, not with an agent's.
    return { ...within(shared, access), turnBegins: () => shared.turnBegins() };
  };
}

function within(shared: SessionBudget, { model, settings }: SessionAccess): SessionFeature {
  return {
    ...provides(budget, shared),
    aroundRequests: (steps, signal) => ({
      ...steps,
      request: async (raise, mayCompact) =>
        (await shared.check({ model: model(), records: settings.records }, signal)) ?? steps.request(raise, mayCompact),
    }),
    inAgents: () => (access) => within(shared, access),
  };
}
