// Asks the user about a call: what the approval shows of it, without credentials.
import { withShortFiles } from '../../shared/decision-trace';
import { defined } from '../../shared/defined';
import { shortened } from '../../shared/cut-text';
import { type CallRisk } from '../../shared/permission';
import { isObject } from '../../shared/plain-object';
import { type ToolView } from '../../shared/tool-view';
import { visibleText } from '../../shared/visible-text';
import { type Emit } from '../events/session-event';
import { type PermissionTarget, type PermissionVerdict } from '../permissions/rules/verdict';
import { type ApprovalDecision, type ApprovalRequest } from '../ports/approver';
import { type Path } from '../ports/path';
import { type Ports } from '../ports/ports';
import { isInsideAny } from '../permissions/rules/workspace-path';
import { redactText, redactValue, type Secrets } from '../text/redact';
import { type AnyTool, type ToolPreview } from '../tool/tool';
import { type ResolvedTargets } from './resolve-targets';
import { type ToolCall } from './tool-call';
import { type CallRequest } from './weigh-call';

export interface AskServices {
  ports: Pick<Ports, 'approver' | 'clock' | 'uuid'>;
  emit: Emit;
  /** Written down as the user is asked: what waits for them is known when the session is opened again. */
  asked?: ((call: ToolCall) => void) | undefined;
  /** As soon as the user, or a rule that was granted meanwhile, has answered. */
  answered?: ((call: ToolCall, allowed: boolean) => void) | undefined;
  /** Ends what the user is asked, when the turn ends; running tools have a signal of their own. */
  questionSignal: AbortSignal;
  /** Credentials that no result, no progress and no question may show. */
  secrets?: (() => Secrets) | undefined;
}

export interface Question {
  resolved: ResolvedTargets;
  preview: ToolPreview | undefined;
  /** What is asked, and why. */
  verdict: PermissionVerdict;
  /** Why, for somebody who knows no rules. */
  plainReason: string;
  /** What is dangerous about it. */
  risks: readonly CallRisk[];
  /** The same call was asked about before: what it touches changed in the meantime. */
  again: boolean;
  /** Of paths, as where they are. */
  ignoreCase: boolean;
  /** False once a rule that was granted meanwhile answers it. */
  stillNeeded: () => boolean;
}

export async function askUser(
  request: CallRequest,
  question: Question,
  { ports, emit, asked, answered, questionSignal, secrets }: AskServices,
): Promise<ApprovalDecision> {
  const known = secrets?.() ?? [];
  const approval = approvalOf(ports.uuid(), request, question, known);
  // The turn may have ended while a hook ran: then nobody is asked, and the card is settled.
  questionSignal.throwIfAborted();
  asked?.(request.call);
  emit({ type: 'tool_state', toolUseId: request.call.id, state: 'waiting', startedAt: ports.clock.now() });
  emit({ type: 'approval_asked', request: approval });
  try {
    const decision = await ports.approver.ask(
      { ...approval, input: redactValue(request.input, known) },
      questionSignal,
      question.stillNeeded,
    );
    answered?.(request.call, decision.behavior === 'allow');
    return decision;
  } finally {
    emit({ type: 'approval_settled', requestId: approval.id });
  }
}

function approvalOf(
  id: string,
  { call, tool, input, context }: CallRequest,
  { resolved: { targets, cwd }, preview, verdict, plainReason, risks, again, ignoreCase }: Question,
  secrets: Secrets,
): ApprovalRequest {
  const { folders } = context.session;
  return {
    id,
    toolUseId: call.id,
    toolName: tool.name,
    access: tool.access,
    title: preview?.title ?? redactText(approvalTitle(tool, targets, folders), secrets),
    ...placeOf(targets, cwd, folders),
    ...defined({ outside: outsideOf(targets, context.session.allowedFolders?.() ?? folders, ignoreCase) }),
    // The change itself stays as it is: a file may hold a credential.
    view: redactValue(preview?.view ?? callView(targets, input), secrets) as ToolView,
    reason: again
      ? 'Its target, or the folder that it runs in, changed while you were deciding.'
      : redactText(withShortFiles(verdict.reason, [verdict.rule?.file]), secrets),
    ...(again || plainReason === verdict.reason ? {} : { plainReason: redactText(plainReason, secrets) }),
    ...(risks.length === 0 ? {} : { risks: risks.map((risk) => ({ ...risk, text: redactText(risk.text, secrets) })) }),
    ...defined({ description: descriptionOf(targets, input, secrets) }),
    suggestions: verdict.suggestions.map((suggestion) => ({
      ...suggestion,
      label: redactText(suggestion.label, secrets),
    })),
    ...defined({
      coveredBy: verdict.coveredBy,
      parts: verdict.parts === undefined ? undefined : redactText(verdict.parts, secrets),
    }),
    ...(preview?.proposal === undefined ? {} : { proposal: preview.proposal }),
    ...(preview?.plan === undefined ? {} : { plan: preview.plan }),
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

const maxDescription = 200;

/** What the agent says a command is for: its first line. */
function descriptionOf(targets: readonly PermissionTarget[], input: unknown, secrets: Secrets): string | undefined {
  if (!targets.some(({ kind }) => kind === 'command') || !isObject(input)) return undefined;
  const { description } = input;
  if (typeof description !== 'string') return undefined;
  const [line = ''] = redactText(description.trim(), secrets).split('\n');
  return line === '' ? undefined : shortened(line, maxDescription);
}

function outsideOf(
  targets: readonly PermissionTarget[],
  folders: readonly string[],
  ignoreCase: boolean,
): Path | undefined {
  return targets
    .flatMap((target) => (target.kind === 'file' ? [target.path, target.realPath] : []))
    .find((path) => !isInsideAny(path, folders, ignoreCase));
}

/** What neither the title nor the view says about the place. */
function placeOf(targets: readonly PermissionTarget[], cwd: string, folders: readonly string[]): { place?: string } {
  if (targets.some(({ kind }) => kind === 'command')) return cwd === folders[0] ? {} : { place: `Runs in ${cwd}` };
  const link = targets.find((target) => target.kind === 'file' && target.path !== target.realPath);
  return link?.kind === 'file' ? { place: `${link.path} is a link to ${link.realPath}` } : {};
}

function callView(targets: PermissionTarget[], input: unknown): ApprovalRequest['view'] {
  const command = targets.find((target) => target.kind === 'command');
  if (command !== undefined)
    return { kind: 'terminal', command: command.command, state: 'not-started', tail: '', bytes: 0 };
  return { kind: 'json', text: visibleText(JSON.stringify(input, undefined, 2)) };
}
