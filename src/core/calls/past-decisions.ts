// The decisions of one session: the latest ones as they were weighed, and any call of the log weighed again.
import { type CallDecision, type DecisionTrace } from '../../shared/decision-trace';
import { explain } from '../permissions/explain';
import { type PermissionCall, type PermissionContext } from '../permissions/rules/verdict';
import { type Ports } from '../ports/ports';
import { type SessionRecord } from '../ports/record';
import { type ToolRegistry } from '../tools/registry';
import { shownInput } from '../tool/shown-input';
import { type ToolSession } from '../tool/tool';
import { type WeighedCall } from './call-decision';
import { permissionCall, resolveTargets } from './resolve-targets';
import { type ToolCall } from './tool-call';
import { traceText } from './trace-text';

/** Lists of rules are shared between them, so one costs little. */
const maxKept = 200;

type DecisionFacts = { type: 'system'; subtype: 'decision'; toolUseId: string } & CallDecision;

export interface PastDecisions {
  weighed(this: void, call: ToolCall, weighed: WeighedCall): void;
  /** Into the log of the session; into that of the host with its trace. */
  decided(this: void, call: ToolCall, decision: CallDecision, weighed: WeighedCall): void;
  /** `present`: by the rules and the mode of now, since those of then are not known any more. Undefined for a call that cannot be read. */
  trace(toolUseId: string): Promise<{ trace: DecisionTrace; present: boolean } | undefined>;
  /** The calls of the log, oldest first, as rules see them. */
  calls(): Promise<PastCall[]>;
}

export interface PastCall {
  toolUseId: string;
  call: PermissionCall;
}

export interface PastDecisionsOptions {
  records: readonly SessionRecord[];
  registry: ToolRegistry;
  session: ToolSession;
  ports: Pick<Ports, 'files' | 'log'>;
  permission: () => PermissionContext;
  write: (facts: DecisionFacts) => void;
  /** The agents that run: the user is asked about their calls here. */
  agents?: () => readonly Pick<PastDecisions, 'trace'>[];
}

export function createPastDecisions(options: PastDecisionsOptions): PastDecisions {
  const kept = new Map<string, WeighedCall>();
  return {
    weighed({ id }, { call, context }) {
      kept.delete(id);
      kept.set(id, { call, context });
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    },
    decided({ id, name }, decision, { call, context }) {
      options.write({ type: 'system', subtype: 'decision', toolUseId: id, ...decision });
      // Worked out only where such lines are written.
      options.ports.log.debug(`${name} ${id}: ${decision.behavior} by ${decision.by}`, {
        toJSON: () => traceText(explain(call, context)).split('\n'),
      });
    },
    async trace(toolUseId) {
      const weighed = kept.get(toolUseId);
      if (weighed !== undefined) return { trace: explain(weighed.call, weighed.context), present: false };
      const found = blocksOf(options.records).findLast(({ id }) => id === toolUseId);
      if (found === undefined) return traceOfAgent(toolUseId, options.agents?.() ?? []);
      const call = await readCall(found, options);
      return call && { trace: explain(call, { ...options.permission(), cwd: found.cwd }), present: true };
    },
    async calls() {
      const read = await Promise.all(
        blocksOf(options.records).map(async (block): Promise<PastCall[]> => {
          const call = kept.get(block.id)?.call ?? (await readCall(block, options));
          return call === undefined ? [] : [{ toolUseId: block.id, call }];
        }),
      );
      return read.flat();
    },
  };
}

async function traceOfAgent(
  toolUseId: string,
  agents: readonly Pick<PastDecisions, 'trace'>[],
): ReturnType<PastDecisions['trace']> {
  for (const agent of agents) {
    const found = await agent.trace(toolUseId);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface CallBlock {
  id: string;
  name: string;
  input: unknown;
  cwd: string;
}

function blocksOf(records: readonly SessionRecord[]): CallBlock[] {
  return records.flatMap((record) =>
    record.type === 'assistant'
      ? record.message.content.flatMap((block) =>
          block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input, cwd: record.cwd }] : [],
        )
      : [],
  );
}

/** A log may hold inputs of another version: those cannot be judged. */
async function readCall(
  { name, input, cwd }: CallBlock,
  { registry, session, ports }: PastDecisionsOptions,
): Promise<PermissionCall | undefined> {
  const tool = registry.find(name);
  try {
    const shown = tool && shownInput(tool, input);
    if (tool === undefined || shown === undefined) return undefined;
    const resolved = await resolveTargets(tool, shown, { ...session, ...(cwd === '' ? {} : { cwd }) }, ports.files);
    return permissionCall(tool, shown, resolved);
  } catch {
    return undefined;
  }
}
