// Which tools there are, which of them a session gets, and how a name finds its tool.
import { askUserQuestionTool } from './ask-user-question';
import { bashTool, createBashTool } from './bash';
import { type CommandLimits } from './command-limits';
import { configTool } from './config';
import { editTool } from './edit';
import { enterPlanModeTool } from './enter-plan-mode';
import { exitPlanModeTool } from './exit-plan-mode';
import { globTool } from './glob';
import { grepTool } from './grep';
import { lspTool } from './lsp';
import { notebookEditTool } from './notebook-edit';
import { createPowerShellTool, powerShellTool } from './power-shell';
import { readTool } from './read';
import { replTool } from './repl';
import { sleepTool } from './sleep';
import { taskCreateTool } from './task-create';
import { taskGetTool } from './task-get';
import { taskListTool } from './task-list';
import { taskOutputTool } from './task-output';
import { taskStopTool } from './task-stop';
import { taskUpdateTool } from './task-update';
import { todoWriteTool } from './todo-write';
import { type AnyTool, type Availability } from './tool';
import { webFetchTool } from './web-fetch';
import { webSearchTool } from './web-search';
import { writeTool } from './write';

/** Every built-in tool, in the order in which they are sent. */
export function getAllBaseTools(): AnyTool[] {
  return [readTool, editTool, writeTool, notebookEditTool, globTool, grepTool, bashTool, powerShellTool, replTool, taskStopTool, taskOutputTool, lspTool, webFetchTool, webSearchTool, todoWriteTool, taskCreateTool, taskUpdateTool, taskGetTool, taskListTool, askUserQuestionTool, enterPlanModeTool, exitPlanModeTool, configTool, sleepTool];
}

/** The only tools of `simple` mode. */
const simpleTools = new Set(['Bash', 'Read', 'Edit']);

export interface ToolSelection {
  /** A bare deny rule (also a glob) removes the tool altogether. */
  isDenied: (name: string) => boolean;
  simple: boolean;
  availability: Availability;
}

export function getTools({ isDenied, simple, availability }: ToolSelection): AnyTool[] {
  return getAllBaseTools().filter(
    (tool) => tool.isEnabled(availability) && !isDenied(tool.name) && (!simple || simpleTools.has(tool.name)),
  );
}

/** The same tools, those that run commands within limits of the person's own. */
export function withCommandLimits(tools: readonly AnyTool[], limits: CommandLimits): AnyTool[] {
  const made: Readonly<Record<string, (limits: CommandLimits) => AnyTool>> = { Bash: createBashTool, PowerShell: createPowerShellTool };
  return tools.map((tool) => made[tool.name]?.(limits) ?? tool);
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
  /** By name, then by alias; case-sensitive. */
  find(name: string): AnyTool | undefined;
  all(): AnyTool[];
  /** Names close to an unknown one, nearest first, at most three. */
  near(name: string): string[];
}

export function createToolRegistry(tools: readonly AnyTool[] = []): ToolRegistry {
  const byName = new Map<string, AnyTool>();
  const byAlias = new Map<string, AnyTool>();
  const registry: ToolRegistry = {
    register(tool) {
      if (byName.has(tool.name)) return registry;
      byName.set(tool.name, tool);
      for (const alias of tool.aliases) if (!byAlias.has(alias)) byAlias.set(alias, tool);
      return registry;
    },
    find: (name) => byName.get(name) ?? byAlias.get(name),
    all: () => [...byName.values()],
    near: (name) =>
      [...byName.keys()]
        .map((known) => ({ known, distance: editDistance(known.toLowerCase(), name.toLowerCase()) }))
        .filter(({ known, distance }) => distance <= Math.max(2, known.length / 2))
        .sort((a, b) => a.distance - b.distance)
        .slice(0, 3)
        .map(({ known }) => known),
  };
  tools.forEach((tool) => registry.register(tool));
  return registry;
}

/** Levenshtein; names are short. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
