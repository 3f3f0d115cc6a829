// The manifest of a plugin as data: a wrong field is reported and ignored, the rest still counts.
import { z } from 'zod/v3';
import { parseConfigText } from '../mcp/config-text';
import { isPluginName } from '../ports/plugin-identity';
import { isObject } from '../../shared/plain-object';

const paths = z.union([z.string(), z.array(z.string())]);
const inline = z.record(z.unknown());
const pathsOrInline = z.union([z.string(), inline, z.array(z.union([z.string(), inline]))]);
const text = z.string();

/** The parts that a manifest, or a marketplace's entry, may name. */
const componentShapes = {
  skills: paths,
  commands: z.union([z.string(), z.array(z.string()), inline]),
  agents: paths,
  hooks: pathsOrInline,
  mcpServers: pathsOrInline,
  outputStyles: paths,
};

const shapes = {
  name: text,
  version: text,
  description: text,
  author: z.union([text, z.object({ name: text }).passthrough()]),
  ...componentShapes,
};

type Shapes = typeof shapes;
export type PluginManifest = { -readonly [Name in keyof Shapes]?: z.infer<Shapes[Name]> };

/** Known, and nothing that this version can use. */
const passedOver: Readonly<Record<string, string>> = {
  lspServers: "language servers of plugins are not used: Deft uses VS Code's.",
  monitors: 'monitors are not supported.',
  channels: 'channels are not supported.',
  themes: 'themes are not supported.',
  workflows: 'workflows are not supported.',
  dependencies: 'its dependencies are not installed with it: install them yourself.',
  userConfig: 'Deft does not ask for `userConfig`: placeholders for it are not replaced.',
  settings: 'settings of plugins are not used.',
};
const informative = new Set([
  '$schema',
  'displayName',
  'homepage',
  'repository',
  'license',
  'keywords',
  'category',
  'tags',
  'source',
  'strict',
  'defaultEnabled',
  'experimental',
  'relevance',
]);

/** `name` precedes the sentences. A manifest that is not JSON supplies nothing of its own, and says so. */
export function readManifest(name: string, source: string): { manifest: PluginManifest; problems: string[] } {
  const config = parseConfigText(name, source);
  if (typeof config === 'string')
    return {
      manifest: {},
      problems: [config.replace(/ Mend it; .*$/, ' The parts that it names are missing until you fix it.')],
    };
  const value = config.valueAt([]);
  if (!isObject(value)) return { manifest: {}, problems: [`${name}: it must contain an object.`] };
  const { manifest, problems } = readFields(value);
  return { manifest, problems: problems.map(({ field, message }) => `${name}${config.position([field])}: ${message}`) };
}

/** Also of a marketplace's entry, which has the same fields. */
export function readFields(value: Record<string, unknown>): {
  manifest: PluginManifest;
  problems: { field: string; message: string }[];
} {
  const problems: { field: string; message: string }[] = [];
  const manifest: Record<string, unknown> = {};
  for (const [field, written] of Object.entries(value)) {
    const over = Object.hasOwn(passedOver, field) ? passedOver[field] : undefined;
    if (over !== undefined) problems.push({ field, message: over });
    else if (!Object.hasOwn(shapes, field)) {
      if (!informative.has(field))
        problems.push({ field, message: `\`${field}\` is not a plugin field; it is ignored.` });
    } else {
      const parsed = shapes[field as keyof Shapes].safeParse(written);
      if (!parsed.success) problems.push({ field, message: `\`${field}\` has the wrong shape; it is ignored.` });
      else if (field === 'name' && !isPluginName(parsed.data as string))
        problems.push({
          field,
          message: `${JSON.stringify(parsed.data)} is not a valid name: use letters, digits, "-", "_" and ".", at most 64 characters.`,
        });
      else manifest[field] = parsed.data;
    }
  }
  return { manifest: manifest as PluginManifest, problems };
}

/** A marketplace's entry adds what the plugin itself leaves out; one that is not strict stands alone. */
export function withEntry(
  own: PluginManifest,
  entry: { strict: boolean; manifest: PluginManifest } | undefined,
): { manifest: PluginManifest; problem?: string } {
  if (entry === undefined) return { manifest: own };
  if (entry.strict) return { manifest: { ...entry.manifest, ...own } };
  const named = Object.keys(componentShapes).filter((part) => Object.hasOwn(own, part));
  const { name, version, description, author } = own;
  const facts = Object.fromEntries(
    Object.entries({ name, version, description, author }).filter(([, fact]) => fact !== undefined),
  );
  return {
    manifest: { ...facts, ...entry.manifest },
    ...(named.length === 0
      ? {}
      : {
          problem: `Its marketplace defines its parts (strict: false), so ${named.map((part) => `\`${part}\``).join(', ')} in its own manifest are ignored.`,
        }),
  };
}
