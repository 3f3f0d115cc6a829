// Saves the output style where one is set now, so that the choice counts, and looks whether it does.
import { type OutputStyles } from '../../core/styles/find-styles';
import { type OutputStyle } from '../../core/styles/output-style';
import type { RuleSource } from '../session/rule-source';

/** `deft.outputStyle` of VS Code. */
export interface StyleSetting {
  values: () => { workspace: string; global: string };
  update: (name: string, target: 'workspace' | 'global') => PromiseLike<void>;
}

export interface StylePlaces {
  styles: Pick<OutputStyles, 'current'>;
  rules: Pick<RuleSource, 'saveSetting' | 'values'>;
  setting: StyleSetting;
  /** The workspace: its own value of the setting does not count where it is not. */
  trusted: boolean;
}

/** A sentence where the style does not hold. */
export async function saveStyle({ name }: Pick<OutputStyle, 'name'>, places: StylePlaces): Promise<string | undefined> {
  const problem = await save(name, places);
  if (problem !== undefined) return problem;
  return (await places.styles.current()).name === name
    ? undefined
    : `“${name}” is saved, but another settings file decides${decider(places)}`;
}

async function save(name: string, { rules, setting, trusted }: StylePlaces): Promise<string | undefined> {
  const { workspace, global } = setting.values();
  const target = trusted && workspace !== '' ? 'workspace' : global === '' ? undefined : 'global';
  if (target !== undefined)
    return Promise.resolve(setting.update(name, target)).then(
      () => undefined,
      (error: unknown) => String(error),
    );
  const outcome = await rules.saveSetting('outputStyle', name);
  return outcome.saved ? undefined : outcome.message;
}

function decider({ rules, setting, trusted }: StylePlaces): string {
  const { workspace, global } = setting.values();
  if (trusted && workspace !== '') return `: deft.outputStyle of this workspace is “${workspace}”.`;
  if (global !== '') return `: deft.outputStyle of VS Code is “${global}”.`;
  const set = rules.values().outputStyle;
  return set === undefined ? '.' : `: its outputStyle is “${set}”.`;
}
