// How calls, approvals and decisions look in the chat: paths as short as can be, what is hidden in a text made visible, long views cut.
import { defined } from '../../shared/defined';
import { type ApprovalCard, type ChatItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';
import { type CallDecision, withShortFiles } from '../../shared/decision-trace';
import { type ToolView } from '../../shared/tool-view';
import { visibleText } from '../../shared/visible-text';
import { type ToolResultBlock } from '../wire/wire';
import { canonicalToolName } from '../permissions/rules/rule-syntax';
import { type ApprovalRequest } from '../ports/approver';
import { type ToolRegistry } from '../tools/registry';
import { shownInput } from '../tool/shown-input';
import { type VerifyEntry } from '../ledger/facts/due-checks';
import { describeCall } from './describe-call';
import { shortPaths } from '../text/short-paths';
import { slimView, viewKind } from '../../shared/view-kinds';

export interface ProjectionOptions {
  registry: ToolRegistry;
  /** Workspace folders: their paths are shortened in sentences. */
  folders: { name: string; path: string }[];
  /** `verify` of the settings. */
  verify?: () => readonly VerifyEntry[];
  /** The beginning of the log is missing. */
  isPart?: boolean;
}

/** A log may hold outputs of another version: what no longer fits is left out, not thrown. */
export function viewOf(
  call: { name: string; input: unknown },
  output: unknown,
  shown: ProjectionOptions,
): { view: ToolView; detail: string } | undefined {
  const tool = shown.registry.find(call.name);
  try {
    if (tool === undefined)
      return { view: slimView({ kind: 'json', text: JSON.stringify(output, undefined, 2) }), detail: '' };
    return {
      view: shortenView(slimView(tool.view(output, shownInput(tool, call.input) ?? call.input)), shown),
      detail: tool.detail(output),
    };
  } catch {
    return undefined;
  }
}

export function newToolItem(id: string, name: string, input: unknown, shown: ProjectionOptions): ChatItem {
  const tool = shown.registry.find(name);
  const called = tool?.name ?? canonicalToolName(name);
  const { sentence, readOnly, isCommand } = describeCall(tool, input) ?? {
    sentence: { now: called, past: called },
    readOnly: false,
    isCommand: false,
  };
  return {
    kind: 'tool',
    id,
    name: called,
    // A command is shown as it runs, paths and all.
    sentence: isCommand
      ? { now: visibleText(sentence.now), past: visibleText(sentence.past) }
      : { now: visibleText(shorten(sentence.now, shown)), past: visibleText(shorten(sentence.past, shown)) },
    state: 'waiting',
    readOnly,
    detail: '',
  };
}

export function approvalCard(request: ApprovalRequest, shown: ProjectionOptions): ApprovalCard {
  const { id, toolUseId, toolName, access, title, place, suggestions, proposal, plan, description, risks, byUser } =
    request;
  // The whole command and the whole plan are always shown; a diff opens in the editor in full.
  const view = request.view.kind === 'terminal' || plan !== undefined ? request.view : slimView(request.view);
  return {
    id,
    toolUseId,
    toolName,
    ...defined({ access }),
    // A command, and a rule for it, hold for exactly these words.
    title: visibleText(view.kind === 'terminal' ? title : shorten(title, shown)),
    view: shortenView(view, shown),
    reason: visibleText(shorten(request.plainReason ?? request.reason, shown)),
    ...defined({
      description: description === undefined ? undefined : visibleText(description),
      risks: risks?.map((risk) => ({ ...risk, text: visibleText(shorten(risk.text, shown)) })),
    }),
    ...(place === undefined ? {} : { place: visibleText(place) }),
    suggestions: suggestions.map(({ label, saves }) => ({
      label: visibleText(view.kind === 'terminal' ? label : shorten(label, shown)),
      ...defined({
        saves: saves && { rules: saves.rules, ...defined({ file: saves.file && shorten(saves.file, shown) }) },
      }),
    })),
    hasDiff: proposal !== undefined,
    ...defined({ agent: request.agent && visibleText(request.agent.name) }),
    ...defined({ plan, byUser }),
  };
}

/** With what Accept would do now. */
export function changedCard(
  { changed: _before, ...card }: ApprovalCard,
  { view, byUser }: { view: ToolView; byUser: boolean },
  shown: ProjectionOptions,
): ApprovalCard {
  return { ...card, view: shortenView(slimView(view), shown), ...(byUser ? { changed: true } : {}) };
}

/** Without the record's envelope. A field that another version wrote and nobody can read is left out. */
export function shownDecision(
  { by, behavior, code, reason, rule, ruleBehavior, source, file }: CallDecision,
  shown: ProjectionOptions,
): CallDecision {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return {
    by,
    behavior,
    code,
    reason: shorten(withShortFiles(reason, [file]), shown),
    ...(isText(rule) && isText(ruleBehavior) && isText(source) ? { rule, ruleBehavior, source } : {}),
    ...(isText(file) ? { file } : {}),
  };
}

export function shorten(text: string, { folders }: ProjectionOptions): string {
  return shortPaths(text, folders);
}

/** Hosts resolve such paths again when one is opened. */
export function shortenView(view: ToolView, shown: ProjectionOptions): ToolView {
  return viewKind(view).shorten(view, (path) => shorten(path, shown));
}

export function plainText(block: ToolResultBlock): string {
  const text =
    typeof block.content === 'string'
      ? block.content
      : block.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const plain = text.replace(/^<tool_use_error>|<\/tool_use_error>$/g, '').trim();
  return shortened(plain, 1_000);
}
