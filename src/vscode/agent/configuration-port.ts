// The Configuration port: Deft's settings with the place that each value comes from, and the permission rules.
import type { WorkspaceConfiguration } from 'vscode';
import { DeftError, messageOf } from '../../core/text/errors';
import { describeRule } from '../../core/permissions/rules/rule-syntax';
import { type Configuration, type ConfigurationEntry } from '../../core/ports/configuration';
import { type PermissionRule, type RuleBehavior } from '../../shared/permission';

/** The part of package.json that says which settings there are. */
export interface Manifest {
  contributes: { configuration: { properties: Record<string, Readonly<Record<string, unknown>>> } };
}

/** Nothing here widens what Deft may do, sends requests elsewhere, or reaches a command. */
const writable = new Set([
  'model',
  'effort',
  'autosave',
  'chat.sendWith',
  'chat.location',
  'notifications',
  'notificationSound',
  'review.reveal',
  'diagnostics.delay',
  'log.level',
]);

/** Their values may hold credentials: only names are shown. */
const namesOnly = new Set(['terminal.env']);

export function createConfiguration(
  manifest: Manifest,
  settings: () => Pick<WorkspaceConfiguration, 'inspect' | 'update'>,
  rules: () => readonly PermissionRule[],
): Configuration {
  const entry = (name: string, schema: Readonly<Record<string, unknown>>): ConfigurationEntry => {
    const key = name.replace(/^deft\./, '');
    const { value, source } = valueOf(key, schema, settings());
    return {
      key,
      value: namesOnly.has(key) ? namesOf(value) : value,
      source,
      description: descriptionOf(schema),
      writable: writable.has(key),
      schema,
    };
  };
  return {
    list: () => [
      ...Object.entries(manifest.contributes.configuration.properties).map(([name, schema]) => entry(name, schema)),
      ...(['allow', 'ask', 'deny'] as const).map((behavior) => rulesEntry(behavior, rules())),
    ],
    async set(key, value) {
      if (!writable.has(key))
        throw new DeftError('not-writable', 'This setting is not for the agent to change.', { audience: 'model' });
      try {
        await settings().update(key, value, true);
      } catch (error) {
        throw new DeftError('settings-refused', messageOf(error), { audience: 'model', cause: error });
      }
    },
  };
}

/** As Deft reads it: where a workspace may not set it, only the user's own value counts. */
function valueOf(
  key: string,
  schema: Readonly<Record<string, unknown>>,
  settings: Pick<WorkspaceConfiguration, 'inspect'>,
): { value: unknown; source: string } {
  const found = settings.inspect(key);
  const personal = schema['scope'] === 'application' || schema['scope'] === 'machine';
  const places: [string, unknown][] = [
    ...(personal
      ? []
      : ([
          ['workspace folder', found?.workspaceFolderValue],
          ['workspace', found?.workspaceValue],
        ] as [string, unknown][])),
    ['user', found?.globalValue],
  ];
  const [source, value] = places.find(([, set]) => set !== undefined) ?? [
    'default',
    found?.defaultValue ?? schema['default'],
  ];
  return { value, source };
}

function rulesEntry(behavior: RuleBehavior, rules: readonly PermissionRule[]): ConfigurationEntry {
  const value = rules.filter((rule) => rule.behavior === behavior).map(describeRule);
  const description = `What is ${{ allow: 'allowed', ask: 'asked', deny: 'denied' }[behavior]} by the permission rules of the settings files.`;
  return { key: `permissions.${behavior}`, value, source: 'settings files', description, writable: false, schema: {} };
}

function namesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function descriptionOf(schema: Readonly<Record<string, unknown>>): string {
  const text = schema['description'] ?? schema['markdownDescription'];
  return typeof text === 'string' ? text : '';
}
