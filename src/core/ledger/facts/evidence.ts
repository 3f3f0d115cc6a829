// What a log proves, followed record by record: which files Deft changed and when, which checks ran, what was refused, what nobody can say.
import { type LedgerRefusal } from '../../../shared/ledger';
import { type SessionRecord, type SystemRecord, type UserRecord } from '../../ports/record';
import { canonicalToolName } from '../../permissions/rules/rule-syntax';
import { changesOf, hashesOf, type MadeCall, type Run, runOf, subjectOf, withEnd } from './call-facts';
import { readCommand } from './runners';
import { type ToolResultBlock, type UserBlock } from '../../wire/wire';

/** They neither run code nor pass on what somebody else ran. */
const transparent = new Set([
  'Read',
  'Edit',
  'Write',
  'MultiEdit',
  'NotebookEdit',
  'Glob',
  'Grep',
  'LS',
  'LSP',
  'TodoWrite',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'TaskStop',
  'WebFetch',
  'WebSearch',
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'Problems',
  'Refactor',
  'ToolSearch',
  'Config',
  'Sleep',
  'ListMcpResources',
  'ReadMcpResource',
  'SendMessage',
  'TeamCreate',
  'TeamDelete',
  'Page',
]);
const agents = new Set(['Agent', 'Task']);
const commandTools = new Set(['Bash', 'PowerShell', 'Tests', 'RunTask']);
const mostCommands = 1_000;

interface TurnEvidence {
  /** The number of its first record. */
  from: number;
  /** By path; 0 edits where a command, the user or another program changed it. */
  files: Map<string, number>;
  runs: Run[];
  refused: LedgerRefusal[];
  mayHaveChanged: boolean;
  agentsWorked: boolean;
  ended: boolean;
}

interface FileChange {
  path: string;
  at: number;
}

export class Evidence {
  /** The number of the record that was added last. */
  at = 0;
  turn: TurnEvidence = newTurn(0);
  /** The folder that the session began in. */
  root = '';
  /** The last run of each command. */
  readonly runs = new Map<string, Run>();
  /** Every command, by when it began last. */
  readonly commands = new Map<string, number>();
  /** Each file that Deft changed, by when it did so last. */
  readonly changes = new Map<string, number>();
  /** Commands that still run, by their calls. */
  readonly running = new Map<string, string>();
  /** Something ran, or was said, after which nobody can tell from the log what was checked. */
  doubtAt = 0;
  /** The problems of the editor were read. */
  problemsAt = 0;
  /** The texts of files before the turn changed them, and now, by their hashes. */
  readonly hashes = new Map<string, { before: string | undefined; now: string }>();
  readonly #known = new Map<string, string>();
  readonly #calls = new Map<string, MadeCall>();
  readonly #decidedBy = new Map<string, string>();

