// Decides whether a call may run, asking the user where the rules say so: what was approved is exactly what runs.
import { type CallDecision } from '../../shared/decision-trace';
import { defined } from '../../shared/defined';
import { type PermissionUpdate } from '../../shared/permission';
import { keepLineEndings } from '../edits/line-endings';
import { type HookedCall, type ToolHooks } from '../hooks/tool-hooks';
import { callRisks } from '../permissions/call-risks';
import { plainReason } from '../permissions/plain-reason';
import { ruleSentence, withParts } from '../permissions/rules/refusal';
import { type PermissionContext, type PermissionVerdict } from '../permissions/rules/verdict';
import { type ApprovalDecision, type FileProposal } from '../ports/approver';
import { type Ports } from '../ports/ports';
import { redactText } from '../text/redact';
import { type AcceptedProposal, isFailure, type ToolPreview } from '../tool/tool';
import { type UserBlock } from '../wire/wire';
import { askUser, type AskServices, type Question } from './ask-user';
import { type AutoMode, type AutoReview } from './auto-mode';
import {
  classifierDecision,
  hookDecision,
  refusedDecision,
  unaskedDecision,
  userDecision,
  type Weighed,
  type WeighedCall,
} from './call-decision';
import { resolveTargets, type ResolvedTargets, withFiles } from './resolve-targets';
import { rememberAccepted, rememberRejected } from './refused-proposals';
import { errorResult, type ExecutedCall, failureResult, type ToolCall } from './tool-call';
import { type CallRequest, isLeftToClassifier, isLifted, weighCall } from './weigh-call';
import { type AnyTool } from '../tool/tool';

export interface AuthoriseServices extends AskServices {
  ports: Pick<Ports, 'files' | 'approver' | 'clock' | 'uuid'>;
  permission: () => PermissionContext;
  applyUpdates: (updates: PermissionUpdate[]) => void | Promise<void>;
  /** Answers before the user where the mode is auto. */
  auto?: Pick<AutoMode, 'review'> | undefined;
  /** Before anybody is asked: what the decision is made from. */
  weighed?: ((call: ToolCall, weighed: WeighedCall) => void) | undefined;
  /** The last word on the call, and what it was made from. */
  decided?: ((call: ToolCall, decision: CallDecision, weighed: WeighedCall) => void) | undefined;
  hooks: Pick<ToolHooks, 'request' | 'denied'> | undefined;
}

/** With the folder that the call was judged in. */
export type Grant = { granted: true; proposal?: AcceptedProposal; comment?: string } & ResolvedTargets;

export type Authorisation =
  | Grant
  | { granted: false; result: ExecutedCall }
  /** The one who was asked, or a hook in their place, wants another input: not parsed, not judged yet. */
  | { granted: false; changedInput: unknown; by: 'hook' | 'user' };

/** What the decision was made from changed before it fell; `resolved` where the places were looked up again. */
type Changed = { changed: true; resolved?: ResolvedTargets };

/** A link that was moved while the user looked asks again, this often at most. */
const maxAsks = 3;

export async function authoriseCall(request: CallRequest, services: AuthoriseServices): Promise<Authorisation> {
  let resolved: ResolvedTargets | undefined;
  for (let ask = 0; ask < maxAsks; ask++) {
    const outcome = await authoriseOnce(request, resolved ?? (await resolve(request, services)), ask > 0, services);
    if (!('changed' in outcome)) return outcome;
    resolved = outcome.resolved;
  }
  return denied(request.call, 'Permission denied: the path or the folder kept changing while it was being approved.');
}

/** What the call gets in place of a run where the rules deny it by now, though it was granted before; undefined where they do not. */
export async function deniedSince(
  request: CallRequest,
  grant: ResolvedTargets,
  services: AuthoriseServices,
): Promise<ExecutedCall | undefined> {
  const { weighed } = await weighCall(request, grant, services.permission);
  // A mode that asks nobody is no rule: here somebody was asked.
  if (weighed.verdict.behavior !== 'deny' || weighed.verdict.question !== undefined) return undefined;
  services.weighed?.(request.call, weighed);
  return deniedUnasked(request, weighed, services);
}

/** A call that the rules neither allow nor deny. */
interface OpenCall extends CallRequest, Pick<Question, 'resolved' | 'preview' | 'again' | 'stillNeeded'> {
  weigh: () => Weighed;
  weighed: Weighed;
}

async function authoriseOnce(
  request: CallRequest,
  resolved: ResolvedTargets,
  again: boolean,
  services: AuthoriseServices,
): Promise<Authorisation | Changed> {
  const { call, tool, input, context } = request;
  const { weighed, weigh } = await weighCall(request, resolved, services.permission);
  services.weighed?.(call, weighed);
  if (weighed.verdict.behavior === 'deny')
    return { granted: false, result: await deniedUnasked(request, weighed, services) };

  const preview = await tool.preview?.(input, context);
  if (preview !== undefined && isFailure(preview))
    return { granted: false, result: failureResult(call, preview, context.session.offers) };
  if (weighed.verdict.behavior === 'allow') {
    decided(call, unaskedDecision(weighed), weighed, services);
    return granted({ resolved, preview });
  }

  // What a hook or the tool itself asks stays a question, whatever rules were granted meanwhile.
  const stillNeeded = (): boolean => weigh().verdict.behavior !== 'allow';
  const open: OpenCall = { ...request, resolved, preview, again, weigh, weighed, stillNeeded };
  const review = await reviewed(open, services);
  if (review !== undefined && review.outcome !== 'ask') return afterReview(open, review, services);
  return (await answeredByHook(open, services)) ?? answeredByUser(open, review?.reason, services);
}

