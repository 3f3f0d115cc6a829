// Builds what ships: the extension host bundle, the headless runner and the webview.
// `node esbuild.mjs [extension|headless|webview …] [--metafile]`; without names it builds all.
import { build } from 'esbuild';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Options that every bundle shares. Prompts, and programs for other interpreters, are files imported as text. */
export const common = {
  bundle: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  loader: { '.md': 'text', '.txt': 'text', '.py': 'text' },
  mainFields: ['module', 'main'],
  legalComments: 'none',
};

/** The vendor's SDK is a third of the extension's code and only needed by the first request: it stays in a file of its own. */
const sdkApart = {
  name: 'sdk-apart',
  setup(build) {
    build.onResolve({ filter: /^@anthropic-ai\/sdk$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './anthropic-sdk.js', external: true },
    );
  },
};

/** Libraries that no activation needs, by the functions that the extension calls: each is read from a file of its own at the first call. */
const late = {
  unbash: ['parse', 'forEachChild'],
  'jsonc-parser': ['applyEdits', 'findNodeAtLocation', 'getNodeValue', 'modify', 'parseTree', 'printParseErrorCode'],
  picomatch: ['default'],
  ignore: ['default'],
  diff: ['diffArrays'],
};

const lateLibraries = {
  name: 'late-libraries',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(late).join('|')})$`);
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'late' }));
    build.onLoad({ filter, namespace: 'late' }, ({ path }) => ({ contents: lateModule(path), resolveDir: '.' }));
  },
};

/** Stands for a library until one of its functions is called. */
function lateModule(name) {
  const functions = late[name].map((each) =>
    each === 'default'
      ? 'const whole = () => library().default ?? library();\n' +
        'export default new Proxy(() => undefined, { apply: (_, self, inputs) => whole().apply(self, inputs), get: (_, key) => whole()[key] });'
      : `export const ${each} = (...inputs) => library().${each}(...inputs);`,
  );
  return `let loaded;\nconst library = () => (loaded ??= require('./late/${name}.js'));\n${functions.join('\n')}\n`;
}

const node = { ...common, platform: 'node', format: 'cjs', target: 'node20', minify: true, keepNames: true };

export const bundles = {
  extension: { ...node, entryPoints: { extension: 'src/vscode/extension.ts' }, external: ['vscode', './late/*'], plugins: [sdkApart, lateLibraries], outdir: 'dist' },
  late: { ...node, entryPoints: Object.fromEntries(Object.keys(late).map((name) => [`late/${name}`, name])), outdir: 'dist' },
  sdk: { ...node, entryPoints: { 'anthropic-sdk': '@anthropic-ai/sdk' }, outdir: 'dist' },
  // Each is a thread of its own, started by the first PDF or large image.
  workers: { ...node, entryPoints: { 'pdf-worker': 'src/node/documents/pdf-worker.ts', 'image-worker': 'src/node/documents/image-worker.ts' }, outdir: 'dist' },
  headless: { ...node, entryPoints: { headless: 'src/headless/main.ts' }, outdir: 'dist' },
  // A thread's file: both hosts start it for the pages that WebFetch reads.
  markdown: { ...node, entryPoints: { 'web-markdown': 'src/node/web-markdown-worker.ts' }, outdir: 'dist' },
  webview: {
    ...common,
    entryPoints: { webview: 'webview-ui/main.tsx', 'webview-style': 'webview-ui/style.css' },
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['*.ttf'],
    outdir: 'dist',
  },
};

export async function buildAll(names = Object.keys(bundles), metafile = false) {
  await mkdir('dist', { recursive: true });
  await cp('node_modules/@vscode/codicons/dist', 'dist/codicons', {
    recursive: true,
    filter: (source) => !/\.(html|svg|csv|json|ts)$/.test(source),
  });
  await Promise.all(
    names.map(async (name) => {
      const result = await build({ ...bundles[name], metafile });
      if (metafile) await writeFile(`dist/${name}.meta.json`, JSON.stringify(result.metafile));
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  await buildAll(names.length > 0 ? names : undefined, process.argv.includes('--metafile'));
}
