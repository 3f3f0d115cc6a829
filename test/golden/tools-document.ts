// docs/tools.md, made from the definitions of the tools: what the model is told is what people can read.
import { capabilitiesOf } from '../../src/core/model/capabilities';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type JsonSchema } from '../../src/core/wire/wire';
import { convertToolsForAPI } from '../../src/core/tool/convert-tool';
import { getAllBaseTools } from '../../src/core/tools/registry';
import { type AnyTool, type Availability } from '../../src/core/tool/tool';

export const toolsDocumentFile = 'docs/tools.md';

/** Writes the file. */
export async function main(): Promise<number> {
  const text = await toolsDocument();
  const stale = !existsSync(toolsDocumentFile) || readFileSync(toolsDocumentFile, 'utf8') !== text;
  if (stale) writeFileSync(toolsDocumentFile, text);
  console.log(`${toolsDocumentFile} ${stale ? 'is written anew' : 'was up to date'}.`);
  return 0;
}

export async function toolsDocument(tools: readonly AnyTool[] = getAllBaseTools()): Promise<string> {
  const prompt = { toolNames: tools.map(({ name }) => name), platform: 'linux', shell: 'bash' };
  const definitions = await convertToolsForAPI(tools, {
    prompt,
    can: capabilitiesOf('anthropic', 'claude-opus-5'),
    strictTools: false,
    warn: (message) => console.warn(message),
  });
  const chapters = tools.map((tool, index) =>
    chapter(tool, definitions[index]?.description ?? '', definitions[index]?.input_schema ?? {}),
  );
  const head = [
    '# Tools',
    '',
    '<!-- Made by `npm run docs` from the definitions in src/core/tools. Change those, not this file. -->',
    '',
    'What the model can call, in the order in which it is told. Permission rules, hooks and agent files may use the name or any alias.',
    'A tier is what a tool may do at most: `ReadOnly` looks, `WorkspaceWrite` changes files of the workspace, `DangerFullAccess` may do anything.',
    '',
    '| tool | tier | for |',
    '|---|---|---|',
    ...tools.map(
      (tool, index) =>
        `| [${tool.name}](#${tool.name.toLowerCase()}) | \`${tool.access}\` | ${cell(firstSentence(definitions[index]?.description ?? ''))} |`,
    ),
  ];
  return `${[head.join('\n'), ...chapters].join('\n\n')}\n`;
}

function chapter(tool: AnyTool, prompt: string, schema: JsonSchema): string {
  const aliases = tool.aliases.length === 0 ? 'none' : tool.aliases.map((alias) => `\`${alias}\``).join(', ');
  const limits = [
    `A result of more than ${tool.maxResultSizeChars.toLocaleString('en')} characters goes to a file, with a preview in its place.`,
    ...limitSentences(prompt),
  ];
  return [
    `## ${tool.name}`,
    '',
    firstSentence(prompt),
    '',
    `- Tier: \`${tool.access}\``,
    `- Aliases: ${aliases}`,
    `- Enabled: ${enabledWhen(tool)}`,
    '- Limits:',
    ...limits.map((limit) => `  - ${limit}`),
    '',
    '| parameter | type | required | description |',
    '|---|---|---|---|',
    ...parameters(schema).map((row) => `| ${row.map(cell).join(' | ')} |`),
  ].join('\n');
}

function firstSentence(prompt: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(prompt.trim())?.[0].replace(/\s+/g, ' ').replace(/:$/, '.') ?? prompt.trim();
}

/** Sentences of the prompt that name a number as a bound. */
function limitSentences(prompt: string): string[] {
  return prompt
    .split('\n')
    .flatMap((line) => line.replace(/^[-*] /, '').split(/(?<=\.)\s+(?=[A-Z`])/))
    .filter(
      (sentence) =>
        /\d/.test(sentence) &&
        /\b(at most|up to|no more than|more than|longer than|larger than|over|within|limit|timeout|default|maximum)\b/i.test(
          sentence,
        ),
    );
}

/** One row a parameter; those of nested objects follow their own, as `outer.inner` and `list[].inner`. */
function parameters(schema: JsonSchema, before = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = property as JsonSchema;
    const path = `${before}${name}`;
    const inner = own.type === 'array' ? (own['items'] as JsonSchema | undefined) : own;
    const nested =
      inner?.properties === undefined ? [] : parameters(inner, `${path}${own.type === 'array' ? '[]' : ''}.`);
    return [
      [
        `\`${path}\``,
        typeOf(own),
        schema.required?.includes(name) === true ? 'yes' : 'no',
        String(own['description'] ?? ''),
      ],
      ...nested,
    ];
  });
}

