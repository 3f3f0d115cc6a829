// Builds what ships: the extension with the headless runner and deft-acp, and the webview.
// `node esbuild.mjs [extension|webview|workers …] [--metafile]`; without names it builds all. "extension" is the headless runner too.
import { build, transform } from 'esbuild';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { joinedParts, requireJoined, withJoined } from './joined-parts.mjs';
import { shippedPackages, thirdPartyNotices } from './third-party-notices.mjs';
import { withoutUnused } from './unused-code.mjs';

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

/** Each `import * as vscode` of a bundle would copy some 560 names, a millisecond at every file that has one: all share one copy. */
const oneVscode = {
  name: 'one-vscode',
  setup(build) {
    build.onResolve({ filter: /^vscode$/, namespace: 'file' }, ({ path }) => ({ path, namespace: 'one-vscode' }));
    build.onResolve({ filter: /^vscode$/, namespace: 'one-vscode' }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /^vscode$/, namespace: 'one-vscode' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/**
 * What is imported with import() gets a file of its own in dist/late, with what it alone needs. esbuild splits only ES modules, and VS Code reads CommonJS
 * faster and for all versions alike: so the parts are built as the one and written as the other.
 */
export async function writeAsCommonJs({ outputFiles, metafile }) {
  const names = partNames(metafile);
  const nameOf = (file) => `${names.get(path.parse(file).name) ?? path.parse(file).name}.js`;
  const joined = joinedParts(metafile, nameOf);
  const steps = loadingSteps(metafile, nameOf, joined);
  const renamed = (text) =>
    [...names].reduce((renamed, [hashed, name]) => renamed.replaceAll(`${hashed}.js`, `${name}.js`), text);
  const written = await Promise.all(
    outputFiles.map(async ({ path: file, text }) => {
      const target = renamed(file);
      const code = inSteps(renamed(text), steps);
      // A part lies beside the libraries already.
      const isPart = path.basename(path.dirname(target)) === 'late';
      const options = {
        platform: 'node',
        format: 'cjs',
        target: node.target,
        supported: { 'dynamic-import': false },
        sourcesContent: false,
      };
      const { code: plain } = await transform(isPart ? code.replaceAll('"./late/', '"./') : code, {
        ...options,
        sourcemap: 'inline',
        sourcefile: path.basename(target),
      });
      const small = await transform(requireJoined(plain, joined, path.basename(target)), {
        ...options,
        minify: true,
        sourcemap: 'external',
        sourcefile: path.basename(target),
      });
      return { target, code: small.code, map: small.map };
    }),
  );
  for (const { target, code, map } of withJoined(written, joined)) {
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
    await writeFile(`${target}.map`, map);
  }
}

/** Bytes that are read and run at once, source maps included: a few milliseconds' work. */
const stepSize = 200_000;

/** For each part, by its file's name: the files that it needs, dependencies first, in steps of about one size. */
function loadingSteps({ outputs }, nameOf, joined) {
  const fileOf = (file) => [...joined].find(([, parts]) => parts.includes(nameOf(file)))?.[0] ?? nameOf(file);
  const needs = (file, seen) => {
    if (seen.has(file)) return seen;
    seen.add(file);
    const first = new Set();
    for (const { path: needed, kind } of outputs[file].imports)
      if (kind === 'import-statement' && needed in outputs) first.add(needed);
    for (const needed of first) needs(needed, seen);
    seen.delete(file);
    return seen.add(file);
  };
  return new Map(
    Object.keys(outputs)
      .filter((file) => file.endsWith('.js'))
      .map((part) => {
        let size = 0;
        const steps = [];
        const found = new Set();
        for (const file of needs(part, new Set())) {
          if (found.has(fileOf(file))) continue;
          found.add(fileOf(file));
          if (size === 0) steps.push([]);
          steps.at(-1).push(fileOf(file));
          size += outputs[file].bytes;
          if (size > stepSize) size = 0;
        }
        return [nameOf(part), steps];
      }),
  );
}

/** import() of a part reads what it needs in several turns of the event loop: other extensions run in between. */
function inSteps(code, steps) {
  let found = false;
  const text = code.replaceAll(/\bimport\("(\.\/(?:late\/)?)([^"/]+)"\)/g, (_, folder, file) => {
    found = true;
    // What another build has written comes in one step.
    const files = (steps.get(file) ?? [[file]]).map((step) => step.map((name) => folder + name));
    return `inSteps(${JSON.stringify(files)})`;
  });
  return found ? reader + text : text;
}

/** What is there already costs no turn. */
const reader = `const read = {};
const inSteps = async (steps) => {
  const part = steps.at(-1).at(-1);
  if (read[part]) return read[part];
  for (const [number, files] of steps.entries()) {
    if (number > 0) await new Promise(setImmediate);
    for (const file of files) read[file] = require(file);
  }
  return read[part];
};
`;

/** The same from build to build: the name of the file that is imported, "shared" for what several parts need. */
function partNames({ outputs }) {
  const taken = new Map();
  const parts = Object.keys(outputs)
    .map((file) => /(([\w-]+)-[0-9A-Z]{8})\.js$/.exec(file))
    .filter((match) => match !== null);
  return new Map(
    parts.map(([, hashed, kind]) => {
      const name = kind === 'chunk' ? 'shared' : kind;
      const number = (taken.get(name) ?? 0) + 1;
      taken.set(name, number);
      return [hashed, number === 1 ? name : `${name}-${number}`];
    }),
  );
}

/** Libraries that no activation needs, by the functions that the extension calls: each is read from a file of its own at the first call. */
const late = {
  unbash: ['parse', 'forEachChild'],
  'jsonc-parser': ['applyEdits', 'findNodeAtLocation', 'getNodeValue', 'modify', 'parseTree', 'printParseErrorCode'],
  picomatch: ['default'],
  ignore: ['default'],
  diff: ['diffArrays'],
  yaml: ['parse'],
};

/** Likewise, in a bundle of its own: what Page drives a browser with is ten times as large as all of them. */
const browserLibrary = 'playwright-core';
late[browserLibrary] = ['default'];

/** In dist/late. It is imported with import(): the part that this makes has the name of the library. */
const lateFile = (name) => (name === browserLibrary ? 'playwright' : name);

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
  return `let loaded;\nconst library = () => (loaded ??= require('./late/${lateFile(name)}.js'));\n${functions.join('\n')}\n`;
}

