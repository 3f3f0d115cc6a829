// Built-in tools that only an editor has: what is said where a model or its user asks for one and there is none.
import { type Ports } from '../ports/ports';

/** By the port that they need. */
const ofEditors = {
  LSP: 'languages',
  Problems: 'problems',
  RunTask: 'editorTasks',
  Refactor: 'refactorings',
  Debug: 'debugger',
  RunCells: 'notebooks',
} as const satisfies Record<string, keyof Ports>;

type Needed = Pick<Ports, (typeof ofEditors)[keyof typeof ofEditors] | 'checks'>;

/** A sentence; undefined for other tools, and where the editor is there. */
export function absentTool(name: string, ports: Needed): string | undefined {
  if (!Object.hasOwn(ofEditors, name) || ports[ofEditors[name as keyof typeof ofEditors]] !== undefined)
    return undefined;
  if (name !== 'Problems') return `${name} needs VS Code, which is not there: tell the user if it matters.`;
  return ports.checks === undefined
    ? `${name} needs VS Code, or commands in the setting problemCommands: tell the user if it matters.`
    : undefined;
}

/** The same for all that a search names. */
export function absentTools(query: string, ports: Needed): string[] {
  const words = new Set(query.toLowerCase().match(/[a-z]+/g));
  return Object.keys(ofEditors).flatMap((name) =>
    words.has(name.toLowerCase()) ? (absentTool(name, ports) ?? []) : [],
  );
}
