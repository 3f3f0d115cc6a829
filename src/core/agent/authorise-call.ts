// Decides whether a call may run, asking the person where the rules say so: what was approved is exactly what runs.
import { keepLineEndings } from '../edits/line-endings';
import { type UserBlock } from '../wire/wire';
import { decide } from '../permissions/decide';
import { type PermissionContext, type PermissionTarget, type PermissionVerdict } from '../permissions/rules/verdict';
import { type ApprovalDecision, type ApprovalRequest, type Ports } from '../ports';
import { type CallDecision, withShortFiles } from '../../shared/decision-trace';
import { type PermissionMode, type PermissionUpdate } from '../../shared/permission';
import { type ToolView } from '../../shared/tool-view';
import { visibleText } from '../../shared/visible-text';
import { type AcceptedProposal, type AnyTool, type ToolContext, type ToolPreview, isFailure } from '../tool/tool';
import { type BeforeToolOutcome, type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { isForClassifier } from '../permissions/auto/for-classifier';
import { unasked } from '../permissions/rules/refusal';
import { type AutoMode } from '../calls/auto-mode';
import {
  classifierDecision,
  hookDecision,
  personDecision,
  refusedDecision,
  unaskedDecision,
  type Weighed,
  type WeighedCall,
} from '../calls/call-decision';
import { redactText, redactValue } from '../text/redact';
import { permissionCall, resolveTargets, type ResolvedTargets } from '../calls/resolve-targets';
import { type Emit } from '../events/session-event';
import { errorResult, type ExecutedCall, failureResult, type ToolCall } from '../calls/tool-call';

export interface AuthoriseServices {
  ports: Pick<Ports, 'files' | 'approver' | 'clock' | 'uuid'>;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => void | Promise<void>;
  emit: Emit;
  /** Answers before the person where the mode is auto. */
  auto?: Pick<AutoMode, 'review'> | undefined;
  /** Ends what the person is asked, when the turn ends; running tools have a signal of their own. */
  questionSignal: AbortSignal;
  /** Credentials that no result, no progress and no question may show. */
  secrets?: (() => readonly string[]) | undefined;
  /** Before anybody is asked: what the decision is made from. */
  weighed?: ((call: ToolCall, weighed: WeighedCall) => void) | undefined;
  /** The last word on the call, and what it was made from. */
  decided?: ((call: ToolCall, decision: CallDecision, weighed: WeighedCall) => void) | undefined;
  hooks: Pick<ToolHooks, 'request' | 'denied'> | undefined;
}

export type Authorisation =
  /** With the folder that the call was judged in. */
  | ({ granted: true; proposal?: AcceptedProposal; comment?: string } & ResolvedTargets)
  | { granted: false; result: ExecutedCall }
  /** The one who was asked, or a hook in their place, wants another input: not parsed, not judged yet. */
  | { granted: false; changedInput: unknown; by: 'hook' | 'person' };

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
    const resolved = await resolveTargets(tool, input, context.session, services.ports.files);
    const sandboxed = (await tool.runsSandboxed?.(input, context)) === true;
    const first = judge(tool, input, resolved, sandboxed, services);
    const own = await tool.checkPermissions(input, context);
    const weigh = (judged = judge(tool, input, resolved, sandboxed, services)): Weighed => ({
      ...judged,
      own,
      hook,
      verdict: combine(judged.judged, own, hook, judged.context.mode),
    });
    const weighed = weigh(first);
    const { verdict } = weighed;
    services.weighed?.(call, weighed);
    // What a hook or the tool itself asks stays a question, whatever rules were granted meanwhile.
    const stillNeeded = (): boolean => weigh().verdict.behavior !== 'allow';
    const hooked: HookedCall = { toolName: tool.name, toolUseId: call.id, input };
    if (verdict.behavior === 'deny') {
      decided(call, unaskedDecision(weighed), weighed, services);
      const context =
        hook.decision === 'deny'
          ? undefined
          : await services.hooks?.denied(hooked, verdict.reason, services.questionSignal);
      return denied(call, `Permission denied: ${verdict.reason}`, { context });
    }

    if (preview === undefined && tool.preview !== undefined) {
      const made = await tool.preview(input, context);
      if (isFailure(made)) return { granted: false, result: failureResult(call, made) };
      preview = made;
    }
    if (verdict.behavior === 'allow') {
      decided(call, unaskedDecision(weighed), weighed, services);
      return { granted: true, ...resolved, ...accepted(preview, undefined, false) };
    }

    const review = isLeftToClassifier(weighed)
      ? await services.auto?.review(call.id, { tool: tool.name, input, cwd: resolved.cwd }, services.questionSignal)
      : undefined;
    if (review !== undefined && review.outcome !== 'ask') {
      // The mode, a rule or a link may have changed meanwhile: then all of it is judged anew.
      const same =
        JSON.stringify(await resolveTargets(tool, input, context.session, services.ports.files)) ===
        JSON.stringify(resolved);
      if (!same || !isLeftToClassifier(weigh())) {
        preview = undefined;
        continue;
      }
      const passes = review.outcome === 'allow';
      decided(call, classifierDecision(passes ? 'allow' : 'deny', verdict, review.reason), weighed, services);
      if (passes) return { granted: true, ...resolved, ...accepted(preview, undefined, false) };
      return denied(call, `Permission denied: ${blocked(review.reason)}`);
    }

    const asked = review === undefined ? verdict : { ...verdict, reason: `${verdict.reason} ${review.reason}` };
    const answer =
      hook.answered === true || ask > 0
        ? undefined
        : await services.hooks?.request(hooked, verdict.suggestions, services.questionSignal);
    if (answer?.behavior === 'deny') {
      const reason = answer.message ?? 'a hook denied this call.';
      decided(call, hookDecision('deny', verdict, reason), weighed, services);
      return denied(call, `Permission denied: ${reason}`, { endsTurn: answer.interrupt });
    }
    // What no rule may answer ahead of the person, no hook may; nor what another hook wants the person to be asked.
    const allowed = answer !== undefined && hook.decision !== 'ask' && isLifted(verdict) ? answer : undefined;
    if (allowed !== undefined) {
      // A hook may take minutes: rules, mode and trust may be others by now.
      const now = weigh().verdict;
      if (now.behavior !== 'ask' || !isLifted(now)) {
        preview = undefined;
        continue;
      }
    }
    if (allowed?.updatedInput !== undefined) {
      await services.applyUpdates(allowed.updates);
      return { granted: false, changedInput: allowed.updatedInput, by: 'hook' };
    }
    const decision: ApprovalDecision =
      allowed !== undefined
        ? { behavior: 'allow', updates: allowed.updates }
        : await askPerson(call, tool, input, resolved, { ...asked, stillNeeded }, preview, context, services, ask > 0);
    if (decision.behavior === 'deny') {
      const { unasked, message } = decision;
      decided(
        call,
        unasked === true
          ? refusedDecision(verdict, message ?? 'Nobody could be asked.')
          : personDecision('deny', verdict),
        weighed,
        services,
      );
      return rejected(call, decision);
    }
    if (decision.input !== undefined) {
      await services.applyUpdates(decision.updates ?? []);
      return { granted: false, changedInput: decision.input, by: 'person' };
    }
    const now = await resolveTargets(tool, input, context.session, services.ports.files);
    if (JSON.stringify(now) !== JSON.stringify(resolved)) {
      // What was shown is of the old place.
      preview = undefined;
      continue;
    }
    const after = decision.covered === true ? weigh() : undefined;
    if (allowed !== undefined) decided(call, hookDecision('allow', verdict, 'A hook allowed it.'), weighed, services);
    else if (after?.verdict.behavior === 'allow') decided(call, unaskedDecision(after), after, services);
    else decided(call, personDecision('allow', verdict), weighed, services);
    if (decision.updates !== undefined) await services.applyUpdates(decision.updates);
    return {
      granted: true,
      ...resolved,
      ...accepted(preview, decision.text, allowed === undefined),
      ...(decision.comment === undefined ? {} : { comment: decision.comment }),
    };
  }
  return denied(call, 'Permission denied: the path or the folder kept changing while it was being approved.');
}

