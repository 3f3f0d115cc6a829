// Permission rules as text: `Tool` and `Tool(content)`, and the names that tools had before.
import { type PermissionRule, type PermissionRuleValue } from '../../../shared/permission';
import { matchPieces } from './wildcard';

/** Undefined where the text is not a rule. `Tool()` and `Tool(*)` mean the whole tool. */
export function parseRule(text: string): PermissionRuleValue | undefined {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  const name = canonicalToolName(open < 0 ? trimmed : trimmed.slice(0, open));
  if (!/^[A-Za-z_*][\w*.:-]*$/.test(name)) return undefined;
  if (open < 0) return { toolName: name };
  if (!trimmed.endsWith(')') || isEscaped(trimmed, trimmed.length - 1)) return undefined;
  const content = unescapeContent(trimmed.slice(open + 1, -1));
  return content === '' || content === '*' ? { toolName: name } : { toolName: name, ruleContent: content };
}

/** The reverse of parseRule. */
export function formatRule({ toolName, ruleContent }: PermissionRuleValue): string {
  if (ruleContent === undefined) return toolName;
  return `${toolName}(${ruleContent.replace(/\\(?=[\\()]|$)|[()]/g, (character) => `\\${character}`)})`;
}

/** The whole tool, without a condition. */
export function isBare({ ruleContent }: PermissionRuleValue): boolean {
  return ruleContent === undefined || ruleContent === '' || ruleContent === '*';
}

/** For sentences: the rule and the file it comes from. */
export function describeRule(rule: PermissionRule): string {
  const origin = rule.file ?? (rule.source === 'session' ? 'this session' : undefined);
  return `\`${formatRule(rule.value)}\`${origin === undefined ? '' : ` (${origin})`}`;
}

/** The name that a tool has now: settings, transcripts and agent files also hold older ones. */
export function canonicalToolName(name: string): string {
  return olderNames.get(name) ?? name;
}

/** `*` stands for any text; case counts. */
export function matchesName(pattern: string, name: string): boolean {
  return matchPieces(pattern.split(/\*+/), name);
}

function unescapeContent(content: string): string {
  return content.replace(/\\([\\()])/g, '$1');
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

/** By the name that a tool has now, also of tools that this version may lack: transcripts, rules, hooks and agent files name them. */
export const olderToolNames: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file', 'FileReadTool'],
  Write: ['write_file', 'FileWriteTool'],
  Edit: ['edit_file', 'FileEditTool'],
  Glob: ['glob_search', 'GlobTool'],
  Grep: ['grep_search', 'GrepTool'],
  Bash: ['bash', 'BashTool'],
  PowerShell: ['powershell', 'PowerShellTool'],
  REPL: ['repl', 'REPLTool'],
  WebSearch: ['web_search', 'WebSearchTool'],
  WebFetch: ['web_fetch', 'WebFetchTool'],
  Agent: ['agent', 'Task', 'AgentTool'],
  Skill: ['skill', 'SlashCommand', 'SkillTool'],
  TodoWrite: ['todo_write', 'TodoWriteTool'],
  NotebookEdit: ['notebook_edit', 'NotebookEditTool'],
  ToolSearch: ['tool_search', 'ToolSearchTool'],
  Config: ['config', 'ConfigTool'],
  LSP: ['LSPTool'],
  Problems: [],
  Tests: [],
  Refactor: [],
  Page: [],
  Debug: [],
  RunCells: [],
  RunTask: [],
  TaskStop: ['KillShell', 'KillBash', 'TaskStopTool', 'task_stop'],
  TaskOutput: ['BashOutput', 'AgentOutputTool', 'TaskOutputTool', 'task_output'],
  TaskCreate: ['TaskCreateTool'],
  TaskGet: ['TaskGetTool'],
  TaskList: ['TaskListTool'],
  TaskUpdate: ['TaskUpdateTool'],
  SendMessage: ['SendMessageTool'],
  TeamCreate: ['TeamCreateTool'],
  TeamDelete: ['TeamDeleteTool'],
  AskUserQuestion: ['AskUserQuestionTool'],
  EnterPlanMode: ['EnterPlanModeTool'],
  ExitPlanMode: ['ExitPlanModeTool'],
  ListMcpResources: ['ListMcpResourcesTool'],
  ReadMcpResource: ['ReadMcpResourceTool'],
  Sleep: ['SleepTool'],
};

const olderNames = new Map(
  Object.entries(olderToolNames).flatMap(([name, older]) => older.map((old): [string, string] => [old, name])),
);

/** For sentences: what is long is cut. */
export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
