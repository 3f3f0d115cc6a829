// Decides whether a call may run, asking the person where the rules say so: what was approved is exactly what runs.
import { keepLineEndings } from '../edits/line-endings';
import { decide } from '../permissions/decide';
import { type PermissionContext, type PermissionTarget, type PermissionVerdict } from '../permissions/verdict';
import { type ApprovalDecision, type ApprovalRequest, type Ports } from '../ports';
import { type PermissionUpdate } from '../../shared/permission';
import { type ToolView } from '../../shared/tool-view';
import { type AcceptedProposal, type AnyTool, type ToolContext, type ToolPreview, isFailure } from '../tools/tool';
import { type BeforeToolOutcome } from '../hooks/tool-hooks';
import { redactValue } from './redact-result';
import { resolveTargets } from './resolve-targets';
import { type Emit } from './session-event';
import { errorResult, type ExecutedCall, failureResult, type ToolCall } from './tool-call';

export interface AuthoriseServices {
  ports: Pick<Ports, 'files' | 'approver' | 'clock' | 'uuid'>;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => void | Promise<void>;
  emit: Emit;
  /** Ends what the person is asked, when the turn ends; running tools have a signal of their own. */
  questionSignal: AbortSignal;
  /** Credentials that no result, no progress and no question may show. */
  secrets?: (() => readonly string[]) | undefined;
}

export type Authorisation =
  | { granted: true; targets: PermissionTarget[]; proposal?: AcceptedProposal; comment?: string }
  | { granted: false; result: ExecutedCall };

/** A link that was moved while the person looked asks again, this often at most. */
const maxAsks = 3;

export async function authoriseCall(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  hook: BeforeToolOutcome,
  context: ToolContext,
  services: AuthoriseServices,
): Promise<Authorisation> {
  let preview: ToolPreview | undefined;
  for (let ask = 0; ask < maxAsks; ask++) {
    const targets = await resolveTargets(tool, input, context.session, services.ports.files);
    const judged = judge(tool, input, targets, services);
    const own = await tool.checkPermissions(input, context);
    const verdict = combine(judged, own, hook);
    // What a hook or the tool itself asks stays a question, whatever rules were granted meanwhile.
    const stillNeeded = (): boolean => combine(judge(tool, input, targets, services), own, hook).behavior !== 'allow';
    if (verdict.behavior === 'deny') return denied(call, `Permission denied: ${verdict.reason}`);

    if (preview === undefined && tool.preview !== undefined) {
      const made = await tool.preview(input, context);
      if (isFailure(made)) return { granted: false, result: failureResult(call, made) };
      preview = made;
    }
    if (verdict.behavior === 'allow') return { granted: true, targets, ...accepted(preview, undefined, false) };

    const decision = await askPerson(call, tool, input, targets, { ...verdict, stillNeeded }, preview, context, services, ask > 0);
    if (decision.behavior === 'deny') return rejected(call, decision);
    const now = await resolveTargets(tool, input, context.session, services.ports.files);
    if (JSON.stringify(now) !== JSON.stringify(targets)) {
      // What was shown is of the old place.
      preview = undefined;
      continue;
    }
    if (decision.updates !== undefined) await services.applyUpdates(decision.updates);
    return {
      granted: true,
      targets,
      ...accepted(preview, decision.text, true),
      ...(decision.comment === undefined ? {} : { comment: decision.comment }),
    };
  }
  return denied(call, 'Permission denied: the path kept changing while it was being approved.');
}

function judge(tool: AnyTool, input: unknown, targets: PermissionTarget[], services: AuthoriseServices): PermissionVerdict {
  const readOnly = tool.isReadOnly(input);
  // A tool that mostly looks may change something with this input: then it is judged as one that writes.
  const access = tool.access === 'ReadOnly' && !readOnly ? 'WorkspaceWrite' : tool.access;
  return decide({ tool: tool.name, access, readOnly, targets }, services.permission());
}