function judge(
  tool: AnyTool,
  input: unknown,
  { targets, cwd }: ResolvedTargets,
  sandboxed: boolean,
  services: AuthoriseServices,
): WeighedCall & { judged: PermissionVerdict } {
  const call = { ...permissionCall(tool, input, targets), ...(sandboxed ? { sandboxed } : {}) };
  const context = { ...services.permission(), cwd };
  return { call, context, judged: decide(call, context) };
}

function decided(call: ToolCall, decision: CallDecision, weighed: WeighedCall, services: AuthoriseServices): void {
  services.decided?.(call, { ...decision, reason: redactText(decision.reason, services.secrets?.() ?? []) }, weighed);
}

/** The strictest answer wins; a hook's allow skips only a question that no rule and no protected path asks for. */
function combine(
  judged: PermissionVerdict,
  own: PermissionVerdict | undefined,
  hook: BeforeToolOutcome,
  mode: PermissionMode,
): PermissionVerdict {
  const verdict = judged.question ?? judged;
  const found = strictestOf(verdict, own, hook);
  return found === verdict ? judged : unasked(found, mode);
}

function strictestOf(
  verdict: PermissionVerdict,
  own: PermissionVerdict | undefined,
  hook: BeforeToolOutcome,
): PermissionVerdict {
  if (hook.decision === 'deny') {
    return { behavior: 'deny', code: 'rule', reason: hook.reason ?? 'a hook denied this call.', suggestions: [] };
  }
  const asks = [verdict, own].filter((one) => one?.behavior === 'ask');
  // The one that nothing lifts: "always allow" would not change it, so it offers none.
  const strictest =
    [verdict, own].find((one) => one?.behavior === 'deny') ??
    asks.find((one) => one !== undefined && !isLifted(one)) ??
    asks[0] ??
    verdict;
  if (strictest.behavior === 'allow' && hook.decision === 'ask') {
    return { behavior: 'ask', code: 'rule', reason: hook.reason ?? 'A hook asks for your decision.', suggestions: [] };
  }
  if (hook.decision === 'allow' && strictest.behavior === 'ask' && isLifted(strictest))
    return { ...strictest, behavior: 'allow' };
  return strictest;
}

