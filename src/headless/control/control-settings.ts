// Settings that a program may write into files: two keys, each of which only says how Deft answers.
import { saveEdit } from '../../core/settings/save-update';
import { setKey } from '../../core/settings/edit-setting';
import { styleNamed } from '../../core/styles/output-style';
import { isObject } from '../../shared/plain-object';
import { type OpenRun } from '../open-run';
import { isRead } from '../read-sources';
import { readRunSettings } from '../run-settings';
import { type ControlRequest } from './control-messages';

type Answer = Readonly<Record<string, unknown>> | string;

const allowed = { localSettings: 'outputStyle', userSettings: 'effortLevel' } as const;
type Source = keyof typeof allowed;

/** `max` is for one session. */
const savedEfforts = ['low', 'medium', 'high', 'xhigh'];

export async function updateSettings({ fields }: ControlRequest, run: OpenRun): Promise<Answer> {
  const { source, settings } = fields;
  if (!isSource(source) || !isObject(settings))
    return 'update_settings takes `source` (localSettings or userSettings) and `settings`, an object.';
  const key = allowed[source];
  const others = Object.keys(settings).filter((name) => name !== key);
  if (others.length > 0)
    return `update_settings writes only ${key} into ${source}, not ${others.join(', ')}: other keys may allow something or run something. Nothing was changed.`;
  const value = settings[key];
  if (typeof value !== 'string') return `update_settings takes a text as ${key}. Nothing was changed.`;
  if (!isRead('settings', source, run.basis.options.settingSources))
    return `--setting-sources leaves out ${source}, so nothing was written there.`;
  return source === 'localSettings' ? saveStyle(value, run) : saveEffort(value, run);
}

async function saveStyle(name: string, run: OpenRun): Promise<Answer> {
  const { basis, contents } = run;
  const style = styleNamed((await contents.styles.list()).styles, name);
  if (style === undefined) return `There is no output style ${JSON.stringify(name)}. Nothing was changed.`;
  const refused = await save('localSettings', 'outputStyle', style.name, run);
  if (refused !== undefined) return refused;
  if (await isOverruled(style.name, run))
    basis.host.warn(`outputStyle was saved as ${style.name}, but a setting that counts more names another style.`);
  else {
    basis.style.chosen = style.name;
    if (!basis.options.trustProject)
      basis.host.warn(
        `The output style ${style.name} holds for this run. Later runs read it from the project's local settings only with --trust-project.`,
      );
  }
  return {};
}

/** As the files are now, with those of the project. */
async function isOverruled(name: string, { basis }: OpenRun): Promise<boolean> {
  const { options, cwd, home, host } = basis;
  const { values } = await readRunSettings({
    ...{ options: { ...options, trustProject: true }, cwd, home },
    ...{ environment: host.environment, warn: () => undefined },
  });
  return values.outputStyle !== name;
}

/** For sessions to come; `apply_flag_settings` sets that of this one. */
async function saveEffort(value: string, run: OpenRun): Promise<Answer> {
  if (!savedEfforts.includes(value))
    return `effortLevel takes ${savedEfforts.join(', ')} in a settings file, not ${JSON.stringify(value)}. Nothing was changed.`;
  return (await save('userSettings', 'effortLevel', value, run)) ?? {};
}

/** A sentence where it was not saved. */
async function save(source: Source, key: string, value: string, run: OpenRun): Promise<string | undefined> {
  const target = run.basis.settings.target(source);
  if (target === undefined) return `This run has no file for ${source}.`;
  const outcome = await saveEdit((text) => setKey(text, key, value), target, run.connections.ports.files);
  return outcome.saved ? undefined : outcome.message;
}

function isSource(value: unknown): value is Source {
  return value === 'localSettings' || value === 'userSettings';
}
