// The features of one session, asked in the order of their list. It is empty while the session is built: nothing asks a feature before all are there.
import { type ContextSource } from '../context/context-source';
import { type Emit } from '../events/session-event';
import { type Prompt } from '../events/steering-queue';
import { type SessionControls } from '../feature/agent-session';
import { type FeatureKey } from '../feature/feature-key';
import { type AnnounceEvent, type EndReason } from '../feature/session-parts';
import {
  type ExpandedPrompt,
  type FeatureFactory,
  type OtherModel,
  type PromptRefusal,
  type QueuedRefusal,
  type RequestSteps,
  type SessionAccess,
  type SessionFeature,
  type StartedAgentFacts,
} from '../feature/session-feature';
import { type HookOutcome, mergeOutcomes, noOutcome } from '../hooks/hook-outcome';
import { type ToolHooks } from '../hooks/tool-hooks';
import { type ExecutedCall, type ToolCall } from '../calls/tool-call';
import { type PastDecisions } from '../calls/past-decisions';
import { type TurnEnd } from '../loop/after-reply';
import { type Ports } from '../ports/ports';
import { type BackgroundCommand } from '../ports/terminal';
import { type AnyTool, type PromptContext } from '../tool/tool';
import { joinedToolHooks } from './joined-tool-hooks';

export class FeatureList {
  readonly #features: SessionFeature[] = [];
  #tools: { of: readonly (readonly AnyTool[])[]; all: readonly AnyTool[] } | undefined;

  open(factories: readonly FeatureFactory[], access: SessionAccess): void {
    for (const factory of factories) {
      const feature = factory(access);
      this.#features.push(feature);
      Object.assign(access.session, feature.forTools);
    }
  }

  find<Api>(key: FeatureKey<Api>): Api | undefined {
    // provides() has tied the name to the type.
    return this.#features.find(({ name }) => name === key.name)?.api as Api | undefined;
  }

  get sources(): ContextSource[] {
    return this.#features.flatMap(({ sources }) => sources ?? []);
  }

  /** The same list as long as no feature has another one. */
  tools(): readonly AnyTool[] {
    const lists = this.#features.flatMap((feature) => (feature.tools === undefined ? [] : [feature.tools()]));
    if (lists.length <= 1) return lists[0] ?? noTools;
    if (this.#tools?.of.length !== lists.length || this.#tools.of.some((list, at) => list !== lists[at]))
      this.#tools = { of: lists, all: lists.flat() };
    return this.#tools.all;
  }

  async offeredAgents(): Promise<Pick<PromptContext, 'agents'>> {
    const offered = await Promise.all(this.#features.flatMap(({ agents }) => agents?.offered() ?? []));
    return Object.assign({}, ...offered) as Pick<PromptContext, 'agents'>;
  }

  agentDecisions(): readonly Pick<PastDecisions, 'trace'>[] {
    return this.#features.flatMap(({ agents }) => agents?.decisions() ?? []);
  }

  turnBegins(prompt: Prompt | undefined): void {
    for (const feature of this.#features) feature.turnBegins?.(prompt);
  }

  async catchUp(): Promise<void> {
    for (const { background } of this.#features) await background?.catchUp?.();
  }

  async beforePrompt(prompt: Prompt | undefined, signal: AbortSignal): Promise<PromptRefusal | undefined> {
    for (const { prompts } of this.#features) {
      const refusal = prompts?.refusesStart?.();
      if (refusal !== undefined) return { kind: 'refused', message: refusal };
    }
    for (const { prompts } of this.#features) await prompts?.begin?.(prompt, signal);
    for (const { prompts } of this.#features) {
      const refusal = await prompts?.before?.(prompt, signal);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async expandPrompt(prompt: Prompt, signal: AbortSignal): Promise<ExpandedPrompt> {
    let expanded = prompt;
    for (const { prompts } of this.#features) {
      const outcome = await prompts?.expand?.(expanded, signal);
      if (outcome === undefined) continue;
      if (outcome.kind !== 'prompt') return outcome;
      expanded = outcome.prompt;
    }
    return { kind: 'prompt', prompt: expanded };
  }

  async refusesQueued(prompt: Prompt, signal: AbortSignal): Promise<QueuedRefusal | undefined> {
    for (const { prompts } of this.#features) {
      const refusal = await prompts?.refusesQueued?.(prompt, signal);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async expandQueued(prompt: Prompt, signal: AbortSignal): Promise<Prompt | undefined> {
    let expanded = prompt;
    for (const { prompts } of this.#features) {
      if (prompts?.expandQueued === undefined) continue;
      const next = await prompts.expandQueued(expanded, signal);
      if (next === undefined) return undefined;
      expanded = next;
    }
    return expanded;
  }

  aroundRequests(steps: RequestSteps, signal: AbortSignal): RequestSteps {
    return this.#features.reduceRight((inner, feature) => feature.aroundRequests?.(inner, signal) ?? inner, steps);
  }

  get otherModel(): OtherModel | undefined {
    return this.#features.find(({ otherModel }) => otherModel !== undefined)?.otherModel;
  }

  get callHooks(): ToolHooks | undefined {
    return joinedToolHooks(this.#features.flatMap(({ calls }) => calls?.hooks ?? []));
  }

  callPorts(ports: Ports): Ports {
    return this.#features.reduce((inner, { calls }) => calls?.ports?.(inner) ?? inner, ports);
  }

  callWritten(call: ToolCall): void {
    for (const { calls } of this.#features) calls?.written?.(call);
  }

  replyEmit(emit: Emit): Emit {
    return this.#features.find(({ reply }) => reply !== undefined)?.reply?.emit ?? emit;
  }

  async repliesSettled(): Promise<void> {
    for (const { reply } of this.#features) await reply?.settled();
  }

  async afterTools(results: readonly ExecutedCall[], signal: AbortSignal): Promise<TurnEnd | undefined> {
    for (const feature of this.#features) {
      const end = await feature.afterTools?.(results, signal);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  async beforeEnd(end: TurnEnd, signal: AbortSignal): Promise<TurnEnd | undefined> {
    let wanted: TurnEnd | undefined = end;
    for (const feature of this.#features) {
      if (feature.beforeEnd !== undefined) wanted = await feature.beforeEnd(wanted, signal);
      if (wanted === undefined) return undefined;
    }
    return wanted;
  }

  afterTurn(end: TurnEnd): void {
    for (const feature of this.#features) feature.afterTurn?.(end);
  }

  readonly event: AnnounceEvent = async (...event): Promise<HookOutcome> => {
    const outcomes = this.#features.flatMap((feature) => feature.onEvent?.(...event) ?? []);
    return mergeOutcomes((await Promise.all(outcomes)).filter((outcome) => outcome !== noOutcome));
  };

  async commandEnded(command: BackgroundCommand): Promise<boolean> {
    for (const { background } of this.#features) if ((await background?.commandEnded?.(command)) === true) return true;
    return false;
  }

  readonly controls: SessionControls = {
    run: async (command, text) => {
      const owner = this.#features.find(({ controls }) => controls?.commands?.[command] !== undefined);
      return owner?.controls?.commands?.[command]?.(text);
    },
    end: async (id) => {
      for (const { controls } of this.#features) if ((await controls?.end?.(id)) === true) return true;
      return false;
    },
  };

  ofAgent(agent: StartedAgentFacts): FeatureFactory[] {
    return this.#features.flatMap((feature) => feature.inAgents?.(agent) ?? []);
  }

  async close(reason: EndReason): Promise<void> {
    for (const feature of [...this.#features].reverse()) await feature.close?.(reason);
  }
}

const noTools: readonly AnyTool[] = [];
