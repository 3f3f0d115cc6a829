// The dependency rule holds in every file: types and dynamic imports included, no cycles, no barrels.
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { floors, folderOf, mostFilesInFolder } from './floors';
import { brokenRules, layers } from './import-rules';
import { parseSource, type SourceFile, sourceFiles } from './source-files';

const files = Object.keys(layers).flatMap(sourceFiles);

describe('imports', () => {
  it('were read in every layer', () => {
    for (const layer of Object.keys(layers)) {
      assert.ok(files.filter((file) => file.path.startsWith(`${layer}/`)).length >= 3, layer);
    }
    const imports = files.flatMap((file) => file.imports);
    assert.ok(files.length > 200 && imports.length > 800, `${files.length} files, ${imports.length} imports`);
    assert.ok(imports.some(({ typeOnly }) => typeOnly) && imports.some(({ specifier }) => specifier === 'vscode'));
    assert.ok(files.some((file) => file.imports.some(({ specifier }) => specifier.startsWith('@anthropic-ai/'))));
  });

  it('follow the layers', () => assert.deepEqual(files.flatMap(brokenRules), []));

  it('have floors that name every folder once, none with too many files', () => {
    for (const [layer, list] of Object.entries(floors)) {
      const named = list.map((folder) => (folder === '' ? layer : `${layer}/${folder}`));
      const there = files
        .filter(({ path: file }) => file.startsWith(`${layer}/`))
        .map(({ path: file }) => folderOf(file));
      assert.deepEqual(
        [...new Set(there)].filter((folder) => !named.includes(folder)),
        [],
        layer,
      );
      assert.equal(new Set(named).size, named.length);
      assert.deepEqual(
        named.filter((folder) => !there.includes(folder) && !['webview-ui/styles', 'src/core'].includes(folder)),
        [],
        'a floor without files',
      );
      const counts = named.map((folder) => ({ folder, files: there.filter((one) => one === folder).length }));
      assert.deepEqual(
        counts.filter(({ files: all }) => all > mostFilesInFolder),
        [],
      );
    }
  });

  it('lead to files that there are', () => {
    const missing = files.flatMap(({ path: from, imports }) =>
      imports.flatMap(({ file, specifier }) =>
        file === undefined || /\.\w+$/.test(file) ? [] : [`${from}: ${specifier}`],
      ),
    );
    assert.deepEqual(missing, []);
  });

  it('the check sees every form of import', () => {
    const broken: [string, string, RegExp][] = [
      ['src/core/x.ts', "import { readFile } from 'node:fs';", /without Node/],
      ['src/core/x.ts', "import type * as vscode from 'vscode';", /only src\/vscode/],
      ['src/core/x.ts', "type Editor = import('vscode').TextEditor;", /only src\/vscode/],
      ['src/core/x.ts', "const sdk = await import('@anthropic-ai/sdk');", /this package/],
      ['src/core/x.ts', "export { run } from '../headless/run';", /may not import src\/headless/],
      ['src/core/x.ts', "import '../../test/support/fake-tools';", /in no layer/],
      ['src/core/tools/x.ts', "import { type Emit } from '../events/session-event';", /no floor below/],
      ['src/core/edits/x.ts', "import { type Path } from '../ports/path';", /imports nothing outside/],
      ['src/core/permissions/x.ts', "import { type Path } from '../ports/path';", /imports nothing outside/],
      [
        'src/node/x.ts',
        "import { createAnthropicClient } from '../providers/anthropic-client';",
        /may not import src\/providers/,
      ],
      ['src/vscode/x.ts', "import { run } from '../headless/run';", /may not import src\/headless/],
      ['src/providers/x.ts', "const path = require('left-pad');", /this package/],
      ['webview-ui/x.tsx', "import { isAbort } from '../src/core/errors';", /may not import src\/core/],
      ['webview-ui/x.tsx', "import { readFile } from 'node:fs';", /without Node/],
    ];
    for (const [file, text, expected] of broken)
      assert.match(brokenRules(parseSource(file, text)).join('\n'), expected, `${file}: ${text}`);
    const fine: [string, string][] = [
      ['src/core/permissions/x.ts', "import { type PermissionMode } from '../../shared/permission';"],
      ['src/core/session/x.ts', "import { readTool } from '../tools/read/read';"],
      ['src/vscode/x.ts', "import * as vscode from 'vscode';"],
    ];
    for (const [file, text] of fine) assert.deepEqual(brokenRules(parseSource(file, text)), []);
  });

  it('make no cycles', () => {
    assert.deepEqual(cycles(files), []);
    const pair = [
      parseSource('src/core/text/errors.ts', "import { type Path } from './credentials';"),
      parseSource('src/core/text/credentials.ts', "import { type Audience } from './errors';"),
    ];
    assert.equal(cycles(pair).length, 1, 'the check finds one');
  });

  it('are no barrels: each name comes from the file that declares it', () => {
    const barrels = (all: SourceFile[]): string[] =>
      all.flatMap(({ path: file, imports }) =>
        imports.flatMap(({ reexport, line }) => (reexport ? [`${file}:${line}`] : [])),
      );
    assert.deepEqual(barrels(files), []);
    assert.equal(barrels([parseSource('src/core/x.ts', "export * from './errors';")]).length, 1);
    assert.deepEqual(
      files.filter((file) => /\/index\.tsx?$/.test(file.path)).map((file) => file.path),
      [],
    );
  });
});

describe('core as a bundle', function () {
  this.timeout(60_000);

  it('needs nothing of its host: neutral platform, no externals', async () => {
    const { common } = (await import(pathToFileURL(path.resolve('esbuild.mjs')).href)) as {
      common: { loader: Record<string, 'text'>; mainFields: string[] };
    };
    const entryPoints = files.filter((file) => /^src\/(core|shared)\//.test(file.path)).map((file) => file.path);
    assert.ok(entryPoints.length > 80);
    // One entry that imports every file: with an entry for each, each would be bundled with all that it needs.
    const everything = entryPoints.map((file, index) => `export * as f${index} from './${file}';`).join('\n');
    const bundle = (contents: string) =>
      build({
        stdin: { contents, resolveDir: '.', loader: 'ts' },
        bundle: true,
        write: false,
        outdir: 'out/neutral',
        platform: 'neutral',
        format: 'esm',
        loader: common.loader,
        mainFields: common.mainFields,
        metafile: true,
        logLevel: 'silent',
      });
    const result = await bundle(everything);
    assert.deepEqual([result.errors, result.warnings.map(({ text }) => text)], [[], []]);
    const inputs = Object.keys(result.metafile.inputs);
    for (const entry of entryPoints) assert.ok(inputs.includes(entry), entry);
    assert.deepEqual(
      inputs.filter((input) => /^node:|^vscode$|@anthropic-ai|\(disabled\)/.test(input)),
      [],
    );
    const external = Object.values(result.metafile.inputs).flatMap(({ imports }) =>
      imports.filter((one) => one.external === true).map((one) => one.path),
    );
    assert.deepEqual(external, []);
    await assert.rejects(bundle("import 'node:fs';"), /node:fs/, 'the check finds one');
  });
});

/** Every file that can be reached from itself, with its way. */
function cycles(all: SourceFile[]): string[] {
  const importsOf = new Map(
    all.map((file) => [file.path, [...new Set(file.imports.flatMap((imported) => imported.file ?? []))]]),
  );
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, way: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') return void found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    state.set(file, 'open');
    for (const next of importsOf.get(file) ?? []) visit(next, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of importsOf.keys()) visit(file, []);
  return found;
}
