// A call as editors show it by the Agent Client Protocol: its kind, its files, and what it has to show.
import {
  type ToolCallContent,
  type ToolCallLocation,
  type ToolCallStatus,
  type ToolKind,
} from '@agentclientprotocol/sdk';
import { type FileProposal } from '../../core/ports/approver';
import { taskToolNames } from '../../core/tasks/task-lists';
import { type AnyTool } from '../../core/tool/tool';
import { shownInput } from '../../core/tool/shown-input';
import { type ToolState } from '../../shared/chat';
import { isObject } from '../../shared/plain-object';
import { type DiffHunk, type ToolView } from '../../shared/tool-view';
import { viewKind } from '../../shared/view-kinds';

const kinds: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  ListMcpResources: 'read',
  ReadMcpResource: 'read',
  Edit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Refactor: 'edit',
  Glob: 'search',
  Grep: 'search',
  ToolSearch: 'search',
  LSP: 'search',
  Problems: 'search',
  Bash: 'execute',
  Tests: 'execute',
  PowerShell: 'execute',
  REPL: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Page: 'fetch',
  Agent: 'think',
  TodoWrite: 'think',
  ...Object.fromEntries(taskToolNames.map((name) => [name, 'think' as const])),
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

export function kindOf(toolName: string): ToolKind {
  return kinds[toolName] ?? 'other';
}

export const statusOf: Readonly<Record<ToolState, ToolCallStatus>> = {
  waiting: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  denied: 'failed',
  stopped: 'failed',
};

/** Files that it works on; none where its input does not fit. */
export function locationsOf(tool: AnyTool | undefined, input: unknown, cwd: string): ToolCallLocation[] {
  if (tool === undefined) return [];
  try {
    const targets = tool.targets(shownInput(tool, input) ?? input, cwd);
    return targets.flatMap((target) => (target.kind === 'file' ? [{ path: target.path }] : []));
  } catch {
    return [];
  }
}

export function textContent(text: string): ToolCallContent[] {
  return text.trim() === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

/** A change before it is made: both texts whole. */
export function proposalContent({ path, shownAs, base, text, others = [] }: FileProposal): ToolCallContent[] {
  return [
    { type: 'diff', path: shownAs ?? path, oldText: base?.text ?? null, newText: text },
    ...others.flatMap(proposalContent),
  ];
}

/** What a call shows, by its view; `result` is what it returned. */
export function viewContent(view: ToolView, result: unknown): ToolCallContent[] {
  if (view.kind === 'diff') return changeContent(result) ?? hunkContent(view.path, view.created, view.hunks);
  if (view.kind === 'changes')
    return view.files.flatMap(({ path, created, hunks }) => hunkContent(path, created, hunks));
  if (view.kind === 'todo') return [];
  if (view.kind === 'picture')
    return [{ type: 'content', content: { type: 'image', data: view.data, mimeType: view.mediaType } }];
  return textContent(view.kind === 'markdown' ? view.text : viewKind(view).text(view, ''));
}

/** The result of a change of a file has more of it than a card shows. */
function changeContent(result: unknown): ToolCallContent[] | undefined {
  if (!isObject(result)) return undefined;
  const { filePath, created, structuredPatch } = result;
  if (typeof filePath !== 'string' || !Array.isArray(structuredPatch)) return undefined;
  return hunkContent(filePath, created === true, structuredPatch as DiffHunk[]);
}

function hunkContent(path: string, created: boolean, hunks: readonly DiffHunk[]): ToolCallContent[] {
  return hunks.map(({ lines }) => {
    const side = (other: string): string =>
      lines
        .filter((line) => !line.startsWith(other) && !line.startsWith('\\'))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    return { type: 'diff', path, oldText: created ? null : side('+'), newText: side('-') };
  });
}
