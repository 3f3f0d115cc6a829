// Settings that a program may write into files: two keys, each of which only says how Deft answers.
import { type FileSystem } from '../../core/ports/files';
import { saveEdit, type SettingsTarget } from '../../core/settings/save-update';
import { setKey } from '../../core/settings/edit-setting';
import { styleNamed } from '../../core/styles/output-style';
import { type OutputStyles } from '../../core/styles/find-styles';
import { isObject } from '../../shared/plain-object';
import { type ControlRequest } from './control-messages';

type Answer = Readonly<Record<string, unknown>> | string;

const allowed = { localSettings: 'outputStyle', userSettings: 'effortLevel' } as const;
export type WrittenSource = keyof typeof allowed;

/** `max` is for one session. */
const savedEfforts = ['low', 'medium', 'high', 'xhigh'];

export interface WrittenSettings {
  /** `--setting-sources` has it. */
  isRead(source: WrittenSource): boolean;
  /** Undefined where there is no such file. */
  target(source: WrittenSource): SettingsTarget | undefined;
  files: FileSystem;
  styles: Pick<OutputStyles, 'list'>;
  /** The style that the files name now, those of the project included. */
  styleOfFiles(): Promise<string | undefined>;
  /** Holds for the run. */
  chooseStyle(name: string): void;
  /** What the project's files say counts in every run. */
  trustsProject: boolean;
}

export interface SettingsRequests {
  written: WrittenSettings;
  warn(message: string): void;
}

export async function updateSettings({ fields }: ControlRequest, target: SettingsRequests): Promise<Answer> {
  const { source, settings } = fields;
  if (!isSource(source) || !isObject(settings))
    return 'update_settings takes `source` (localSettings or userSettings) and `settings`, an object.';
  const key = allowed[source];
  const others = Object.keys(settings).filter((name) => name !== key);
  if (others.length > 0)
    return `update_settings writes only ${key} into ${source}, not ${others.join(', ')}: other keys may allow something or run something. Nothing was changed.`;
  const value = settings[key];
  if (typeof value !== 'string') return `update_settings takes a text as ${key}. Nothing was changed.`;
  if (!target.written.isRead(source)) return `--setting-sources leaves out ${source}, so nothing was written there.`;
  return source === 'localSettings' ? saveStyle(value, target) : saveEffort(value, target);
}

async function saveStyle(name: string, { written, warn }: SettingsRequests): Promise<Answer> {
  const style = styleNamed((await written.styles.list()).styles, name);
  if (style === undefined) return `There is no output style ${JSON.stringify(name)}. Nothing was changed.`;
  const refused = await save('localSettings', style.name, written);
  if (refused !== undefined) return refused;
  if ((await written.styleOfFiles()) !== style.name) {
    warn(`outputStyle was saved as ${style.name}, but a setting that counts more names another style.`);
    return {};
  }
  written.chooseStyle(style.name);
  if (!written.trustsProject)
    warn(
      `The output style ${style.name} holds for this run. Later runs read it from the project's local settings only with --trust-project.`,
    );
  return {};
}

/** For sessions to come; `apply_flag_settings` sets that of this one. */
async function saveEffort(value: string, { written }: SettingsRequests): Promise<Answer> {
  if (!savedEfforts.includes(value))
    return `effortLevel takes ${savedEfforts.join(', ')} in a settings file, not ${JSON.stringify(value)}. Nothing was changed.`;
  return (await save('userSettings', value, written)) ?? {};
}

/** A sentence where it was not saved. */
async function save(source: WrittenSource, value: string, written: WrittenSettings): Promise<string | undefined> {
  const target = written.target(source);
  if (target === undefined) return `This run has no file for ${source}.`;
  const outcome = await saveEdit((text) => setKey(text, allowed[source], value), target, written.files);
  return outcome.saved ? undefined : outcome.message;
}

function isSource(value: unknown): value is WrittenSource {
  return value === 'localSettings' || value === 'userSettings';
}
