// Config, row by row: what it reports, what it sets and refuses.
import assert from 'node:assert/strict';
import { DeftError } from '../../../src/core/text/errors';
import { type Configuration, type ConfigurationEntry } from '../../../src/core/ports/configuration';
import { configTool } from '../../../src/core/tools/config/config';
import { type ToolRow, toolTable } from '../../support/tool-table';

/** The settings of one row; a workspace may hold another value than the one that is set. */
function settings(effective?: unknown): { configuration: Configuration } {
  const entries: ConfigurationEntry[] = [
    {
      key: 'effort',
      value: 'default',
      source: 'default',
      description: 'How much the model thinks.',
      writable: true,
      schema: { type: 'string', enum: ['default', 'high', 'refuse'] },
    },
    {
      key: 'diagnostics.delay',
      value: 500,
      source: 'workspace',
      description: 'Milliseconds.',
      writable: true,
      schema: { type: 'integer', minimum: 0, maximum: 10_000 },
    },
    {
      key: 'baseUrl',
      value: '',
      source: 'default',
      description: 'The address.',
      writable: false,
      schema: { type: 'string' },
    },
  ];
  return {
    configuration: {
      list: () => entries,
      async set(key, value) {
        if (value === 'refuse') throw new DeftError('settings-refused', 'The disk is full.');
        Object.assign(
          entries.find((entry) => entry.key === key) ?? assert.fail(key),
          effective === undefined ? { value, source: 'user' } : { value: effective },
        );
      },
    },
  };
}

const asked: ToolRow['check'] = (result) => assert.equal(result.asked.length, 1);
const unasked: ToolRow['check'] = (result) => assert.equal(result.asked.length, 0);

const rows: ToolRow[] = [
  {
    name: 'every setting',
    input: {},
    ports: settings(),
    text: 'effort = "default" (default, can be set)\ndiagnostics.delay = 500 (workspace, can be set)\nbaseUrl = "" (default)',
    detail: '3 settings',
    check: unasked,
  },
  {
    name: 'one',
    input: { setting: 'effort' },
    ports: settings(),
    text: 'effort = "default" (default, can be set)\nHow much the model thinks.',
    detail: '"default"',
    check: unasked,
  },
  {
    name: 'one by its long name',
    input: { setting: 'deft.effort' },
    ports: settings(),
    text: 'effort = "default" (default, can be set)\nHow much the model thinks.',
    check: unasked,
  },
  {
    name: 'one that it may not set',
    input: { setting: 'baseUrl' },
    ports: settings(),
    text: 'baseUrl = "" (default)\nThe address.',
  },
  {
    name: 'a new value',
    input: { setting: 'deft.effort', value: 'high' },
    ports: settings(),
    text: 'Set effort in the user\'s settings: "default" is now "high".',
    check: asked,
  },
  {
    name: 'a number',
    input: { setting: 'diagnostics.delay', value: 0 },
    ports: settings(),
    text: "Set diagnostics.delay in the user's settings: 500 is now 0.",
    check: asked,
  },
  {
    name: 'a value that does not hold here',
    input: { setting: 'diagnostics.delay', value: 900 },
    ports: settings(500),
    text: /500 is now 900\. It has no effect here: the workspace settings say 500\.$/,
  },
  {
    name: 'a host that refuses',
    input: { setting: 'effort', value: 'refuse' },
    ports: settings(),
    code: 'settings-refused',
    text: 'effort was not changed: The disk is full.',
  },
  {
    name: 'a setting that is not there',
    input: { setting: 'efort' },
    ports: settings(),
    code: 'unknown-setting',
    text: /There is no setting efort\. There are: effort, diagnostics\.delay, baseUrl\./,
  },
  {
    name: 'a value without a setting',
    input: { value: 1 },
    ports: settings(),
    code: 'no-setting',
    text: /Name the setting/,
  },
  {
    name: 'what is not for the agent',
    input: { setting: 'baseUrl', value: 'http://x' },
    ports: settings(),
    code: 'not-writable',
    text: /ask the user to change deft\.baseUrl/,
    check: unasked,
  },
  {
    name: 'a value that is none',
    input: { setting: 'effort', value: 'huge' },
    ports: settings(),
    code: 'bad-value',
    text: /effort must be one of "default", "high", "refuse"; "huge" is not valid\./,
  },
  {
    name: 'a number that is too large',
    input: { setting: 'diagnostics.delay', value: 10_001 },
    ports: settings(),
    code: 'bad-value',
    text: /diagnostics\.delay must be/,
  },
  {
    name: 'a number as a text',
    input: { setting: 'Diagnostics.Delay', value: '900' },
    ports: settings(),
    answer: {},
    text: "Set diagnostics.delay in the user's settings: 500 is now 900.",
  },
  {
    name: 'a number in words',
    input: { setting: 'diagnostics.delay', value: 'ten' },
    ports: settings(),
    code: 'bad-value',
    text: /must be a whole number/,
  },
  {
    name: 'no value, as null',
    input: { setting: 'effort', value: null },
    ports: settings(),
    text: /^effort = "default"/,
    check: unasked,
  },
  {
    name: 'a setting that is a number',
    input: { setting: 1 },
    ports: settings(),
    code: 'InputValidationError',
    text: /`setting`: Expected string, received number/,
  },
  {
    name: 'a value that is an object',
    input: { setting: 'effort', value: {} },
    ports: settings(),
    code: 'InputValidationError',
    text: /`value`/,
  },
  { name: 'no settings on this host', input: {}, code: 'no-configuration', text: 'There are no settings here.' },
];

describe('Config, row by row', () => toolTable(configTool, rows));
