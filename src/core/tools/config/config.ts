// Config: looks at Deft's settings, and changes the harmless ones once the user has approved.
import { codeSpan } from '../../text/code-span';
import { z } from 'zod/v3';
import { DeftError } from '../../text/errors';
import { type PermissionVerdict } from '../../permissions/rules/verdict';
import { type Configuration, type ConfigurationEntry } from '../../ports/configuration';
import { buildTool, promptOf } from '../../tool/build-tool';
import { repairedValue, misfit, shown } from './config-value';
import prompt from './config.md';
import {
  type ToolContext,
  type ToolFailure,
  type ToolPreview,
  type ToolResult,
  type ValidationResult,
} from '../../tool/tool';

const inputSchema = z.strictObject({
  setting: z.string().optional().describe('The name of a setting, such as "effort"; omit it to list all'),
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .describe('The new value; omit it to see the current one'),
});

const entrySchema = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.string(),
  description: z.string(),
  writable: z.boolean(),
});
const outputSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('list'), settings: z.array(entrySchema) }),
  z.object({ action: z.literal('get'), setting: entrySchema }),
  z.object({
    action: z.literal('set'),
    key: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    setting: entrySchema,
  }),
]);

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const configTool = buildTool<Input, Output>({
  name: 'Config',
  aliases: ['config', 'ConfigTool'],
  seldom: "shows and changes Deft's settings",
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema,
  access: 'ReadOnly',
  isEnabled: ({ has }) => has('configuration'),
  isReadOnly: ({ value }) => value === undefined,
  describe: ({ setting, value }) => {
    if (setting === undefined) return { now: 'Looking at the settings', past: 'Looked at the settings' };
    if (value === undefined)
      return { now: `Looking at the setting ${keyOf(setting)}`, past: `Looked at the setting ${keyOf(setting)}` };
    return { now: `Setting ${keyOf(setting)} to ${shown(value)}`, past: `Set ${keyOf(setting)} to ${shown(value)}` };
  },
  validateInput: async (input, { ports }) =>
    ports.configuration === undefined ? { ok: true } : validate(input, ports.configuration),
  checkPermissions: async ({ value }) => (value === undefined ? undefined : settingAsks),
  preview,
  call,
  content: resultText,
  view: (output) => ({ kind: 'markdown', text: viewText(output) }),
  detail: (output) =>
    output.action === 'list'
      ? `${output.settings.length} settings`
      : output.action === 'get'
        ? shown(output.setting.value)
        : '',
});

/** In every mode, and whatever rules or hooks say. */
const settingAsks: PermissionVerdict = {
  behavior: 'ask',
  code: 'rule',
  reason: 'A setting is changed only with your approval.',
  suggestions: [],
};

function keyOf(setting: string): string {
  return setting.replace(/^deft\./, '');
}

function find(configuration: Configuration, setting: string): ConfigurationEntry | undefined {
  const wanted = keyOf(setting);
  const entries = configuration.list();
  return (
    entries.find(({ key }) => key === wanted) ?? entries.find(({ key }) => key.toLowerCase() === wanted.toLowerCase())
  );
}

function validate({ setting, value }: Input, configuration: Configuration): ValidationResult {
  if (setting === undefined) {
    return value === undefined
      ? { ok: true }
      : {
          ok: false,
          code: 'no-setting',
          message: 'value is given without setting. Name the setting to change.',
        };
  }
  const entry = find(configuration, setting);
  if (entry === undefined) {
    const known = configuration.list().map(({ key }) => key);
    return {
      ok: false,
      code: 'unknown-setting',
      message: `There is no setting ${setting}. There are: ${known.join(', ')}.`,
    };
  }
  if (value === undefined) return { ok: true };
  if (!entry.writable) {
    return {
      ok: false,
      code: 'not-writable',
      message: `You may not change ${entry.key}. If it is needed, ask the user to change deft.${entry.key} in their settings.`,
    };
  }
  const wrong = misfit(entry.schema, repairedValue(entry.schema, value));
  return wrong === undefined
    ? { ok: true }
    : { ok: false, code: 'bad-value', message: `${entry.key} ${wrong}; ${shown(value)} is not valid.` };
}

async function preview({ setting, value }: Input, { ports }: ToolContext): Promise<ToolPreview | ToolFailure> {
  if (ports.configuration === undefined) return noConfiguration;
  const entry = setting === undefined ? undefined : find(ports.configuration, setting);
  if (entry === undefined || value === undefined) return { view: { kind: 'markdown', text: '' } };
  return {
    view: {
      kind: 'markdown',
      text: `${changeText(entry.key, entry.value, repairedValue(entry.schema, value))}\n\n${entry.description}`,
    },
  };
}

async function call(
  { setting, value: given }: Input,
  { ports }: ToolContext,
): Promise<ToolResult<Output> | ToolFailure> {
  const { configuration } = ports;
  if (configuration === undefined) return noConfiguration;
  if (setting === undefined) return { data: { action: 'list', settings: configuration.list().map(plain) } };
  const entry = find(configuration, setting);
  if (entry === undefined)
    return { failure: { code: 'unknown-setting', message: `The setting ${setting} no longer exists.` } };
  if (given === undefined) return { data: { action: 'get', setting: plain(entry) } };
  const value = repairedValue(entry.schema, given);
  const before = entry.value;
  try {
    await configuration.set(entry.key, value);
  } catch (error) {
    if (!(error instanceof DeftError)) throw error;
    return { failure: { code: error.code, message: `${entry.key} was not changed: ${error.message}` } };
  }
  return {
    data: {
      action: 'set',
      key: entry.key,
      before,
      after: value,
      setting: plain(find(configuration, entry.key) ?? entry),
    },
  };
}

const noConfiguration: ToolFailure = { failure: { code: 'no-configuration', message: 'There are no settings here.' } };

function plain({ key, value, source, description, writable }: ConfigurationEntry): z.infer<typeof entrySchema> {
  return { key, value, source, description, writable };
}

function resultText(output: Output): string {
  if (output.action === 'list') return output.settings.map(lineOf).join('\n');
  if (output.action === 'get') return `${lineOf(output.setting)}\n${output.setting.description}`;
  const { key, before, after, setting } = output;
  const done = `Set ${key} in the user's settings: ${shown(before)} is now ${shown(after)}.`;
  return shown(setting.value) === shown(after)
    ? done
    : `${done} It has no effect here: the ${setting.source} settings say ${shown(setting.value)}.`;
}

function lineOf({ key, value, source, writable }: z.infer<typeof entrySchema>): string {
  return `${key} = ${shown(value)} (${source}${writable ? ', can be set' : ''})`;
}

function viewText(output: Output): string {
  if (output.action === 'set') return changeText(output.key, output.before, output.after);
  const settings = output.action === 'list' ? output.settings : [output.setting];
  return settings
    .map(({ key, value, source }) => `- ${codeSpan(key)}: ${codeSpan(shown(value))}, ${source}`)
    .join('\n');
}

function changeText(key: string, before: unknown, after: unknown): string {
  return `${codeSpan(`deft.${key}`)}: ${codeSpan(shown(before))} → ${codeSpan(shown(after))}`;
}
