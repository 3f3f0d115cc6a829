// A scripted model that plays a recorded task with whatever tools the request offers, and goes back for what failed, as a model would.
import { type RecordedRequest } from '../support/messages-api/recorded-requests';
import { reply, toolSearch, toolUse, type ReplyBlock, type ScriptedReply } from '../support/messages-api/script';
import { blocksOf, isObject, messagesOf, type JsonObject } from '../support/messages-api/violation';
import { type CallIntent, type ChangeIntent, type Intent, type Step, type Task, type TrackIntent } from './intents';

/** Beyond this a task goes in circles. */
const maxRequests = 60;

/** `folder`: the workspace, as calls name its files. */
export function playerOf(task: Task, folder: string): (request: RecordedRequest, index: number) => ScriptedReply {
  const intents = new Map<string, Intent>();
  const retried = new Set<Intent>();
  const ahead: Step[] = [...task.steps];
  const loaded = new Set<string>();
  let tracked: TrackIntent | undefined;
  let calls = 0;
  const nextId = (prefix: string): string => `${prefix}_${String((calls += 1)).padStart(4, '0')}`;
  const callsOf = (intent: Intent, offer: Offer): Call[] => {
    if (intent.kind !== 'track') return [callOf(intent, offer, folder)];
    const before = tracked;
    tracked = intent;
    return trackingCalls(intent, before, offer);
  };
  return (request, index) => {
    if (index >= maxRequests) throw new Error(`${task.name}: more than ${maxRequests} requests`);
    const failed = failedIds(request.body).flatMap((id) => changeToRepeat(intents.get(id)) ?? []);
    const again = failed.filter((intent) => !retried.has(intent));
    if (again.length > 0) {
      for (const intent of again) retried.add(intent);
      const paths = [...new Set(again.map(({ path }) => path))];
      ahead.unshift(
        paths.map((path) => ({ kind: 'read', path })),
        again,
      );
    }
    const search = blocksOf(messagesOf(request.body).at(-1)).flatMap((block) =>
      searchFor(intents.get(String(block['tool_use_id'])), textOf(block['content'])),
    );
    if (search.length > 0) ahead.unshift(search);
    const step = ahead.shift();
    if (step === undefined) return reply(task.answer);
    const made = step.flatMap((intent) =>
      callsOf(intent, offered(request.body)).map(({ name, input }) => {
        const id = nextId('toolu');
        intents.set(id, intent);
        return { name, block: toolUse(name, input, id) };
      }),
    );
    const searched = toLoad(request.body).filter((name) => !loaded.has(name) && made.some((one) => one.name === name));
    for (const name of searched) loaded.add(name);
    const loading = searched.length === 0 ? [] : toolSearch(searched.join(' '), nextId('srvtoolu'), ...searched);
    return reply(...loading, ...made.map(({ block }): ReplyBlock => block));
  };
}

function changeToRepeat(intent: Intent | undefined): ChangeIntent | undefined {
  if (intent?.kind === 'write') return intent;
  return intent?.kind === 'edit' && !intent.slip ? intent : undefined;
}

/** What the result of a run lacks of what the model needs, in the file that it names. */
function searchFor(intent: Intent | undefined, result: string): Intent[] {
  if (intent?.kind !== 'run') return [];
  const missing = (intent.needs ?? []).filter((text) => !result.includes(text));
  if (missing.length === 0) return [];
  const file = / (?:is|are) in (\S+?)(?::|\])/.exec(result)?.[1];
  if (file === undefined) throw new Error(`"${intent.command}" names no file that has ${missing.join(', ')}.`);
  return [{ kind: 'find', text: missing.map(escaped).join('|'), lines: true, around: 8, path: file }];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('\n')
    : '';
}

function failedIds(body: JsonObject): string[] {
  return blocksOf(messagesOf(body).at(-1)).flatMap((block) =>
    block['type'] === 'tool_result' && block['is_error'] === true ? [String(block['tool_use_id'])] : [],
  );
}

type Offer = ReadonlyMap<string, ReadonlySet<string>>;

/** Tools that the API's own search has to load first. */
function toLoad(body: JsonObject): string[] {
  const tools = Array.isArray(body['tools']) ? body['tools'].filter(isObject) : [];
  return tools.flatMap((tool) => (tool['defer_loading'] === true ? [String(tool['name'])] : []));
}

