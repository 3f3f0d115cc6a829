// What skills change for one turn: rules, the model, the effort. It ends with the turn.
import { type PermissionRule } from '../../shared/permission';
import { type Effort } from '../wire/wire';

export interface TurnChange {
  rules: readonly PermissionRule[];
  model?: string;
  effort?: Effort;
}

export interface TurnScope {
  readonly rules: readonly PermissionRule[];
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
  /** If two skills set a model or an effort, the later one counts. */
  add(change: TurnChange): void;
  clear(): void;
}

export function createTurnScope(): TurnScope {
  const none: TurnChange = { rules: [] };
  let now = none;
  return {
    get rules() {
      return now.rules;
    },
    get model() {
      return now.model;
    },
    get effort() {
      return now.effort;
    },
    add: (change) => void (now = { ...now, ...change, rules: [...now.rules, ...change.rules] }),
    clear: () => void (now = none),
  };
}
