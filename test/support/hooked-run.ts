// One turn with hooks that are real processes; only the model is scripted. What came of it, as the user and the model see it.
import { z } from 'zod/v3';
import { type HookEntry } from '../../src/core/hooks/hook-entry';
import { type TurnEnd } from '../../src/core/loop/after-reply';
import { type HookEvent } from '../../src/core/ports/hook-events';
import { type ModelRequest } from '../../src/core/wire/wire';
import { createNodeHookHandlers } from '../../src/node/hooks/node-hook-handlers';
import { createSystemClock } from '../../src/node/system-clock';
import { type PermissionMode, type PermissionRule, type PermissionUpdate } from '../../src/shared/permission';
import { askingTool, said } from './fake-tools';
import { commandHook } from './hooks';
import { reply, type ScriptedReply, toolUse } from './messages-api/script';
import { createScriptedModel, type ScriptedModel } from './scripted-model';
import { createHarness, type Harness } from './session-harness';

export interface HookedRun {
  hooks: readonly HookEntry[];
  /** A call of Say with "hi", and the end, unless the test says otherwise. */
  script?: readonly ScriptedReply[];
  mode?: PermissionMode;
  rules?: readonly PermissionRule[];
  /** Where the hooks run. */
  cwd: string;
  /** For the hooks, besides what they always have. */
  variables?: Readonly<Record<string, string>>;
}

export interface Played {
  end: TurnEnd;
  /** What Say was called with. */
  ran: string[];
  /** How often the user was asked. */
  asked: number;
  requests: number;
  /** The result of the first call, as the model got it. */
  result: string;
  /** What the last request says. */
  sent: string;
  /** Notices in the chat. */
  told: string[];
  /** The user's messages in the chat. */
  typed: string[];
  title: string;
  mode: PermissionMode;
  /** Permission updates that went to a settings file. */
  saved: PermissionUpdate[];
  harness: Harness;
  model: ScriptedModel;
}

export const sayHi: readonly ScriptedReply[] = [reply(toolUse('Say', { text: 'hi' }, 't1')), reply('Fine.')];

/** A hook that prints this. */
export function answering(event: HookEvent, answer: object | string, more: Partial<HookEntry> = {}): HookEntry {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return commandHook(event, `cat >/dev/null; printf '%s' '${text.replaceAll("'", `'\\''`)}'`, more);
}

/** `hookSpecificOutput` of an event. */
export function specific(event: HookEvent, fields: object): object {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}

export async function playHooked({
  hooks,
  script = sayHi,
  mode,
  rules = [],
  cwd,
  variables,
}: HookedRun): Promise<Played> {
  const ran: string[] = [];
  const saved: PermissionUpdate[] = [];
  const model = createScriptedModel(script);
  const say = askingTool('Say', {
    inputSchema: z.strictObject({ text: z.string().optional() }),
    call: async ({ text = '' }) => {
      ran.push(text);
      return text === 'fail' ? { failure: { code: 'failed', message: 'It failed.' } } : said(text);
    },
  });
  const harness = createHarness({
    model,
    tools: [say],
    ports: {
      hooks: createNodeHookHandlers({ environment: async () => ({ ...process.env, ...variables }) }),
      clock: createSystemClock(),
      permissionStore: { save: async (update) => (saved.push(update), { saved: true }) },
    },
    session: {
      hooks: () => ({ active: hooks }),
      environment: { cwd, folders: [cwd], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      ...(mode === undefined ? {} : { mode }),
      permission: () => ({
        rules: [...rules],
        folders: [cwd],
        ownFolders: [],
        home: '/home/ann',
        ignoreCase: false,
        trusted: true,
      }),
    },
  });
  const end = await harness.run('Go');
  const { items, title = '' } = harness.chat();
  const texts = model.requests.map(textsOf);
  return {
    end,
    ran,
    asked: harness.approvals.length,
    requests: model.requests.length,
    result: model.requests.flatMap(resultsOf)[0] ?? '',
    sent: texts.at(-1) ?? '',
    told: items.flatMap((item) => (item.kind === 'notice' ? [`${item.title} ${item.detail}`] : [])),
    typed: items.flatMap((item) => (item.kind === 'user' ? [item.text] : [])),
    title,
    mode: harness.session.permission.mode,
    saved,
    harness,
    model,
  };
}

function resultsOf({ messages }: ModelRequest): string[] {
  return messages.flatMap(({ content }) =>
    [...content].flatMap((block) => (block.type === 'tool_result' ? [textOf(block.content)] : [])),
  );
}

/** All texts and results of a request. */
export function textsOf(request: ModelRequest): string {
  const texts = request.messages.flatMap(({ content }) =>
    [...content].flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  return [...texts, ...resultsOf(request)].join('\n');
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
