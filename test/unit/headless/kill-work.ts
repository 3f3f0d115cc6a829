// The work that the kill test interrupts: random replies whose tools leave effects that can be counted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gate, reply, text, toolUse, type Gate, type ScriptedReply } from '../../support/messages-api/script';

/** Of the agents' system prompt: only their requests hold it. */
const agentMark = 'You are the worker.';

export interface FinishedCall {
  name: string;
  input: Record<string, unknown>;
}

/** What the work did in the workspace, each once, in order. */
export interface Effects {
  readonly commands: readonly string[];
  readonly edits: readonly string[];
}

type Step = () => ScriptedReply;

export function isAgentRequest(request: { body: Record<string, unknown> }): boolean {
  return JSON.stringify(request.body['system']).includes(agentMark);
}

/** Replies that never end a session's work, with pauses in which a kill may fall. */
export class RandomWork {
  readonly #workspace: string;
  readonly #random: () => number;
  /** Numbers the calls, so that each has an effect of its own. */
  #calls = 0;

  constructor(workspace: string, random: () => number) {
    this.#workspace = workspace;
    this.#random = random;
  }

  /** The file that is edited, the file of the commands' effects, and the agent that is started. */
  async prepare(): Promise<void> {
    await writeFile(this.#file('a.txt'), 'line 0\n');
    await writeFile(this.#file('effects.log'), '');
    await mkdir(this.#file('.claude/agents'), { recursive: true });
    await writeFile(
      this.#file('.claude/agents/worker.md'),
      `---\nname: worker\ndescription: Works\n---\n${agentMark}\n`,
    );
  }

  /** Agents end after a few replies; what started them never does. */
  next(isAgent: boolean): ScriptedReply {
    if (!isAgent) return this.#anyOf(this.#random() < 0.4 ? this.#agentSteps : this.#steps);
    return this.#random() < 0.35 ? reply(text('My', this.#pause(), ' report.')) : this.#anyOf(this.#steps);
  }

  async effects(): Promise<Effects> {
    return { commands: await this.#lines('effects.log'), edits: await this.#lines('a.txt') };
  }

  /** Reads, edits, new files, commands in the foreground and the background, with an effect that can be counted. */
  readonly #steps: readonly Step[] = [
    () =>
      reply(
        text('I look', this.#pause(), ' at it.'),
        toolUse('Read', { file_path: this.#file('a.txt') }),
        this.#effect(),
      ),
    () => reply(this.#effect(), this.#effect(), toolUse('Grep', { pattern: 'line', path: this.#workspace })),
    () => {
      const file = this.#file('a.txt');
      const last = `${readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)}\n`;
      const edit = { file_path: file, old_string: last, new_string: `${last}line ${++this.#calls}\n` };
      return reply(toolUse('Read', { file_path: file }), toolUse('Edit', edit), text('That is it.'));
    },
    () =>
      reply(
        toolUse('Write', {
          file_path: this.#file(`new-${++this.#calls}.txt`),
          content: `line ${this.#calls}\n`,
        }),
        this.#effect(),
      ),
    () =>
      reply(
        toolUse('Bash', {
          command: `${this.#effectLine()}; sleep 0.1; echo "end ${this.#calls}" >> effects.log`,
          run_in_background: true,
        }),
        this.#effect(),
        text('It runs', this.#pause(), ' behind.'),
      ),
    () =>
      reply(
        text('And', this.#pause(), ' more.'),
        toolUse('Bash', { command: `${this.#effectLine()}; sleep 0.05; echo done` }),
      ),
  ];

  /** One that is waited for, and two more in the background while the work continues. */
  readonly #agentSteps: readonly Step[] = [
    () => reply(text('One', this.#pause(), ' for it.'), this.#agent(false), this.#effect()),
    () => reply(this.#agent(true), text('And', this.#pause(), ' two.'), this.#agent(true), this.#effect()),
  ];

  #anyOf(steps: readonly Step[]): ScriptedReply {
    return (steps[Math.floor(this.#random() * steps.length)] ?? assert.fail())();
  }

  #agent(behind: boolean) {
    return toolUse('Agent', {
      description: 'Work',
      prompt: `Work on ${++this.#calls}`,
      subagent_type: 'worker',
      ...(behind ? { run_in_background: true } : {}),
    });
  }

  #effect() {
    return toolUse('Bash', { command: this.#effectLine() });
  }

  #effectLine(): string {
    return `echo "call ${++this.#calls}" >> effects.log`;
  }

  #pause(): Gate {
    return gate(this.#random() * 20);
  }

  #file(name: string): string {
    return path.join(this.#workspace, name);
  }

  async #lines(name: string): Promise<string[]> {
    return (await readFile(this.#file(name), 'utf8')).split('\n').filter((line) => line !== '');
  }
}

/** Whether the workspace shows what a finished call did. */
export async function showsEffect({ name, input }: FinishedCall, { commands, edits }: Effects): Promise<boolean> {
  if (name === 'Edit') return edits.includes(String(input['new_string']).trimEnd().split('\n').at(-1) ?? '');
  if (name === 'Write')
    return (await readFile(String(input['file_path']), 'utf8').catch(() => undefined)) === input['content'];
  // One in the background is done as soon as it has begun.
  if (name !== 'Bash' || input['run_in_background'] === true) return true;
  return commands.includes(/"(call \d+)"/.exec(String(input['command']))?.[1] ?? '');
}
