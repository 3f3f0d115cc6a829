// What holds before any settings file was read: apart from the code that reads them, which no activation needs.
import { noHookSettings } from '../hooks/hook-settings';
import { type LoadedSettings } from './load-settings';

export const noSettings: LoadedSettings = {
  rules: [],
  additionalDirectories: [],
  env: {},
  bypassDisabled: false,
  hooks: noHookSettings,
  values: {},
  problems: [],
  notes: [],
  stops: [],
  managedRulesOnly: false,
  broken: [],
  pending: [],
};