/** The strictest answer wins; a hook's allow skips only a question that no rule and no protected path asks for. */
function combine(verdict: PermissionVerdict, own: PermissionVerdict | undefined, hook: BeforeToolOutcome): PermissionVerdict {
  if (hook.decision === 'deny') {
    return { behavior: 'deny', code: 'rule', reason: hook.reason ?? 'a hook denied this call.', suggestions: [] };
  }
  const asks = [verdict, own].filter((one) => one?.behavior === 'ask');
  // The one that nothing lifts: "always allow" would not change it, so it offers none.
  const strictest = [verdict, own].find((one) => one?.behavior === 'deny') ?? asks.find((one) => one !== undefined && !isLifted(one)) ?? asks[0] ?? verdict;
  if (strictest.behavior === 'allow' && hook.decision === 'ask') {
    return { behavior: 'ask', code: 'rule', reason: hook.reason ?? 'A hook asks for your decision.', suggestions: [] };
  }
  if (hook.decision === 'allow' && strictest.behavior === 'ask' && isLifted(strictest)) return { ...strictest, behavior: 'allow' };
  return strictest;
}

/** A question that a rule, or a hook, may answer ahead of the person. */
function isLifted({ code }: PermissionVerdict): boolean {
  return ['no-rule', 'unknown-command', 'mode'].includes(code);
}

async function askPerson(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  targets: PermissionTarget[],
  verdict: PermissionVerdict & { stillNeeded: () => boolean },
  preview: ToolPreview | undefined,
  context: ToolContext,
  services: AuthoriseServices,
  again: boolean,
): Promise<ApprovalDecision> {
  const request: ApprovalRequest = {
    id: services.ports.uuid(),
    toolUseId: call.id,
    toolName: tool.name,
    title: approvalTitle(tool, targets, context.session.folders),
    // The change itself stays as it is: a file may hold a credential.
    view: redactValue(preview?.view ?? callView(targets, input), services.secrets?.() ?? []) as ToolView,
    reason: again ? 'What the path points to changed while you looked.' : verdict.reason,
    suggestions: verdict.suggestions,
    ...(preview?.proposal === undefined ? {} : { proposal: preview.proposal }),
  };
  services.emit({ type: 'tool_state', toolUseId: call.id, state: 'waiting', startedAt: services.ports.clock.now() });
  services.emit({ type: 'approval_asked', request });
  try {
    return await services.ports.approver.ask(request, services.questionSignal, verdict.stillNeeded);
  } finally {
    services.emit({ type: 'approval_settled', requestId: request.id });
  }
}

function accepted(preview: ToolPreview | undefined, text: string | undefined, approved: boolean): { proposal?: AcceptedProposal } {
  if (preview?.proposal === undefined) return {};
  const { proposal } = preview;
  // An editor makes all line endings alike: only what the person typed counts as a change.
  const final = text === undefined ? proposal.text : keepLineEndings(proposal.text, text);
  return {
    proposal: { ...proposal, text: final, proposedText: proposal.text, userModified: final !== proposal.text, approved },
  };
}

/** "Edit src/a.ts", "Bash npm test". */
function approvalTitle(tool: AnyTool, targets: PermissionTarget[], folders: string[]): string {
  const [target] = targets;
  if (target === undefined) return tool.name;
  if (target.kind === 'command') return `${tool.name} ${target.command}`;
  if (target.kind === 'url') return `${tool.name} ${target.url}`;
  // With several folders the path says which one; the chat shortens it.
  const folder = folders.length > 1 ? undefined : folders.find((candidate) => target.path.startsWith(`${candidate}/`));
  return `${tool.name} ${folder === undefined ? target.path : target.path.slice(folder.length + 1)}`;
}

function callView(targets: PermissionTarget[], input: unknown): ApprovalRequest['view'] {
  const command = targets.find((target) => target.kind === 'command');
  if (command !== undefined) return { kind: 'terminal', command: command.command, state: 'not-started', tail: '', bytes: 0 };
  return { kind: 'json', text: JSON.stringify(input, undefined, 2) };
}

function denied(call: ToolCall, message: string): Authorisation {
  return { granted: false, result: errorResult(call, message, { state: 'denied' }) };
}

function rejected(call: ToolCall, { message, interrupt, unasked }: Extract<ApprovalDecision, { behavior: 'deny' }>): Authorisation {
  if (unasked === true) return denied(call, `Permission denied: ${message ?? 'nobody could be asked.'}`);
  const text =
    message === undefined || message.trim() === ''
      ? 'The person rejected this call. Nothing was done. Wait for their next message.'
      : `The person rejected this call; nothing was done. They say: ${message}`;
  return { granted: false, result: errorResult(call, text, { state: 'denied', endsTurn: interrupt }) };
}
