// Files stay small, start with their job, and export by name.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { hardLimit, limitOf, smallFiles, softLimit } from '../../house/file-caps';
import { layers } from './import-rules';
import { filesBelow, parseSource, readSource, type SourceFile, sourceFiles } from './source-files';

const files = Object.keys(layers).flatMap(sourceFiles);
const styles = filesBelow('webview-ui')
  .filter((file) => file.endsWith('.css'))
  .map(readSource);
const tests = sourceFiles('test').filter(({ path }) => !path.startsWith('test/rig/'));

describe('files', () => {
  it('were read', () =>
    assert.ok(files.length > 200 && tests.length > 60, `${files.length} files, ${tests.length} tests`));

  it(`have at most ${hardLimit} lines`, () => {
    const long = [...files, ...tests].filter(({ lines }) => lines > softLimit).sort((a, b) => b.lines - a.lines);
    if (long.length > 0)
      console.log(`\n    Over ${softLimit} lines: ${long.map(({ path, lines }) => `${path} ${lines}`).join(', ')}`);
    assert.ok(styles.length > 10);
    assert.deepEqual(
      [...files, ...styles].filter(({ lines }) => lines > hardLimit).map(({ path, lines }) => `${path}: ${lines}`),
      [],
    );
  });

  it("keep the loop, the tables of the webview's messages and the edit tool small", () => {
    for (const [path] of smallFiles) {
      const file = files.find((one) => one.path === path) ?? assert.fail(`${path} is gone`);
      assert.ok(file.lines <= limitOf(path), `${path} has ${file.lines} lines`);
    }
  });

  it('start with a sentence that states their job', () => {
    // A test file's own describe says it too.
    const silent = [...files, ...tests.filter(({ path }) => !path.endsWith('.test.ts'))].filter(
      ({ text }) => !/^\/\/ \S.{15,}/.test(text),
    );
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });

  it('export by name, and have no enums and no namespaces', () => {
    assert.deepEqual(files.flatMap(forbidden), []);
    const all =
      'export default 1; enum A { B } namespace N { export const x = 1; } export default function f() {} const y = 1; export { y as default };';
    assert.equal(forbidden(parseSource('src/core/x.ts', all)).length, 5, 'the check finds each');
  });

  it('have names that say what is in them', () => {
    const all = [...Object.keys(layers), 'test/unit', 'test/support', 'test/golden']
      .flatMap(filesBelow)
      .filter((path) => !path.includes('/snapshots/') && /\.(tsx?|md|css)$/.test(path));
    assert.ok(all.length > 300);
    const names = all.map((path) => path.slice(path.lastIndexOf('/') + 1));
    assert.deepEqual(
      names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(tsx?|md|css)$/.test(name)),
      [],
      'kebab-case',
    );
    assert.deepEqual(
      names.filter((name) => /(^|-)(utils?|helpers?|managers?|services?|common|misc)(-|\.)|^index\./.test(name)),
      [],
      'a job, not a drawer',
    );
  });

  it('call interfaces and types by their names, without a prefix', () => {
    const prefixed: string[] = [];
    for (const { path, tree } of files) {
      ts.forEachChild(tree, (node) => {
        if ((ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && /^I[A-Z][a-z]/.test(node.name.text))
          prefixed.push(`${path}: ${node.name.text}`);
      });
    }
    assert.deepEqual(prefixed, []);
  });

  it('leave nothing for later', () => {
    const marks = files.flatMap(({ path, text }) => (/\b(TODO|FIXME|XXX|HACK)\b/.test(text) ? [path] : []));
    assert.deepEqual(marks, []);
  });

  it('skip no test in silence', () => {
    const silent = tests.filter(
      ({ path, text }) =>
        !path.startsWith('test/unit/tidy/') && /\b(it|describe)\.(skip|only)\b|\bxit\(|\bxdescribe\(/.test(text),
    );
    assert.deepEqual(
      silent.map(({ path }) => path),
      [],
    );
  });
});

function forbidden({ path, tree }: SourceFile): string[] {
  const found: string[] = [];
  const add = (node: ts.Node, what: string): void =>
    void found.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}: ${what}`);
  const visit = (node: ts.Node): void => {
    const isDefault =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
    if (ts.isExportAssignment(node) || isDefault || (ts.isExportSpecifier(node) && node.name.text === 'default'))
      add(node, 'default export');
    if (ts.isEnumDeclaration(node)) add(node, 'enum');
    if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name) && node.name.text !== 'global')
      add(node, 'namespace');
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
