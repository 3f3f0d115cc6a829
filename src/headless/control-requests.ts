// What a program may ask of a run by control requests: its facts, the end of a turn, another mode, another model.
import { type AgentSession } from '../core/feature/agent-session';
import { refusedModel } from '../core/model/available-models';
import { resolveModelName } from '../core/model/model-name';
import { knownModelIds, modelLabel } from '../core/model/models';
import { permissionModes, type PermissionMode } from '../shared/permission';
import { type RequestHandler } from './control-channel';
import { type ControlRequest } from './control-messages';

export interface ControlTarget {
  session: Pick<AgentSession, 'permission' | 'choices'>;
  /** That the run began with. */
  model: string;
  /** There is one model, whatever is asked for. */
  demo: boolean;
  /** `availableModels` of the settings files. */
  available: readonly string[] | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  commands: readonly { name: string; description: string; argumentHint: string }[];
  outputStyle: string;
  styles: readonly string[];
  /** Why the settings files forbid a mode. */
  switchedOff(mode: PermissionMode): string | undefined;
  /** The run was started without any questions, so a program may go back to that. */
  bypassStarted: boolean;
  interrupt(): void;
  /** Hooks of the program, from now on; a sentence where they cannot be used. */
  register(hooks: unknown): string | undefined;
  /** Mode or rules are others now. */
  changed(): void;
  warn(message: string): void;
}

/** Of `initialize`: what a run takes, and what asks for nothing. */
const heeded = new Set([
  'subtype',
  'hooks',
  'promptSuggestions',
  'agentProgressSummaries',
  'supportedDialogKinds',
  'perTaskStopAffordance',
  'forwardSubagentText',
]);

export function createRequestHandler(target: ControlTarget): RequestHandler {
  return async (request) => {
    switch (request.subtype) {
      case 'initialize':
        return initialize(request, target);
      case 'interrupt':
        target.interrupt();
        // Queued messages are still played: an interruption does not concern them.
        return {};
      case 'set_permission_mode':
        return setMode(request, target);
      case 'set_model':
        return setModel(request, target);
      default:
        return `This runner does not support the control request ${JSON.stringify(request.subtype)}. It supports initialize, interrupt, set_permission_mode and set_model.`;
    }
  };
}

function initialize(
  { fields }: ControlRequest,
  { commands, available, environment, outputStyle, styles, register, warn }: ControlTarget,
): Record<string, unknown> | string {
  const refused = register(fields['hooks']);
  if (refused !== undefined) return refused;
  const passedOver = Object.keys(fields).filter((name) => !heeded.has(name) && !isEmpty(fields[name]));
  if (passedOver.length > 0)
    warn(
      `initialize contains options that this runner does not support: ${passedOver.join(', ')}. The run continues without them; docs/headless.md lists the alternatives.`,
    );
  const models = knownModelIds.filter((model) => refusedModel(model, available, environment) === undefined);
  return {
    commands,
    agents: [],
    output_style: outputStyle,
    available_output_styles: styles,
    models: models.map((model) => ({ value: model, displayName: modelLabel(model), description: '' })),
    account: {},
    hooks_applied: true,
  };
}

function setMode(
  { fields }: ControlRequest,
  { session, switchedOff, bypassStarted, changed }: ControlTarget,
): Record<string, unknown> | string {
  const named = fields['mode'] === 'manual' ? 'default' : fields['mode'];
  const mode = permissionModes.find((one) => one === named);
  if (mode === undefined)
    return `set_permission_mode takes ${permissionModes.join(', ')}, not ${JSON.stringify(fields['mode'])}.`;
  const off = switchedOff(mode);
  if (off !== undefined) return off;
  if (mode === 'bypassPermissions' && !bypassStarted)
    return 'A run can switch to bypassPermissions only if it was started with --permission-mode bypassPermissions.';
  session.permission.setMode(mode);
  changed();
  return { mode };
}

function setModel(
  { fields }: ControlRequest,
  { session, model: first, demo, available, environment }: ControlTarget,
): Record<string, unknown> | string {
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

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