function typeOf(schema: JsonSchema): string {
  const unions = schema['anyOf'] as JsonSchema[] | undefined;
  if (unions !== undefined) return unions.map(typeOf).join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const'])}\``;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
  const of = type === 'array' && schema['items'] !== undefined ? ` of ${typeOf(schema['items'] as JsonSchema)}` : '';
  return `${type}${of}${bounds(schema)}`;
}

const boundWords: [keyword: string, word: string][] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['minLength', 'characters: at least'],
  ['maxLength', 'characters: at most'],
  ['minItems', 'items: at least'],
  ['maxItems', 'items: at most'],
];

function bounds(schema: JsonSchema): string {
  const named = boundWords.flatMap(([keyword, word]) =>
    schema[keyword] === undefined ? [] : [`${word} ${String(schema[keyword])}`],
  );
  return named.length === 0 ? '' : `, ${named.join(', ')}`;
}

type Port = Parameters<Availability['has']>[0];
const ports: readonly Port[] = ['web', 'languages', 'questioner', 'notebooks', 'configuration'];
const platforms = ['linux', 'darwin', 'win32'];

/** Found out by asking isEnabled() about every host there could be: the fewest things that it needs. */
function enabledWhen(tool: AnyTool): string {
  const facts = [...ports, 'interactive', 'named', 'tasks', 'teams'] as const;
  const words = (fact: (typeof facts)[number]): string =>
    fact === 'named'
      ? 'a setting or an allow-list names it'
      : fact === 'tasks'
        ? '`CLAUDE_CODE_ENABLE_TASKS` or `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is 1'
        : fact === 'teams'
          ? '`CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is 1'
          : fact === 'interactive'
            ? 'somebody can be asked'
            : `the host has ${fact === 'web' ? 'a web client' : fact === 'languages' ? 'language servers' : `a ${fact}`}`;
  const found: { given: Set<string>; platforms: string[] }[] = [];
  const hosts = Array.from(
    { length: 2 ** facts.length },
    (_, bits) => new Set<string>(facts.filter((_fact, index) => (bits & (1 << index)) !== 0)),
  );
  for (const given of hosts.sort((a, b) => a.size - b.size)) {
    const on = platforms.filter((platform) =>
      tool.isEnabled({
        has: (port) => given.has(port),
        interactive: given.has('interactive'),
        platform,
        names: () => given.has('named'),
        tracks: (tools) => (tools === 'tasks') === given.has('tasks'),
        teams: () => given.has('teams'),
      }),
    );
    const fresh = on.filter(
      (platform) =>
        !found.some(
          (smaller) => smaller.platforms.includes(platform) && [...smaller.given].every((fact) => given.has(fact)),
        ),
    );
    if (fresh.length > 0) found.push({ given, platforms: fresh });
  }
  const withTasks: Availability = {
    has: () => true,
    interactive: true,
    platform: 'linux',
    names: () => true,
    tracks: (tools) => tools === 'tasks',
  };
  if (found.length === 0) return 'never';
  return found
    .map(({ given, platforms: on }) => {
      const needs = facts
        .filter((fact) => given.has(fact))
        .map(words)
        .join(' and ');
      const where = on.length === platforms.length ? '' : `on ${on.join(' and ')}`;
      if (needs === '')
        return where === ''
          ? tool.isEnabled(withTasks)
            ? 'always'
            : 'where neither `CLAUDE_CODE_ENABLE_TASKS` nor `CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS` is 1'
          : where;
      return `${where === '' ? '' : `${where} `}where ${needs}`;
    })
    .join('; or ');
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
