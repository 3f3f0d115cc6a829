// Runs the file tools against files in memory as the pipeline does: parse, validate, preview, call, map.
import { type Diagnostic, type Diagnostics } from '../../src/core/ports/diagnostics';
import { type Notebooks } from '../../src/core/ports/notebooks';
import { createReadState, type ReadState } from '../../src/core/sessions/read-state';
import { isFailure, type AcceptedProposal, type AnyTool, type ToolContext } from '../../src/core/tool/tool';
import { type ToolResultBlock, type UserBlock } from '../../src/core/wire/wire';
import { type Documents } from '../../src/core/ports/documents';
import { createMemoryFiles, type MemoryEntry, type MemoryFiles } from './memory-files';
import { unusedPorts, unusedSmallModel } from './unused-ports';
import { said, type Words } from '../../src/core/text/words';

export interface Workspace {
  files: MemoryFiles;
  readState: ReadState;
  controller: AbortController;
  /** What newSince() reports next. */
  problems: Diagnostic[];
  /** "current" and "newSince", in the order of the calls. */
  diagnosticCalls: string[];
  documents?: Documents;
  notebooks?: Notebooks;
  /** The setting by which Write may replace what was not read. */
  writesUnread?: boolean;
}

export function createWorkspace(entries: Record<string, MemoryEntry> = {}): Workspace {
  return {
    files: createMemoryFiles({ '/w': { type: 'directory' }, ...entries }),
    readState: createReadState(),
    controller: new AbortController(),
    problems: [],
    diagnosticCalls: [],
  };
}

/** How the user answers a proposal; `text` is what they made of it. */
export interface Answer {
  approved: boolean;
  text?: string;
}

export interface Run {
  /** What the model reads: the block's text, or the failure's message. */
  text: string;
  /** The failure's code, `InputValidationError`, or undefined. */
  failed?: string;
  output?: unknown;
  content?: ToolResultBlock['content'];
  view?: unknown;
  detail?: string;
  newMessages?: UserBlock[];
}

/** Without `answer` nobody is asked, as in acceptEdits mode. `between` runs after the preview, before the call. */
export async function run(
  workspace: Workspace,
  tool: AnyTool,
  rawInput: unknown,
  answer: Answer = { approved: false },
  between: () => void = () => undefined,
): Promise<Run> {
  const parsed = tool.inputSchema.safeParse(rawInput);
  if (!parsed.success) return { text: parsed.error.message, failed: 'InputValidationError' };
  const input: unknown = parsed.data;
  const context = toolContext(workspace);
  const valid = await tool.validateInput(input, context);
  if (!valid.ok) return { text: said(valid.message), failed: valid.code };
  const preview = await tool.preview?.(input, context);
  if (preview && isFailure(preview)) return failed(preview.failure);
  between();
  const proposal: AcceptedProposal | undefined = preview?.proposal && {
    ...preview.proposal,
    text: answer.text ?? preview.proposal.text,
    proposedText: preview.proposal.text,
    userModified: answer.text !== undefined && answer.text !== preview.proposal.text,
    approved: answer.approved,
  };
  const result = await tool.call(input, proposal ? { ...context, proposal } : context);
  if (isFailure(result)) return failed(result.failure);
  const { content } = tool.mapToolResultToToolResultBlockParam(result.data, 'toolu_1');
  return {
    text: typeof content === 'string' ? content : '',
    content,
    output: result.data,
    view: tool.view(result.data, input),
    detail: tool.detail(result.data),
    ...(result.newMessages ? { newMessages: result.newMessages } : {}),
  };
}

export function toolContext(workspace: Workspace): ToolContext {
  const diagnostics: Diagnostics = {
    current: () => {
      workspace.diagnosticCalls.push('current');
      return [];
    },
    newSince: async (_before, _paths, signal) => {
      workspace.diagnosticCalls.push('newSince');
      signal.throwIfAborted();
      return workspace.problems;
    },
  };
  return {
    toolUseId: 'toolu_1',
    signal: workspace.controller.signal,
    session: {
      id: 'session',
      cwd: '/w',
      folders: ['/w'],
      home: '/home/ann',
      resultsDirectory: '/results',
      writesUnread: () => workspace.writesUnread === true,
      readState: workspace.readState,
      isHidden: () => false,
      todos: () => [],
      questionTimeoutMs: () => undefined,
      earlierSearches: 0,
      smallModel: unusedSmallModel,
      onArrival: () => () => undefined,
    },
    ports: unusedPorts({
      files: workspace.files,
      diagnostics,
      clock: { now: () => 0 },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      ...(workspace.documents && { documents: workspace.documents }),
      ...(workspace.notebooks && { notebooks: workspace.notebooks }),
    }),
    onProgress: () => undefined,
  };
}

function failed({ code, message }: { code: string; message: Words }): Run {
  return { text: said(message), failed: code };
}