/** What a hook or the tool itself asks is the person's. */
function isLeftToClassifier({ call, context, verdict, judged, own, hook }: Weighed): boolean {
  return (
    verdict === judged && own?.behavior !== 'ask' && hook.decision !== 'ask' && isForClassifier(call, context, verdict)
  );
}

function blocked(reason: string): string {
  return `auto mode blocked this: ${reason} Do not try to reach the same another way; go on with what needs no leave, or say what was blocked and why you need it.`;
}

/** A question that a rule, or a hook, may answer ahead of the person. */
function isLifted({ code }: PermissionVerdict): boolean {
  return ['no-rule', 'unknown-command', 'mode'].includes(code);
}

async function askPerson(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  { targets, cwd }: ResolvedTargets,
  verdict: PermissionVerdict & { stillNeeded: () => boolean },
  preview: ToolPreview | undefined,
  context: ToolContext,
  services: AuthoriseServices,
  again: boolean,
): Promise<ApprovalDecision> {
  const secrets = services.secrets?.() ?? [];
  const request: ApprovalRequest = {
    id: services.ports.uuid(),
    toolUseId: call.id,
    toolName: tool.name,
    title: preview?.title ?? redactText(approvalTitle(tool, targets, context.session.folders), secrets),
    ...placeOf(targets, cwd, context.session.folders),
    // The change itself stays as it is: a file may hold a credential.
    view: redactValue(preview?.view ?? callView(targets, input), secrets) as ToolView,
    reason: again
      ? 'What it points to, or the folder that it runs in, changed while you looked.'
      : redactText(withShortFiles(verdict.reason, [verdict.rule?.file]), secrets),
    suggestions: verdict.suggestions.map((suggestion) => ({
      ...suggestion,
      label: redactText(suggestion.label, secrets),
    })),
    ...(preview?.proposal === undefined ? {} : { proposal: preview.proposal }),
    ...(preview?.plan === undefined ? {} : { plan: preview.plan }),
  };
  // The turn may have ended while a hook ran: nobody is asked then, and the card is settled.
  services.questionSignal.throwIfAborted();
  services.emit({ type: 'tool_state', toolUseId: call.id, state: 'waiting', startedAt: services.ports.clock.now() });
  services.emit({ type: 'approval_asked', request });
  try {
    return await services.ports.approver.ask(
      { ...request, input: redactValue(input, secrets) },
      services.questionSignal,
      verdict.stillNeeded,
    );
  } finally {
    services.emit({ type: 'approval_settled', requestId: request.id });
  }
}

function accepted(
  preview: ToolPreview | undefined,
  text: string | undefined,
  approved: boolean,
): { proposal?: AcceptedProposal } {
  if (preview?.proposal === undefined) return {};
  const { proposal } = preview;
  // An editor makes all line endings alike: only what the person typed counts as a change.
  const final = text === undefined ? proposal.text : keepLineEndings(proposal.text, text);
  return {
    proposal: {
      ...proposal,
      text: final,
      proposedText: proposal.text,
      userModified: final !== proposal.text,
      approved,
    },
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

/** What neither the title nor the view says of the place. */
function placeOf(targets: readonly PermissionTarget[], cwd: string, folders: readonly string[]): { place?: string } {
  if (targets.some(({ kind }) => kind === 'command')) return cwd === folders[0] ? {} : { place: `Runs in ${cwd}` };
  const link = targets.find((target) => target.kind === 'file' && target.path !== target.realPath);
  return link?.kind === 'file' ? { place: `${link.path} leads to ${link.realPath}` } : {};
}

function callView(targets: PermissionTarget[], input: unknown): ApprovalRequest['view'] {
  const command = targets.find((target) => target.kind === 'command');
  if (command !== undefined)
    return { kind: 'terminal', command: command.command, state: 'not-started', tail: '', bytes: 0 };
  return { kind: 'json', text: visibleText(JSON.stringify(input, undefined, 2)) };
}

function denied(
  call: ToolCall,
  message: string,
  { endsTurn = false, context }: { endsTurn?: boolean; context?: string | undefined } = {},
): Authorisation {
  const newMessages: UserBlock[] = context === undefined ? [] : [{ type: 'text', text: context }];
  return { granted: false, result: errorResult(call, message, { state: 'denied', endsTurn, newMessages }) };
}

function rejected(
  call: ToolCall,
  { message, interrupt, unasked }: Extract<ApprovalDecision, { behavior: 'deny' }>,
): Authorisation {
  if (unasked === true) return denied(call, `Permission denied: ${message ?? 'nobody could be asked.'}`);
  const text =
    message === undefined || message.trim() === ''
      ? 'The person rejected this call. Nothing was done. Wait for their next message.'
      : `The person rejected this call; nothing was done. They say: ${message}`;
  return { granted: false, result: errorResult(call, text, { state: 'denied', endsTurn: interrupt }) };
}
