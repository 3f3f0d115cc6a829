// Several features look at the same call: each sees it in the order of the list, as the previous one left it.
import { defined } from '../../shared/defined';
import { type BeforeToolOutcome, type ToolHooks } from '../hooks/tool-hooks';

export function joinedToolHooks(all: readonly ToolHooks[]): ToolHooks | undefined {
  return all.length <= 1 ? all[0] : new JoinedToolHooks(all);
}

/** The stricter of two decisions counts. */
const strictest = ['deny', 'ask', 'allow'] as const;

class JoinedToolHooks implements ToolHooks {
  readonly #all: readonly ToolHooks[];

  constructor(all: readonly ToolHooks[]) {
    this.#all = all;
  }

  async before(...[call, signal]: Parameters<ToolHooks['before']>): Promise<BeforeToolOutcome> {
    let joined: BeforeToolOutcome = {};
    let { input } = call;
    for (const hooks of this.#all) {
      const outcome = await hooks.before({ ...call, input }, signal);
      if (outcome.updatedInput !== undefined) input = outcome.updatedInput;
      const isStricter = rank(outcome) < rank(joined);
      joined = {
        ...joined,
        ...outcome,
        ...defined({
          decision: (isStricter ? outcome : joined).decision,
          reason: (isStricter ? outcome : joined).reason,
          additionalContext: texts(joined.additionalContext, outcome.additionalContext),
        }),
      };
    }
    return joined;
  }

  async request(...[call, suggestions, signal]: Parameters<ToolHooks['request']>): ReturnType<ToolHooks['request']> {
    for (const hooks of this.#all) {
      const answer = await hooks.request(call, suggestions, signal);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  async denied(...[call, reason, signal]: Parameters<ToolHooks['denied']>): Promise<string | undefined> {
    let text: string | undefined;
    for (const hooks of this.#all) text = texts(text, await hooks.denied(call, reason, signal));
    return text;
  }

  async after(...[call, output, signal]: Parameters<ToolHooks['after']>): ReturnType<ToolHooks['after']> {
    let joined: Awaited<ReturnType<ToolHooks['after']>> = {};
    let now = output;
    for (const hooks of this.#all) {
      const outcome = await hooks.after(call, now, signal);
      if ('updatedToolOutput' in outcome) now = () => outcome.updatedToolOutput;
      const additionalContext = texts(joined.additionalContext, outcome.additionalContext);
      joined = { ...joined, ...outcome, ...defined({ additionalContext }) };
      if (outcome.withheld !== undefined) break;
    }
    return joined;
  }

  async unusable(...told: Parameters<NonNullable<ToolHooks['unusable']>>): Promise<void> {
    for (const hooks of this.#all) await hooks.unusable?.(...told);
  }

  async failed(...[call, error, signal]: Parameters<ToolHooks['failed']>): Promise<string | undefined> {
    let text: string | undefined;
    for (const hooks of this.#all) text = texts(text, await hooks.failed(call, error, signal));
    return text;
  }
}

function rank({ decision }: BeforeToolOutcome): number {
  return decision === undefined ? strictest.length : strictest.indexOf(decision);
}

function texts(...some: (string | undefined)[]): string | undefined {
  const said = some.filter((text) => text !== undefined);
  return said.length === 0 ? undefined : said.join('\n');
}