async function deniedUnasked(
  { call, tool, input, hook }: CallRequest,
  weighed: Weighed,
  services: AuthoriseServices,
): Promise<ExecutedCall> {
  const { reason, parts } = weighed.verdict;
  decided(call, unaskedDecision(weighed), weighed, services);
  const hooked: HookedCall = { toolName: tool.name, toolUseId: call.id, input };
  const context =
    hook.decision === 'deny' ? undefined : await services.hooks?.denied(hooked, reason, services.questionSignal);
  return deniedResult(call, `Permission denied: ${withParts(reason, parts)}`, { context });
}

/** What the classifier says, where it may say anything. */
async function reviewed(
  { call, tool, input, resolved, weighed }: OpenCall,
  { auto, questionSignal }: AuthoriseServices,
): Promise<AutoReview | undefined> {
  if (!isLeftToClassifier(weighed)) return undefined;
  // What its input does not say, the classifier has to know too.
  const runs = resolved.targets.flatMap((target) => (target.kind === 'command' ? target.command : []));
  const told = tool.furtherCommands === undefined ? input : { ...Object(input), runs };
  return auto?.review(call.id, { tool: tool.name, input: told, cwd: resolved.cwd }, questionSignal);
}

async function afterReview(
  open: OpenCall,
  { outcome, reason }: AutoReview,
  services: AuthoriseServices,
): Promise<Authorisation | Changed> {
  const { call, weighed } = open;
  // The mode, a rule or a link may have changed meanwhile: then all of it is judged again.
  const now = await resolve(open, services);
  if (!sameTargets(now, open.resolved) || !isLeftToClassifier(open.weigh())) return { changed: true, resolved: now };
  const passes = outcome === 'allow';
  decided(call, classifierDecision(passes ? 'allow' : 'deny', weighed.verdict, reason), weighed, services);
  return passes ? granted(open) : denied(call, `Permission denied: ${blocked(reason, weighed.verdict)}`);
}

function blocked(reason: string, { coveredBy }: PermissionVerdict): string {
  return `auto mode blocked this: ${reason} ${ruleSentence(coveredBy)} Do not work around it; continue with what needs no permission, or say what was blocked and why you need it.`;
}

/** Undefined where no hook may answer for the user, or none does. */
async function answeredByHook(
  open: OpenCall,
  services: AuthoriseServices,
): Promise<Authorisation | Changed | undefined> {
  const { call, tool, input, hook, weighed } = open;
  const { verdict } = weighed;
  if (hook.answered === true || open.again) return undefined;
  const hooked: HookedCall = { toolName: tool.name, toolUseId: call.id, input };
  const answer = await services.hooks?.request(hooked, verdict.suggestions, services.questionSignal);
  if (answer === undefined) return undefined;
  if (answer.behavior === 'deny') {
    const reason = answer.message ?? 'a hook denied this call.';
    decided(call, hookDecision('deny', verdict, reason), weighed, services);
    return denied(call, `Permission denied: ${reason}`, { endsTurn: answer.interrupt });
  }
  // What no rule may answer before the user, no hook may; nor what another hook wants the user to be asked.
  if (hook.decision === 'ask' || !isLifted(verdict)) return undefined;
  // A hook may take minutes: rules, mode and trust may be others by now.
  const now = open.weigh().verdict;
  if (now.behavior !== 'ask' || !isLifted(now)) return { changed: true };
  if (answer.updatedInput !== undefined) {
    await services.applyUpdates(answer.updates);
    return { granted: false, changedInput: answer.updatedInput, by: 'hook' };
  }
  const places = await resolve(open, services);
  if (!sameTargets(places, open.resolved)) return { changed: true, resolved: places };
  decided(call, hookDecision('allow', verdict, 'A hook allowed it.'), weighed, services);
  await services.applyUpdates(answer.updates);
  return granted(open);
}

/** For the user who decides: nothing runs unasked or is refused because of it. */
function destructiveNote(tool: AnyTool, input: unknown): string | undefined {
  return tool.isDestructive(input) ? 'The tool says that it may delete or overwrite something.' : undefined;
}

