// Values of several settings files as one: lists joined, objects merged, of the rest the highest file's.
import { type RuleSource } from '../../shared/permission';
import { type SettingsKey, settingsKeys, type SettingsValues } from './settings-keys';
import { isObject } from '../../shared/plain-object';

export interface FileValues {
  source: RuleSource;
  values: SettingsValues;
}

/** `files` of the highest first. */
export function mergeValues(files: readonly FileValues[]): SettingsValues {
  const names = new Set(files.flatMap(({ values }) => Object.keys(values) as SettingsKey[]));
  return Object.fromEntries([...names].map((name) => [name, mergedValue(name, files)]));
}

function mergedValue(name: SettingsKey, files: readonly FileValues[]): unknown {
  const setting = files.filter(({ values }) => values[name] !== undefined);
  const managed = setting.filter(({ source }) => source === 'managedSettings');
  const { merging } = settingsKeys[name];
  const taken = merging === 'managed' && managed.length > 0 ? managed : setting;
  const values = taken.map(({ values: all }): unknown => all[name]);
  if (merging === 'any') return values.includes(true);
  return merging === 'highest' ? values[0] : values.reduce(merge);
}

function merge(high: unknown, low: unknown): unknown {
  if (Array.isArray(high) && Array.isArray(low)) return unique([...(high as unknown[]), ...(low as unknown[])]);
  if (!isObject(high) || !isObject(low)) return high;
  const names = [...new Set([...Object.keys(high), ...Object.keys(low)])];
  const value = (name: string): unknown =>
    !Object.hasOwn(low, name) ? high[name] : Object.hasOwn(high, name) ? merge(high[name], low[name]) : low[name];
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

function unique(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
