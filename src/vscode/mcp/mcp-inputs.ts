// What entries of `.vscode/mcp.json` want to know of the person: asked once by VS Code's own boxes, kept in the secret storage alone.
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type McpInput, type McpServerEntry } from '../../core/ports/mcp';

type Answers = Readonly<Record<string, string>>;

export interface McpInputs {
  /** What is known for a file, read anew: another window may have asked. Never rejects. */
  load(file: string): Promise<Answers>;
  /** Asks for what the entry lacks, or for all of it where nothing is missing. False where the person gave up. */
  ask(entry: McpServerEntry): Promise<boolean>;
  /** Answers that nothing may show. */
  secrets(): readonly string[];
}

/** Undefined where the person gave up. */
export type AskInput = (server: string, input: McpInput, known: string | undefined) => Promise<string | undefined>;

/** Shorter ones would blot out half of a text. */
const shortestSecret = 6;

export function createMcpInputs(secrets: Pick<vscode.SecretStorage, 'get' | 'store'>, ask: AskInput = askPerson): McpInputs {
  const known = new Map<string, Answers>();
  let queue: Promise<unknown> = Promise.resolve();
  const load = async (file: string): Promise<Answers> => {
    try {
      const answers = JSON.parse((await secrets.get(keyOf(file))) ?? '{}') as Answers;
      known.set(file, answers);
      return answers;
    } catch {
      return known.get(file) ?? {};
    }
  };
  const askAll = async ({ name, file, inputs = [], missing = [] }: McpServerEntry): Promise<boolean> => {
    if (file === undefined) return false;
    for (const input of inputs) {
      const answers = await load(file);
      // Another entry of the file may have asked meanwhile.
      if (missing.length > 0 && (!missing.includes(input.id) || answers[input.id] !== undefined)) continue;
      const answer = await ask(name, input, input.isPassword ? undefined : answers[input.id]);
      if (answer === undefined) return false;
      const next = { ...answers, [input.id]: answer };
      await secrets.store(keyOf(file), JSON.stringify(next));
      known.set(file, next);
    }
    return true;
  };
  return {
    load,
    ask(entry) {
      // One box at a time.
      const asked = queue.then(() => askAll(entry));
      queue = asked.catch(() => undefined);
      return asked;
    },
    secrets: () => [...known.values()].flatMap((answers) => Object.values(answers)).filter(({ length }) => length >= shortestSecret),
  };
}

function keyOf(file: string): string {
  return `deft.mcp.input.${createHash('sha256').update(file).digest('hex')}`;
}

async function askPerson(server: string, { id, description, isPassword, choices, initial }: McpInput, known: string | undefined): Promise<string | undefined> {
  const title = `MCP server ${server}: ${id}`;
  if (choices.length === 0) return vscode.window.showInputBox({ title, prompt: description, password: isPassword, ignoreFocusOut: true, value: known ?? initial ?? '' });
  const items = choices.map(({ value, label }) => ({ label, description: value === initial ? 'default' : '', value }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: description, ignoreFocusOut: true });
  return picked?.value;
}
