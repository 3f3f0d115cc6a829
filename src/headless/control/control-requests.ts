// What a program may ask of a run by control requests: its facts, the end of a turn, another mode or model, its servers, files, a rewind.
import { type AgentSession } from '../../core/feature/agent-session';
import { refusedModel } from '../../core/model/available-models';
import { resolveModelName } from '../../core/model/model-name';
import { efforts } from '../../core/wire/wire';
import { permissionModes } from '../../shared/permission';
import { type RequestHandler } from './control-channel';
import { answerInitialize, type InitializeTarget } from './control-initialize';
import { contextUsage } from './control-context';
import { type ControlRequest } from './control-messages';
import { type ModeLimits, refusedMode } from './refused-mode';
import {
  readServerResource,
  reconnectServer,
  serverStatus,
  type ServersTarget,
  setServers,
  toggleServer,
} from './control-servers';
import { readFile, seedReadState } from './control-files';
import { reloadPlugins, reloadSkills, type ReloadTarget } from './control-reload';
import { rewindFiles } from './control-rewind';
import { type SettingsRequests, updateSettings } from './control-settings';
import { backgroundTasks, stopTask } from './control-tasks';

type Answer = Readonly<Record<string, unknown>> | string;

export interface ControlTarget extends InitializeTarget, ServersTarget, ModeLimits, ReloadTarget, SettingsRequests {
  session: AgentSession;
  /** That the run began with. */
  model: string;
  /** There is one model, whatever is asked for. */
  demo: boolean;
  interrupt(): void;
  /** For the thinking of one reply from now on; undefined: as the run was started. */
  limitThinking(tokens: number | undefined): void;
  /** A message of a server inside the program. */
  fromServer(request: ControlRequest): Answer;
  /** Mode or rules are others now. */
  changed(): void;
}

const handlers: Readonly<Record<string, (request: ControlRequest, target: ControlTarget) => Answer | Promise<Answer>>> =
  {
    initialize: answerInitialize,
    interrupt(_request, target) {
      target.interrupt();
      // Queued messages are still played: an interruption does not concern them.
      return {};
    },
    set_permission_mode: setMode,
    set_model: setModel,
    set_max_thinking_tokens: setThinking,
    apply_flag_settings: applySettings,
    get_context_usage: (request, { session }) => contextUsage(request, session),
    rewind_files: (request, { session }) => rewindFiles(request, session),
    mcp_status: (_request, { mcp }) => serverStatus(mcp),
    mcp_reconnect: (request, { mcp }) => reconnectServer(request, mcp),
    mcp_set_servers: setServers,
    mcp_toggle: toggleServer,
    mcp_read_resource: (request, { mcp }) => readServerResource(request, mcp),
    mcp_message: (request, { fromServer }) => fromServer(request),
    stop_task: (request, { session }) => stopTask(request, session),
    background_tasks: (request, { session }) => backgroundTasks(request, session),
    read_file: (request, { session }) => readFile(request, session),
    seed_read_state: (request, { session }) => seedReadState(request, session),
    reload_skills: reloadSkills,
    reload_plugins: reloadPlugins,
    update_settings: updateSettings,
  };

export function createRequestHandler(target: ControlTarget): RequestHandler {
  return async (request) => {
    const handle = Object.hasOwn(handlers, request.subtype) ? handlers[request.subtype] : undefined;
    if (handle !== undefined) return handle(request, target);
    const names = Object.keys(handlers).join(', ');
    return `This runner does not support the control request ${JSON.stringify(request.subtype)}. It supports ${names}.`;
  };
}

function setMode({ fields }: ControlRequest, target: ControlTarget): Answer {
  const named = fields['mode'] === 'manual' ? 'default' : fields['mode'];
  const mode = permissionModes.find((one) => one === named);
  if (mode === undefined)
    return `set_permission_mode takes ${permissionModes.join(', ')}, not ${JSON.stringify(fields['mode'])}.`;
  const refused = refusedMode(mode, target);
  if (refused !== undefined) return refused;
  target.session.permission.setMode(mode);
  target.changed();
  return { mode };
}

function setModel(
  { fields }: ControlRequest,
  { session, model: first, demo, available, environment }: ControlTarget,
): Answer {
  const named = fields['model'] ?? 'default';
  if (typeof named !== 'string' || named.trim() === '')
    return `set_model takes the name of a model, not ${JSON.stringify(named)}.`;
  if (demo) return 'The demo has one model only.';
  const model = named === 'default' ? first : resolveModelName(named, environment);
  const refusal = refusedModel(model, available, environment);
  if (refusal !== undefined) return refusal.replace('with /model', 'with set_model');
  session.choices.setModel(model);
  return { model };
}

/** 0 switches thinking off, null goes back to what the run was started with. */
function setThinking({ fields }: ControlRequest, { session, limitThinking }: ControlTarget): Answer {
  const tokens = fields['max_thinking_tokens'];
  if (tokens === undefined) return {};
  if (tokens !== null && !(typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0))
    return `set_max_thinking_tokens takes a whole number from 0 or null, not ${JSON.stringify(tokens)}.`;
  limitThinking(tokens ?? undefined);
  if (tokens !== null) session.choices.setThinking(tokens > 0);
  return {};
}

/** The settings that a session can take while it is open. */
function applySettings(request: ControlRequest, target: ControlTarget): Answer {
  const settings = request.fields['settings'];
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    return 'apply_flag_settings takes `settings`, an object.';
  const fields = settings as Record<string, unknown>;
  const known = new Set(['model', 'effortLevel', 'alwaysThinkingEnabled']);
  const unknown = Object.keys(fields).filter((name) => !known.has(name));
  if (unknown.length > 0)
    return `A running session takes model, effortLevel and alwaysThinkingEnabled, not ${unknown.join(', ')}: give those with --settings when the run is started. Nothing was changed.`;
  const { effortLevel, alwaysThinkingEnabled } = fields;
  const effort = efforts.find((one) => one === effortLevel);
  if (effortLevel !== undefined && effortLevel !== null && effort === undefined)
    return `effortLevel takes ${efforts.join(', ')}, not ${JSON.stringify(effortLevel)}. Nothing was changed.`;
  if ('model' in fields) {
    const answer = setModel({ ...request, fields: { model: fields['model'] } }, target);
    if (typeof answer === 'string') return answer;
  }
  if (effortLevel !== undefined) target.session.choices.setEffort(effort);
  if (typeof alwaysThinkingEnabled === 'boolean') target.session.choices.setThinking(alwaysThinkingEnabled);
  return {};
}