/** One call for the whole list, or one for each task that is new or stands otherwise. */
export function trackingCalls(intent: TrackIntent, before: TrackIntent | undefined, offer: Offer): Call[] {
  const stateIn = ({ done }: TrackIntent, index: number): string =>
    index < done ? 'completed' : index === done ? 'in_progress' : 'pending';
  if (offer.has('TodoWrite')) {
    const todos = intent.subjects.map((content, index) => ({
      content,
      status: stateIn(intent, index),
      activeForm: `${content} …`,
    }));
    return [call(offer, 'TodoWrite', [[['todos'], todos]])];
  }
  const created = intent.subjects.slice(before?.subjects.length ?? 0).map((subject) =>
    call(offer, 'TaskCreate', [
      [['subject'], subject],
      [['description'], ''],
      [['activeForm'], `${subject} …`],
    ]),
  );
  const changed = intent.subjects.flatMap((_, index) => {
    const status = stateIn(intent, index);
    const was = before === undefined ? 'pending' : stateIn(before, index);
    return status === was
      ? []
      : [
          call(offer, 'TaskUpdate', [
            [['taskId'], String(index + 1)],
            [['status'], status],
          ]),
        ];
  });
  return [...created, ...changed];
}

/** The tools of a request with the names of their parameters. */
function offered(body: JsonObject): Offer {
  const tools = Array.isArray(body['tools']) ? body['tools'].filter(isObject) : [];
  return new Map(
    tools.map((tool) => {
      const schema = isObject(tool['input_schema']) ? tool['input_schema'] : {};
      return [String(tool['name']), new Set(Object.keys(isObject(schema['properties']) ? schema['properties'] : {}))];
    }),
  );
}

export interface Call {
  readonly name: string;
  readonly input: JsonObject;
}

/** Parameters by the first of their names that the tool has. */
export function callOf(intent: CallIntent, offer: Offer, folder: string): Call {
  const at = (path: string): string => `${folder}/${path}`;
  switch (intent.kind) {
    case 'list':
      return call(offer, 'Glob', [[['pattern'], intent.pattern]]);
    case 'symbol':
      if (offer.has('LSP'))
        return call(offer, 'LSP', [
          [['operation'], 'workspaceSymbol'],
          [['query'], intent.name],
        ]);
      return callOf({ kind: 'find', text: `\\b${intent.name}\\b`, lines: true }, offer, folder);
    case 'find':
      return call(offer, 'Grep', [
        [['pattern'], intent.text],
        [['path'], intent.path],
        [['glob'], intent.glob],
        [['output_mode'], intent.lines ? 'content' : undefined],
        [['-C', 'context'], intent.around],
      ]);
    case 'read':
      return call(offer, 'Read', [
        [['file_path', 'path'], at(intent.path)],
        [['offset'], intent.from],
        [['limit'], intent.count],
      ]);
    case 'edit':
      return call(offer, 'Edit', [
        [['file_path', 'path'], at(intent.path)],
        [['old_string', 'old_text', 'old'], intent.old],
        [['new_string', 'new_text', 'new'], intent.text],
        [['replace_all'], intent.everywhere ? true : undefined],
      ]);
    case 'write':
      return call(offer, 'Write', [
        [['file_path', 'path'], at(intent.path)],
        [['content', 'text'], intent.text],
      ]);
    case 'run':
      return call(offer, 'Bash', [[['command'], intent.command]]);
    case 'sense':
      return call(
        offer,
        intent.tool,
        Object.entries(intent.input).map(([name, value]) => [[name], value] as const),
      );
  }
}

function call(offer: Offer, name: string, values: readonly (readonly [readonly string[], unknown])[]): Call {
  const parameters = offer.get(name);
  if (parameters === undefined)
    throw new Error(`The request offers no ${name}: teach test/replay/player.ts its successor.`);
  const input = values.flatMap(([names, value]) => {
    if (value === undefined) return [];
    const known = names.find((one) => parameters.has(one));
    if (known === undefined) throw new Error(`${name} has none of ${names.join(', ')}: teach test/replay/player.ts.`);
    return [[known, value] as const];
  });
  return { name, input: Object.fromEntries(input) };
}
