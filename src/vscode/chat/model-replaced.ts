// What a chat says when its session goes on with another model, because the provider has none of the old name.
import { modelLabel } from '../../core/model/models';

/** Title and detail of the notice. */
export function modelReplaced(before: string, now: string): [title: string, detail: string] {
  return [`This session goes on with ${modelLabel(now)}.`, `The provider that answers now has no model ${modelLabel(before)}. Pick another one with "Deft: Select Model".`];
}