/** The client of MCP brings a checker of JSON Schemas, a fifth of all that it needs. Deft gives it another one, which lets everything pass. */
const withoutSchemaChecker = {
  name: 'without-schema-checker',
  setup(build) {
    build.onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ },
      () => ({ contents: 'export class AjvJsonSchemaValidator {}' }),
    );
  },
};

/** Both hosts read the vendors' SDKs from the files that the build `sdks` writes. */
const sharedSdks = {
  name: 'shared-sdks',
  setup(build) {
    build.onResolve({ filter: /^\.\/provider-sdks$/ }, () => ({ path: './late/provider-sdks.js', external: true }));
  },
};

/** Parts of libraries that Node has itself or that nothing here calls, by the package or file: what stands in their place. */
const standIns = {
  // SigV4 hashes each body: Node's own hash does it many times as fast.
  '@aws-crypto/sha256-js': `import { createHash, createHmac } from 'node:crypto';
    export class Sha256 {
      constructor(secret) { this.secret = secret; this.reset(); }
      reset() { this.hash = this.secret === undefined ? createHash('sha256') : createHmac('sha256', this.secret); }
      update(data) { this.hash.update(data); }
      async digest() { return new Uint8Array(this.hash.digest()); }
    }`,
  // The provider chain is given to the SDK, so that variables of settings files count too.
  '@aws-sdk/credential-providers/of-the-sdk': '',
  // People who use a coding agent have no identity pool.
  '@aws-sdk/credential-provider-cognito-identity': '',
  // The name of the browser, for browsers.
  bowser: 'export default {};',
  // Node has fetch; gaxios asks for this package where it is given none.
  'node-fetch': 'export default (...inputs) => fetch(...inputs);',
  // Only of use with node-fetch.
  'https-proxy-agent': 'export class HttpsProxyAgent {}',
  // Numbers of the metadata server: none is larger than JSON's.
  'json-bigint': 'export default () => JSON;',
};