  add(record: SessionRecord): void {
    this.at++;
    if ('raw' in record || record.isSidechain === true) return;
    if (this.root === '') this.root = record.cwd;
    if (record.type === 'assistant') {
      // Without a prompt, the turn before goes on.
      this.turn.ended = false;
      for (const block of record.message.content)
        if (block.type === 'tool_use')
          this.#calls.set(block.id, {
            id: block.id,
            name: canonicalToolName(block.name),
            input: block.input,
            at: this.at,
          });
    } else if (record.type === 'user') this.#user(record);
    else if (record.type === 'system') this.#system(record);
  }

  /** The last change of a file that passes. */
  lastChange(passes: (path: string) => boolean): FileChange | undefined {
    let last: FileChange | undefined;
    for (const [path, at] of this.changes) if (passes(path) && at >= (last?.at ?? 0)) last = { path, at };
    return last;
  }

  staleFor({ startAt }: Pick<Run, 'startAt'>): string[] {
    return [...this.changes].flatMap(([path, at]) => (at > startAt ? [path] : []));
  }

  #begin(): void {
    this.turn = newTurn(this.at);
    this.hashes.clear();
  }

  #system(record: SystemRecord): void {
    switch (record.subtype) {
      case 'tool_started': {
        const call = this.#calls.get(record.toolUseId);
        if (call !== undefined) call.startedAt = this.at;
        return;
      }
      case 'decision':
        this.#decidedBy.set(record.toolUseId, record.behavior === 'allow' ? '' : record.by);
        return;
      case 'background_end':
        return this.#backgroundEnd(record);
      case 'hook_notice':
        this.doubtAt = this.at;
        return;
      case 'user_call':
        return this.#userCall(record);
      case 'turn_end':
        this.turn.ended = true;
        return;
      default:
        return;
    }
  }

  #user(record: UserRecord): void {
    for (const { filePath, act } of record.changedFiles ?? []) this.#changedOutside(filePath, act);
    const { content } = record.message;
    const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    let isResult = false;
    for (const block of blocks) {
      if (block.type !== 'tool_result') continue;
      isResult = true;
      const call = this.#calls.get(block.tool_use_id);
      if (call !== undefined) this.#result(call, block, record);
    }
    if (isResult || record.isCompactSummary === true) return;
    if (record.isMeta === true) {
      // What hooks found out, such as by running the tests, is a text like any other.
      if (blocks.some((block) => block.type === 'text' && /\bhook\b/i.test(block.text))) this.doubtAt = this.at;
    } else if (record.steering !== true) this.#begin();
  }

  #changedOutside(path: string, act: 'undone' | 'rewound' | undefined): void {
    if (act !== undefined) {
      this.turn.refused.push({ what: path, why: act });
      this.doubtAt = this.at;
      this.hashes.delete(path);
    } else if (this.turn.mayHaveChanged && !this.turn.files.has(path)) this.turn.files.set(path, 0);
  }

  #result(call: MadeCall, block: ToolResultBlock, record: UserRecord): void {
    const state = record.toolState ?? (block.is_error === true ? 'failed' : 'done');
    const by = this.#decidedBy.get(call.id);
    this.#calls.delete(call.id);
    this.#decidedBy.delete(call.id);
    if (state === 'denied') {
      this.turn.refused.push({ what: subjectOf(call), why: by === 'user' ? 'rejected' : 'denied' });
      return;
    }
    this.#ended(call, record.toolUseResult, block);
  }

  #ended(call: MadeCall, output: unknown, block: ToolResultBlock, byUser = false): void {
    const { turn } = this;
    for (const { path, hash } of changesOf(output)) {
      this.changes.delete(path);
      this.changes.set(path, this.at);
      turn.files.set(path, (turn.files.get(path) ?? 0) + 1);
      const before = this.hashes.get(path)?.before ?? this.#known.get(path);
      if (hash !== undefined) this.hashes.set(path, { before, now: hash });
    }
    for (const { path, hash } of hashesOf(output)) this.#known.set(path, hash);
    if (call.name === 'Problems') this.problemsAt = this.at;
    if (agents.has(call.name)) turn.agentsWorked = true;
    if (!commandTools.has(call.name)) {
      if (transparent.has(call.name)) return;
      // It may have run anything, or told what something else had found.
      this.doubtAt = this.at;
      if (!agents.has(call.name) && call.name !== 'Skill' && call.name !== 'TaskOutput') turn.mayHaveChanged = true;
      return;
    }
    const run = runOf(call, output, block);
    if (run === undefined) return;
    this.#ran({ ...run, ...(byUser ? { byUser } : {}) }, call);
  }

  #ran(run: Run, call: MadeCall): void {
    this.commands.delete(run.command);
    this.commands.set(run.command, run.startAt);
    const [oldest] = this.commands.keys();
    if (this.commands.size > mostCommands && oldest !== undefined) this.commands.delete(oldest);
    if (run.state === 'running') this.running.set(call.id, run.command);
    const { mayChange, mayCheck } =
      call.name === 'Bash' || call.name === 'PowerShell'
        ? readCommand(run.command)
        : { mayChange: false, mayCheck: false };
    if (mayChange) this.turn.mayHaveChanged = true;
    if (mayCheck) this.doubtAt = this.at;
    if (run.kinds.length === 0) {
      if (call.name === 'RunTask') this.doubtAt = this.at;
      return;
    }
    this.runs.delete(run.command);
    this.runs.set(run.command, run);
    this.turn.runs = [...this.turn.runs.filter(({ command }) => command !== run.command), run];
  }

  #userCall({ toolUseId, tool, input, result }: Extract<SystemRecord, { subtype: 'user_call' }>): void {
    const call: MadeCall = { id: toolUseId, name: tool, input, at: this.at };
    this.#ended(call, result, { type: 'tool_result', tool_use_id: toolUseId, content: '' }, true);
  }

  #backgroundEnd({ toolUseId = '', end, tail = '' }: Extract<SystemRecord, { subtype: 'background_end' }>): void {
    this.running.delete(toolUseId);
    for (const run of this.runs.values()) {
      if (run.id !== toolUseId) continue;
      const ended = withEnd(run, end, tail);
      this.runs.set(run.command, ended);
      this.turn.runs = this.turn.runs.map((one) => (one.id === toolUseId ? ended : one));
    }
  }
}

function newTurn(from: number): TurnEvidence {
  return { from, files: new Map(), runs: [], refused: [], mayHaveChanged: false, agentsWorked: false, ended: false };
}

/** Prose: no test depends on it. */
export function isCode(path: string): boolean {
  return !/(?:\.(?:md|mdx|markdown|txt|rst|adoc|org|log|csv|svg|png|jpe?g|gif|pdf)|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS|NOTICE|CODEOWNERS|\.gitignore|\.gitattributes|\.editorconfig))$/i.test(
    path,
  );
}