async function answeredByUser(
  open: OpenCall,
  doubt: string | undefined,
  services: AuthoriseServices,
): Promise<Authorisation | Changed> {
  const { call, weighed, tool, input } = open;
  const { verdict } = weighed;
  const joined = (why: string): string =>
    [why, doubt, destructiveNote(tool, input)].filter((part) => part !== undefined).join(' ');
  const { targets, lines } = open.resolved;
  const question: Question = {
    ...open,
    verdict: { ...verdict, reason: joined(verdict.reason) },
    plainReason: joined(plainReason(verdict.reason, targets)),
    risks: callRisks(targets, lines, weighed.context),
    ignoreCase: weighed.context.ignoreCase,
  };
  const decision = await askUser(open, question, services);
  const { refusedChanges } = open.context.session;
  if (decision.behavior === 'deny') {
    rememberRejected(open.preview?.proposal, decision, refusedChanges);
    const { unasked, message } = decision;
    const refused =
      unasked === true
        ? refusedDecision(verdict, message ?? 'No one was available to ask.')
        : userDecision('deny', verdict);
    decided(call, refused, weighed, services);
    return rejected(call, decision);
  }
  if (decision.input !== undefined) {
    await services.applyUpdates(decision.updates ?? []);
    return { granted: false, changedInput: decision.input, by: 'user' };
  }
  // What was shown is of the old place.
  const now = await resolve(open, services);
  if (!sameTargets(now, open.resolved)) return { changed: true, resolved: now };
  const after = decision.covered === true ? open.weigh() : undefined;
  if (after?.verdict.behavior === 'allow') decided(call, unaskedDecision(after), after, services);
  else decided(call, userDecision('allow', verdict), weighed, services);
  if (decision.updates !== undefined) await services.applyUpdates(decision.updates);
  const grant = granted(open, decision);
  rememberAccepted(grant.proposal, refusedChanges);
  return { ...grant, ...defined({ comment: decision.comment }) };
}

/** Once more where it was `resolved` before: links may have moved, but the command line is still the same. */
async function resolve(
  { tool, input, context, resolved }: CallRequest & { resolved?: ResolvedTargets },
  { ports }: AuthoriseServices,
): Promise<ResolvedTargets> {
  const commands = ((await tool.furtherCommands?.(input, context)) ?? []).map(
    (command) => ({ kind: 'command', command }) as const,
  );
  const targets: AnyTool['targets'] = (given, cwd) => [...tool.targets(given, cwd), ...commands];
  const plain = await resolveTargets(
    { name: tool.name, targets },
    input,
    context.session,
    ports.files,
    resolved?.lines,
  );
  const url = tool.furtherAddress?.(input, context);
  const named: ResolvedTargets =
    url === undefined ? plain : { ...plain, targets: [...plain.targets, { kind: 'url', url }] };
  const further = (await tool.furtherFiles?.(input, context)) ?? [];
  return further.length === 0 ? named : withFiles(named, further, context.session.home, ports.files);
}

function sameTargets(one: ResolvedTargets, other: ResolvedTargets): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function decided(call: ToolCall, decision: CallDecision, weighed: WeighedCall, services: AuthoriseServices): void {
  services.decided?.(call, { ...decision, reason: redactText(decision.reason, services.secrets?.() ?? []) }, weighed);
}

/** `byUser`: the user accepted it, and left these texts where they changed the proposal. */
function granted(
  { resolved, preview }: { resolved: ResolvedTargets; preview: ToolPreview | undefined },
  byUser?: Pick<Extract<ApprovalDecision, { behavior: 'allow' }>, 'text' | 'texts'>,
): Grant {
  if (preview?.proposal === undefined) return { granted: true, ...resolved };
  const { others = [], ...proposal } = preview.proposal;
  const approved = byUser !== undefined;
  const rest = others.map((other) => accepted(other, byUser?.texts?.[other.path], approved));
  return {
    granted: true,
    ...resolved,
    proposal: { ...accepted(proposal, byUser?.text, approved), ...(rest.length === 0 ? {} : { acceptedOthers: rest }) },
  };
}

function accepted(
  { others: _others, ...proposal }: FileProposal,
  text: string | undefined,
  approved: boolean,
): AcceptedProposal {
  // An editor makes all line endings alike: only what the user typed counts as a change.
  const final = text === undefined ? proposal.text : keepLineEndings(proposal.text, text);
  return { ...proposal, text: final, proposedText: proposal.text, userModified: final !== proposal.text, approved };
}

function denied(call: ToolCall, message: string, { endsTurn = false }: { endsTurn?: boolean } = {}): Authorisation {
  return { granted: false, result: deniedResult(call, message, { endsTurn }) };
}

function deniedResult(
  call: ToolCall,
  message: string,
  { endsTurn = false, context }: { endsTurn?: boolean; context?: string | undefined } = {},
): ExecutedCall {
  const newMessages: UserBlock[] = context === undefined ? [] : [{ type: 'text', text: context }];
  return errorResult(call, message, { state: 'denied', endsTurn, newMessages });
}

function rejected(
  call: ToolCall,
  { message, interrupt, unasked }: Extract<ApprovalDecision, { behavior: 'deny' }>,
): Authorisation {
  if (unasked === true) return denied(call, `Permission denied: ${message ?? 'no one was available to ask.'}`);
  const text =
    message === undefined || message.trim() === ''
      ? 'The user rejected this call. Nothing was done. Wait for their next message.'
      : `The user rejected this call; nothing was done. They say: ${message}`;
  return { granted: false, result: errorResult(call, text, { state: 'denied', endsTurn: interrupt }) };
}
