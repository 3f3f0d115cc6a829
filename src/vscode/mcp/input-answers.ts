// The user's answers to inputs of `.vscode/mcp.json`, kept only in the secret storage: no other server gets one unasked.
import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import { type McpInput, type McpServerEntry } from '../../core/ports/mcp';

/** By the id of the question. */
type Answers = Readonly<Record<string, string>>;
/** By server. */
type FileAnswers = Readonly<Record<string, Answers>>;

export interface McpInputs {
  /** What is known for a file, read anew: another window may have asked. Never rejects. */
  load(file: string): Promise<FileAnswers>;
  /** Asks for what the entry lacks, or for all of it where nothing is missing. False where the user gave up. */
  ask(entry: McpServerEntry): Promise<boolean>;
  /** Answers that nothing may show. */
  secrets(): readonly string[];
}

/** Undefined where the user gave up. */
export type AskInput = (server: string, input: McpInput, known: string | undefined) => Promise<string | undefined>;

/** Shorter ones would blot out half of a text. */
const shortestSecret = 6;

export function createInputAnswers(secrets: Pick<vscode.SecretStorage, 'get' | 'store'>, ask: AskInput): McpInputs {
  const known = new Map<string, FileAnswers>();
  let queue: Promise<unknown> = Promise.resolve();
  const load = async (file: string): Promise<FileAnswers> => {
    try {
      const kept = JSON.parse((await secrets.get(keyOf(file))) ?? '{}') as Record<string, Answers | string>;
      // Versions before this one kept answers by their id alone: nobody said which server they were for.
      const answers = Object.fromEntries(
        Object.entries(kept).filter((one): one is [string, Answers] => typeof one[1] === 'object'),
      );
      known.set(file, answers);
      return answers;
    } catch {
      return known.get(file) ?? {};
    }
  };
  const askAll = async ({ name, file, inputs = [], missing = [] }: McpServerEntry): Promise<boolean> => {
    if (file === undefined) return false;
    for (const input of inputs) {
      const all = await load(file);
      const answers = answersFor(all, name) ?? {};
      // Another window may have asked meanwhile.
      if (missing.length > 0 && (!missing.includes(input.id) || answers[input.id] !== undefined)) continue;
      const answer = await ask(name, input, input.isPassword ? undefined : answers[input.id]);
      if (answer === undefined) return false;
      const next = { ...all, [name]: { ...answers, [input.id]: answer } };
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
    secrets: () =>
      [...known.values()]
        .flatMap((servers) => Object.values(servers).flatMap((answers) => Object.values(answers)))
        .filter(({ length }) => length >= shortestSecret),
  };
}

/** Answers to the previous entry are not meant for the current one: all of them are asked again. False where the user gave up. */
export async function approveWithAnswers(
  { missing, ...entry }: McpServerEntry,
  inputs: Pick<McpInputs, 'ask'>,
  approve: () => Promise<void>,
): Promise<boolean> {
  const answered = (entry.inputs ?? []).length > (missing ?? []).length;
  if (answered && !(await inputs.ask(entry))) return false;
  await approve();
  if (!answered && missing !== undefined) await inputs.ask({ ...entry, missing });
  return true;
}

/** Undefined where nothing was loaded for the file. */
export function answersFor(answers: FileAnswers | undefined, server: string): Answers | undefined {
  return answers === undefined ? undefined : Object.hasOwn(answers, server) ? answers[server] : {};
}

function keyOf(file: string): string {
  return `deft.mcp.input.${createHash('sha256').update(file).digest('hex')}`;
}
