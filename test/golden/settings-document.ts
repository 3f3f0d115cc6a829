// docs/extension-settings.md, made from the settings of package.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export const settingsDocumentFile = 'docs/extension-settings.md';

export interface Setting {
  type: string;
  default: unknown;
  scope: string;
  description?: string;
  markdownDescription?: string;
  enum?: string[];
  enumDescriptions?: string[];
  minimum?: number;
  maximum?: number;
}

/** Writes the file. */
export async function main(): Promise<number> {
  const text = settingsDocument();
  const stale = !existsSync(settingsDocumentFile) || readFileSync(settingsDocumentFile, 'utf8') !== text;
  if (stale) writeFileSync(settingsDocumentFile, text);
  console.log(`${settingsDocumentFile} ${stale ? 'is written anew' : 'was up to date'}.`);
  return 0;
}

export function contributedSettings(): Record<string, Setting> {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: { configuration: { properties: Record<string, Setting> } };
  };
  return manifest.contributes.configuration.properties;
}

export function settingsDocument(): string {
  const rows = Object.entries(contributedSettings()).sort(([first], [second]) => (first < second ? -1 : 1));
  return `# Settings of the extension

<!-- Made by \`npm run docs\` from package.json. Change that, not this file. -->

What VS Code's settings (\`deft.…\`) offer. Settings files, such as \`.claude/settings.json\`, are another matter: [settings.md](settings.md).

*Where* says who may set it: **you** only in your own settings, so that no project chooses for you; **machine** the same, and not carried to other machines; **workspace** also a workspace, **folder** also
a folder of it; **here** a workspace on this machine.

| setting | default | where | what it does |
|---|---|---|---|
${rows.map(([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${whereOf(name, setting)} | ${whatOf(setting)} |`).join('\n')}
`;
}

function defaultOf({ default: value }: Setting): string {
  return value === '' ? 'empty' : `\`${JSON.stringify(value).replaceAll(/^"|"$/g, '')}\``;
}

const places: Readonly<Record<string, string>> = {
  application: 'you',
  machine: 'machine',
  'machine-overridable': 'here',
  window: 'workspace',
  resource: 'folder',
};

function whereOf(name: string, { scope }: Setting): string {
  const place = places[scope];
  if (place === undefined) throw new Error(`${name} has the scope ${scope}, for which there is no word.`);
  return place;
}

function whatOf({
  description,
  markdownDescription,
  enum: values = [],
  enumDescriptions = [],
  minimum,
  maximum,
}: Setting): string {
  const text = markdownDescription ?? description ?? '';
  const list = values.map(
    (value, index) => `\`${value}\`${enumDescriptions[index] === undefined ? '' : `: ${enumDescriptions[index]}`}`,
  );
  const described = enumDescriptions.length > 0;
  const range = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ].join(', ');
  const parts = [
    text,
    ...(list.length === 0 ? [] : [described ? list.join('<br>') : `${list.join(', ')}.`]),
    ...(range === '' ? [] : [`A number, ${range}.`]),
  ];
  return parts.join(described ? '<br>' : ' ').replaceAll('|', '\\|');
}
