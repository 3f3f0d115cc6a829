// What a user sees of a tool call: plain data that the chat draws without knowing the tool.

/** A hunk as unified diffs have it: lines start with ' ', '+', '-' or '\'. Line numbers are 1-based. */
export interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

export interface DiffView {
  kind: 'diff';
  path: string;
  created: boolean;
  /** Where the file was, if it has moved. */
  movedFrom?: string;
  added: number;
  removed: number;
  /** At most 200 lines in all; `truncated` says that there are more. */
  hunks: DiffHunk[];
  truncated: boolean;
}

/** One change of several files. */
export interface ChangesView {
  kind: 'changes';
  /** At most 100. */
  files: DiffView[];
  /** Of all files and their lines, shown or not. */
  total: number;
  added: number;
  removed: number;
}

export type CommandState =
  | 'running'
  | 'exited'
  | 'signalled'
  | 'background'
  | 'killed'
  | 'interrupted'
  | 'suspended'
  | 'closed'
  | 'not-started'
  | 'lost'
  | 'incomplete-output';

export interface TerminalView {
  kind: 'terminal';
  command: string;
  state: CommandState;
  exitCode?: number;
  /** The last lines of the output, at most 4,000 characters. */
  tail: string;
  /** Bytes that the command wrote in all. */
  bytes: number;
  /** The file that holds the whole output; absent where `tail` is all of it, or where none was kept. */
  outputPath?: string;
  /** Set where the command runs on in the background. */
  taskId?: string;
  note?: string;
  /** It runs, or ran, in the sandbox. */
  sandboxed?: boolean;
}

export interface MatchesView {
  kind: 'matches';
  pattern: string;
  matches: number;
  files: number;
  /** At most 100. */
  items: { path: string; line?: number; text?: string; count?: number }[];
  truncated: boolean;
}

/** A run of tests: how many, and what failed. */
export interface TestsView {
  kind: 'tests';
  passed: number;
  /** Files that could not be run are among them. */
  failed: number;
  skipped: number;
  state: 'running' | 'ran' | 'nothing' | 'unread' | 'stopped';
  /** What failed; at most 100. */
  items: { name: string; path?: string; line?: number; text?: string }[];
  /** What the runner printed last, where it gave no report. */
  tail?: string;
}

export interface FilesView {
  kind: 'files';
  items: { path: string; startLine?: number; endLine?: number }[];
  total: number;
  truncated: boolean;
}

export interface ImageView {
  kind: 'image';
  path: string;
  mediaType: string;
  width?: number;
  height?: number;
  bytes: number;
}

/** A picture that is in no file. */
export interface PictureView {
  kind: 'picture';
  /** In base64. */
  data: string;
  mediaType: string;
  width: number;
  height: number;
  /** What it shows, in words. */
  words: string;
}

/** What a tool has found out, as lines to read. */
export interface ReportView {
  kind: 'report';
  about: 'debugger' | 'task' | 'notebook';
  text: string;
  /** Places that the text names, each as it stands there: they open the file at the line. */
  places: { shown: string; path: string; line: number }[];
}

export interface TodoItem {
  content: string;
  /** The same while it is done. */
  activeForm: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** Who has it, where several work. */
  owner?: string;
  /** The open tasks that it waits for: "#1". */
  waitsFor?: string[];
}

export interface TodoView {
  kind: 'todo';
  items: TodoItem[];
  /** One of many steps: its card begins closed, since the strip shows the list. */
  step?: boolean;
}

export interface MarkdownView {
  kind: 'markdown';
  text: string;
  /** What the text is about, where an icon can show it. */
  about?: 'web' | 'code';
}

/** The fallback for a tool that says nothing better. `text` is pretty-printed JSON or plain text. */
export interface JsonView {
  kind: 'json';
  text: string;
}

export type ToolView =
  | DiffView
  | ChangesView
  | TerminalView
  | MatchesView
  | FilesView
  | ImageView
  | PictureView
  | TestsView
  | ReportView
  | TodoView
  | MarkdownView
  | JsonView;

/** A tool call in words: while it runs ("Reading src/a.ts") and afterwards ("Read src/a.ts"). */
export interface ToolSentence {
  now: string;
  past: string;
}
