// Which tools there are, which of them a session gets, and how a name finds its tool.
import { agentTool } from './agents/agent';
import { nearNames } from '../text/near-names';
import { askUserQuestionTool } from './ask-user-question';
import { bashTool, createBashTool } from './bash/bash';
import { type CommandLimits } from '../settings/command-limits';
import { configTool } from './config/config';
import { editTool } from './edit/edit';
import { inForeground } from './foreground';
import { enterPlanModeTool } from './plan/enter-plan-mode';
import { exitPlanModeTool } from './plan/exit-plan-mode';
import { globTool } from './grep/glob';
import { grepTool } from './grep/grep';
import { listMcpResourcesTool } from './mcp/list-mcp-resources';
import { lspTool } from './lsp/lsp';
import { absentMcpTool } from './mcp/mcp-tool';
import { debugTool } from './debug/debug';
import { problemsTool } from './problems/problems';
import { problemsByCommandsTool } from './problems/problems-by-commands';
import { refactorTool } from './refactor/refactor';
import { notebookEditTool } from './notebook/notebook-edit';
import { pageTool } from './page/page';
import { runCellsTool } from './notebook/run-cells';
import { createPowerShellTool, powerShellTool } from './bash/power-shell';
import { readTool } from './read/read';
import { readMcpResourceTool } from './mcp/read-mcp-resource';
import { replTool } from './repl';
import { sendMessageTool } from './agents/send-message';
import { skillTool } from './skill';
import { sleepTool } from './sleep';
import { taskCreateTool } from './tasks/task-create';
import { taskGetTool } from './tasks/task-get';
import { taskListTool } from './tasks/task-list';
import { taskOutputTool } from './background/task-output';
import { taskStopTool } from './background/task-stop';
import { taskUpdateTool } from './tasks/task-update';
import { runTaskTool } from './run-task/run-task';
import { testsTool } from './tests/tests';
import { todoWriteTool } from './tasks/todo-write';
import { teamCreateTool } from './teams/team-create';
import { teamDeleteTool } from './teams/team-delete';
import { type AnyTool, type Availability } from '../tool/tool';
import { toolSearchTool } from './tool-search';
import { createWebFetchTool, webFetchTool } from './web/web-fetch';
import { defaultCacheOptions } from './web/web-fetch-cache';
import { webSearchTool } from './web/web-search';
import { writeTool } from './edit/write';

/** Every built-in tool, in the order in which they are sent. */
export function getAllBaseTools(): AnyTool[] {
  return [
    readTool,
    editTool,
    writeTool,
    notebookEditTool,
    runCellsTool,
    globTool,
    grepTool,
    bashTool,
    powerShellTool,
    replTool,
    agentTool,
    sendMessageTool,
    teamCreateTool,
    teamDeleteTool,
    taskStopTool,
    taskOutputTool,
    lspTool,
    problemsTool,
    testsTool,
    runTaskTool,
    refactorTool,
    debugTool,
    webFetchTool,
    webSearchTool,
    pageTool,
    todoWriteTool,
    taskCreateTool,
    taskUpdateTool,
    taskGetTool,
    taskListTool,
    askUserQuestionTool,
    enterPlanModeTool,
    exitPlanModeTool,
    configTool,
    sleepTool,
    skillTool,
    toolSearchTool,
    listMcpResourcesTool,
    readMcpResourceTool,
  ];
}

/** The only tools of `simple` mode. */
const simpleTools = new Set(['Bash', 'Read', 'Edit']);

export interface ToolSelection {
  /** A bare deny rule (also a glob) removes the tool altogether. */
  isDenied: (name: string) => boolean;
  simple: boolean;
  availability: Availability;
}

/** For the tools that a host has made, or for all. */
export function getTools(
  { isDenied, simple, availability }: ToolSelection,
  tools: readonly AnyTool[] = getAllBaseTools(),
): AnyTool[] {
  return tools
    .map((tool) => (tool === problemsTool && !tool.isEnabled(availability) ? problemsByCommandsTool : tool))
    .filter((tool) => tool.isEnabled(availability) && !isDenied(tool.name) && (!simple || simpleTools.has(tool.name)));
}

/** The same tools, those that run commands, start agents or keep pages within limits of the user's own. */
export function withCommandLimits(tools: readonly AnyTool[], limits: CommandLimits): AnyTool[] {
  const { webCacheMs: ttlMs, withoutBackground } = limits;
  const made: Readonly<Record<string, (limits: CommandLimits) => AnyTool>> = {
    Bash: createBashTool,
    PowerShell: createPowerShellTool,
    // Pages that are there are kept for all sessions.
    WebFetch: () => (ttlMs === undefined ? webFetchTool : createWebFetchTool({ ...defaultCacheOptions, ttlMs })),
  };
  const limited = tools.map((tool) => made[tool.name]?.(limits) ?? tool);
  return withoutBackground === true ? limited.map(inForeground) : limited;
}

/** Built-ins first and contiguous, so that the cached prefix holds; the rest by name; a built-in wins over a namesake. */
export function assembleToolPool(builtIn: readonly AnyTool[], others: readonly AnyTool[]): AnyTool[] {
  const taken = new Set(builtIn.map((tool) => tool.name));
  const added = others.filter((tool) => !taken.has(tool.name) && taken.add(tool.name));
  return [...builtIn, ...added.sort((a, b) => (a.name < b.name ? -1 : 1))];
}

export interface ToolRegistry {
  /** Chainable. A later tool of the same name is ignored. */
  register(tool: AnyTool): ToolRegistry;
  /** By name, then by alias; then by either in another spelling (`read`, `todowrite`), where no second tool can be meant. For a name of an MCP tool that is not there, a tool that says so. */
  find(name: string): AnyTool | undefined;
  all(): AnyTool[];
  /** Names close to an unknown one, nearest first, at most three. */
  near(name: string): string[];
}

export function createToolRegistry(tools: readonly AnyTool[] = []): ToolRegistry {
  const byName = new Map<string, AnyTool>();
  const byAlias = new Map<string, AnyTool>();
  const bySpelling = new Map<string, AnyTool | undefined>();
  const registry: ToolRegistry = {
    register(tool) {
      if (byName.has(tool.name)) return registry;
      byName.set(tool.name, tool);
      for (const alias of tool.aliases) if (!byAlias.has(alias)) byAlias.set(alias, tool);
      if (!tool.isMcp)
        for (const name of [tool.name, ...tool.aliases].map(spelled))
          bySpelling.set(name, (bySpelling.get(name) ?? tool) === tool ? tool : undefined);
      return registry;
    },
    find: (name) => byName.get(name) ?? byAlias.get(name) ?? bySpelling.get(spelled(name)) ?? absentMcpTool(name),
    all: () => [...byName.values()],
    near: (name) => nearNames(name, [...byName.keys()]),
  };
  tools.forEach((tool) => registry.register(tool));
  return registry;
}

const spelled = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
