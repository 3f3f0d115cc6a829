// The dependency rule as data: which layer may import which, and what of Node, VS Code and packages.
import { againstFloors } from './floors';
import { type Import, type SourceFile } from './source-files';

interface Layer {
  /** Layers that it may import, in addition to itself. */
  layers: string[];
  /** Of the packages that it may import. */
  packages: RegExp;
  node: boolean;
  vscode: boolean;
}

const portable = 'zod/v3|zod-to-json-schema|pathe|diff|picomatch|ignore|jsonc-parser|smol-toml|unbash|yaml';
/** Large ones, for threads that have a bundle of their own. */
const forWorkers = '@cantoo/pdf-lib|jpeg-js';

export const layers: Record<string, Layer> = {
  'src/shared': { layers: [], packages: /^zod\/v3$/, node: false, vscode: false },
  'src/core': { layers: ['src/shared'], packages: new RegExp(`^(?:${portable})$`), node: false, vscode: false },
  'src/providers': {
    layers: ['src/core', 'src/shared'],
    packages: /^(?:@anthropic-ai\/.+|@aws-sdk\/credential-providers|google-auth-library)$/,
    node: true,
    vscode: false,
  },
  'src/node': {
    layers: ['src/core', 'src/shared'],
    packages: new RegExp(
      `^(?:${portable}|${forWorkers}|ajv/dist/2020|turndown|@anthropic-ai/sandbox-runtime|@modelcontextprotocol/sdk/.+|playwright-core|ws)$`,
    ),
    node: true,
    vscode: false,
  },
  'src/vscode': {
    layers: ['src/core', 'src/shared', 'src/node', 'src/providers'],
    packages: new RegExp(`^(?:${portable})$`),
    node: true,
    vscode: true,
  },
  'src/headless': {
    layers: ['src/core', 'src/shared', 'src/node', 'src/providers'],
    packages: new RegExp(`^(?:${portable}|@agentclientprotocol/sdk)$`),
    node: true,
    vscode: false,
  },
  'webview-ui': {
    layers: ['src/shared'],
    packages: /^(?:preact|preact\/.+|@preact\/signals|marked|katex|mermaid|highlight\.js\/lib\/.+)$/,
    node: false,
    vscode: false,
  },
};

/** Pure parts of core, on top of the floors: nothing but their own folder and shared. */
const pureFolders = ['src/core/edits/', 'src/core/permissions/'];

function brokenPurity(file: string, { file: imported }: Import): string | undefined {
  const folder = pureFolders.find((one) => file.startsWith(one));
  if (folder === undefined || imported === undefined || imported.startsWith(folder)) return undefined;
  return imported.startsWith('src/shared/') ? undefined : `${folder} imports nothing outside its folder but shared`;
}

export function layerOf(file: string): string | undefined {
  return Object.keys(layers).find((name) => file.startsWith(`${name}/`));
}

/** What a file's imports break, a sentence each. */
export function brokenRules({ path: file, imports }: Pick<SourceFile, 'path' | 'imports'>): string[] {
  const name = layerOf(file);
  const layer = name === undefined ? undefined : layers[name];
  if (name === undefined || layer === undefined) return [`${file} is in no layer`];
  return imports.flatMap((imported) => {
    const at = `${file}:${imported.line} imports ${imported.specifier}`;
    const inner = [againstFloors(file, imported, name), brokenPurity(file, imported)].flatMap((rule) =>
      rule === undefined ? [] : `${at}: ${rule}`,
    );
    return [...inner, ...brokenByLayer(imported, name, layer).map((rule) => `${at}: ${rule}`)];
  });
}

function brokenByLayer({ specifier, file }: Import, name: string, layer: Layer): string[] {
  if (file !== undefined) {
    if (/\.(css|md|json)$/.test(specifier) && file.startsWith(`${name}/`)) return [];
    const other = layerOf(file);
    if (other === undefined) return ['it is in no layer'];
    return other === name || layer.layers.includes(other) ? [] : [`${name} may not import ${other}`];
  }
  if (specifier === 'vscode') return layer.vscode ? [] : ['only src/vscode knows vscode'];
  if (specifier.startsWith('node:')) return layer.node ? [] : [`${name} runs without Node`];
  return layer.packages.test(specifier) ? [] : [`${name} may not import this package`];
}