const slimSdks = {
  name: 'slim-sdks',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(standIns).join('|')})$`);
    build.onResolve({ filter }, ({ path }) => {
      if (path === '@aws-sdk/credential-providers') return undefined;
      return { path, namespace: 'stand-in', sideEffects: false };
    });
    build.onResolve({ filter: /^@aws-sdk\/credential-providers$/ }, ({ importer }) =>
      /[\\/]bedrock-sdk[\\/]/.test(importer)
        ? { path: '@aws-sdk/credential-providers/of-the-sdk', namespace: 'stand-in' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: standIns[path] }));
  },
};

/** It reads these two beside its own files, where the package has them. */
const withoutOwnFolder = {
  name: 'without-own-folder',
  setup(build) {
    build.onLoad({ filter: /[\\/]playwright-core[\\/]lib[\\/]coreBundle\.js$/ }, async ({ path: file }) => {
      const root = path.resolve(path.dirname(file), '..');
      let contents = await readFile(file, 'utf8');
      for (const name of ['package.json', 'browsers.json']) {
        const parts = contents.split(new RegExp(`require\\([\\w.]+\\.join\\(packageRoot, "${name}"\\)\\)`));
        if (parts.length !== 2) throw new Error(`playwright-core now reads its ${name} in another way.`);
        contents = parts.join(`(${await readFile(path.join(root, name), 'utf8')})`);
      }
      return { contents };
    });
  },
};

/** Kinds of diagrams that need a further parser or layout, each as large as all of those that are drawn: what a chat shows is not worth them. */
const undrawn =
  /[\\/](?:mindmap-definition|architectureDiagram|pieDiagram|gitGraphDiagram|wardleyDiagram|cynefinDiagram|railroadDiagram|ebnfDiagram|abnfDiagram|pegDiagram|infoDiagram|usecaseDiagram|swimlanesDiagram|vennDiagram|ishikawaDiagram|blockDiagram|c4Diagram|diagram|elk|swimlanes|cose-bilkent)-[0-9A-Z]{8}\.mjs$/;

const slimDiagrams = {
  name: 'slim-diagrams',
  setup(build) {
    build.onResolve({ filter: undrawn }, ({ path }) => ({ path, namespace: 'undrawn' }));
    // Formulas in labels: MathML has no place in the text of an SVG.
    build.onResolve({ filter: /^katex$/ }, ({ importer, path }) =>
      /[\\/]mermaid[\\/]/.test(importer) ? { path, namespace: 'undrawn' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'undrawn' }, () => ({
      contents: `throw new Error('Deft does not draw diagrams of this kind.');\nexport const diagram = undefined, render = undefined;\nexport default undefined;`,
    }));
    // The page's policy takes a style only with the nonce of its script.
    build.onLoad({ filter: /[\\/]mermaid[\\/]dist[\\/]mermaid\.core\.mjs$/ }, async ({ path: file }) => {
      const parts = (await readFile(file, 'utf8')).split('document.createElement("style")');
      if (parts.length !== 2) throw new Error('mermaid now adds its styles in another way.');
      const withNonce =
        '((style) => (style.setAttribute("nonce", document.querySelector("script[nonce]")?.nonce ?? ""), style))(document.createElement("style"))';
      return { contents: parts.join(withNonce) };
    });
  },
};

// Libraries ask for the names of classes.
const node = { ...common, platform: 'node', format: 'cjs', target: 'node20', minify: true, keepNames: true };

/** A program for Node in one file, with the client of MCP in it. */
export const program = { ...node, plugins: [withoutSchemaChecker] };

export const bundles = {
  // All hosts in one: what they share, most of the agent, is there once.
  extension: {
    ...node,
    // Nothing in it asks for a class's name, and what keeps names runs each time a function is made.
    keepNames: false,
    entryPoints: {
      extension: 'src/vscode/extension.ts',
      headless: 'src/headless/entry/start.ts',
      acp: 'src/headless/acp/start.ts',
    },
    external: ['./late/*'],
    plugins: [oneVscode, lateLibraries, sharedSdks, withoutSchemaChecker, withoutUnused],
    format: 'esm',
    splitting: true,
    chunkNames: 'late/[name]-[hash]',
    // A file of which only types are imported is no part of what imports it.
    tsconfigRaw: { compilerOptions: { strict: true, verbatimModuleSyntax: false } },
    sourcemap: 'inline',
    write: false,
    metafile: true,
    outdir: 'dist',
  },
  late: {
    ...node,
    entryPoints: Object.fromEntries(
      Object.keys(late).flatMap((name) => (name === browserLibrary ? [] : [[`late/${name}`, name]])),
    ),
    outdir: 'dist',
  },
  // Functions of it run in pages, where nothing is there that keeps their names.
  browser: {
    ...node,
    keepNames: false,
    entryPoints: { [`late/${lateFile(browserLibrary)}`]: browserLibrary },
    plugins: [withoutOwnFolder],
    outdir: 'dist',
  },
  // What reaches a model: one file for each SDK, and one for what they share.
  sdks: {
    ...node,
    entryPoints: { 'late/provider-sdks': 'src/providers/provider-sdks.ts' },
    plugins: [slimSdks, withoutUnused],
    format: 'esm',
    splitting: true,
    chunkNames: 'late/sdk-[name]-[hash]',
    sourcemap: 'inline',
    write: false,
    metafile: true,
    outdir: 'dist',
  },
  // Each is a thread of its own, started by the first PDF or large image, or by a search in a folder that is on no disk.
  workers: {
    ...node,
    entryPoints: {
      'pdf-worker': 'src/node/documents/pdf-worker.ts',
      'image-worker': 'src/node/documents/image-worker.ts',
      'pattern-worker': 'src/node/search/pattern-worker.ts',
    },
    plugins: [withoutUnused],
    outdir: 'dist',
  },
  // A thread's file: both hosts start it for the pages that WebFetch reads.
  markdown: { ...node, entryPoints: { 'web-markdown': 'src/node/web/web-markdown-worker.ts' }, outdir: 'dist' },
  // A process of its own, started by the first command that runs in the sandbox. The library looks for its helpers beside its own file.
  sandbox: {
    ...node,
    entryPoints: { 'sandbox-worker': 'src/node/sandbox/sandbox-worker.ts' },
    define: { 'import.meta.url': 'ownAddress' },
    banner: { js: "const ownAddress = require('node:url').pathToFileURL(__filename).href;" },
    outdir: 'dist',
  },
  webview: {
    ...common,
    entryPoints: { webview: 'webview-ui/main.tsx', 'webview-style': 'webview-ui/style.css' },
    platform: 'browser',
    format: 'esm',
    // What `import()` names comes when it is needed.
    splitting: true,
    chunkNames: 'webview/[name]-[hash]',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['*.ttf'],
    plugins: [slimDiagrams],
    outdir: 'dist',
  },
};

/** Programs that the sandbox runs: one that shuts local sockets on Linux, one that shows Java the proxy. Not those of Windows. */
export async function copySandboxHelpers(outdir) {
  const library = 'node_modules/@anthropic-ai/sandbox-runtime';
  for (const file of [
    'seccomp/x64/apply-seccomp',
    'seccomp/arm64/apply-seccomp',
    'java-proxy-agent/srt-proxy-agent.jar',
  ]) {
    await cp(path.join(library, 'vendor', file), path.join(outdir, 'vendor', file));
  }
  await cp(path.join(library, 'LICENSE'), path.join(outdir, 'vendor', 'LICENSE'));
}

/** All four write to dist/late, which is cleared where the first two are built. */
export function namesToBuild(names) {
  return clearsLate(names) ? [...new Set([...names, 'sdks', 'browser'])] : names;
}

const clearsLate = (names) => names.includes('extension') && names.includes('late');

export async function buildAll(wanted = Object.keys(bundles), metafile = false) {
  const names = namesToBuild(wanted);
  const whole = Object.keys(bundles).every((name) => names.includes(name));
  // What an older build left would hide that a part is missing.
  if (whole) await rm('dist', { recursive: true, force: true });
  // The package goes to "out".
  for (const folder of ['dist', 'out']) await mkdir(folder, { recursive: true });
  await cp('node_modules/@vscode/codicons/dist', 'dist/codicons', {
    recursive: true,
    filter: (source) => !/\.(html|svg|csv|json|ts)$/.test(source),
  });
  if (names.includes('sandbox')) await copySandboxHelpers('dist');
  // Their names change with what they hold.
  if (names.includes('webview')) await rm('dist/webview', { recursive: true, force: true });
  // As many as the parts share: what an earlier build left would be packed with the rest.
  if (clearsLate(names)) await rm('dist/late', { recursive: true, force: true });
  const metafiles = await Promise.all(
    names.map(async (name) => {
      const result = await build({ ...bundles[name], metafile: true });
      if (result.outputFiles) await writeAsCommonJs(result);
      if (metafile) await writeFile(`dist/${name}.meta.json`, JSON.stringify(result.metafile));
      return result.metafile;
    }),
  );
  if (whole) await writeFile('dist/THIRD-PARTY-NOTICES.txt', await thirdPartyNotices(shippedPackages(metafiles)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  await buildAll(names.length > 0 ? names : undefined, process.argv.includes('--metafile'));
}
