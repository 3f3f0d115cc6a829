// What the VSIX holds: the tests in VS Code run exactly that, and every part that the build makes is in it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// @ts-expect-error: the build script is plain JavaScript.
import { bundles } from '../../../esbuild.mjs';
import { installExtension } from '../../rig/extension-folder';
import { shippedFiles } from '../../rig/shipped-files';

const parts = Object.values(bundles as Record<string, { entryPoints: Record<string, string> }>).flatMap(
  ({ entryPoints }) =>
    Object.entries(entryPoints).map(([name, file]) => `dist/${name}${file.endsWith('.css') ? '.css' : '.js'}`),
);
const others = [
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/late/shared.js',
  'dist/webview/mermaid-ABC.js',
  'dist/vendor/LICENSE',
  'dist/vendor/seccomp/x64/apply-seccomp',
  'dist/codicons/codicon.ttf',
  'dist/codicons/codicon.css',
];
/** What VS Code shows of package.json, in each language. */
const texts = readdirSync('.').filter((file) => /^package\.nls(\.[a-z-]+)?\.json$/.test(file));
const leftovers = [
  'package-lock.json',
  'package.nls.json.orig',
  'dist/extension.js.map',
  'dist/late/shared.js.map',
  'dist/extension.meta.json',
  'dist/an-older-worker.js',
  'dist/codicons/codicon.html',
  'src/core/a.ts',
  'out/deft.vsix',
  'test/a.ts',
  'esbuild.mjs',
  '.env',
];

describe('what is shipped', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'deft-shipped-'));
    for (const file of ['package.json', ...texts, '.vscodeignore', 'README.md', 'CHANGELOG.md', 'LICENSE', 'media'])
      cpSync(file, path.join(folder, file), { recursive: true });
    for (const file of [...parts, ...others, ...leftovers]) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), 'x');
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is every part of the build, and nothing that lies beside it', () => {
    const shipped = shippedFiles(folder) ?? [];
    assert.ok(parts.length >= 12, parts.join());
    assert.ok(texts.length >= 10, texts.join());
    assert.deepEqual(
      [...parts, ...others, ...texts].filter((file) => !shipped.includes(file)),
      [],
    );
    assert.deepEqual(
      leftovers.filter((file) => shipped.includes(file)),
      [],
    );
  });

  it('is what vsce packs', () => {
    // In a process of its own: what vsce loads takes the place of Node's own connections.
    const packed = execFileSync(
      process.execPath,
      [path.resolve('node_modules/@vscode/vsce/vsce'), 'ls', '--no-dependencies'],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.deepEqual(
      shippedFiles(folder),
      packed
        .trim()
        .split(/\r?\n/)
        .map((file) => file.replaceAll('\\', '/'))
        .sort(),
    );
  });

  it('is what the tests in VS Code run', () => {
    const installed = installExtension(path.join(folder, 'installed'), folder);
    const there = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(
      there
        .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
        .sort(),
      shippedFiles(folder),
    );
  });
});
