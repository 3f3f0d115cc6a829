// Refactor with VS Code's own TypeScript server: renames that still compile, a cold server, and what the user leaves out.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type TypeScript from 'typescript';
import * as vscode from 'vscode';
import { type ApprovalDecision, type ApprovalRequest } from '../../src/core/ports/approver';
import { problemsTool } from '../../src/core/tools/problems/problems';
import { refactorTool } from '../../src/core/tools/refactor/refactor';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics, type VscodeDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createRefactorings } from '../../src/vscode/languages/refactorings';
import { runCalls } from './run-calls';
import { closeAll, disk, newFolder, put, show, type, until } from './workspace-file';

const config = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'preserve',
    allowJs: true,
    checkJs: true,
    noEmit: true,
    types: [],
  },
});

const sources: Readonly<Record<string, string>> = {
  'shapes.ts': `export interface Shape {
  readonly label: string;
  area(): number;
}

export enum Color {
  Red,
  Green,
}

export type Pair<Item> = { first: Item; second: Item };

export abstract class Base implements Shape {
  static made = 0;
  protected color = Color.Red;
  constructor(readonly label: string) {
    Base.made += 1;
  }
  abstract area(): number;
  describe(): string {
    return \`\${this.label} \${Color[this.color]}\`;
  }
}

export const unit = 1;
export let counter = 0;
export function increase(step: number): number {
  counter += step * unit;
  return counter;
}
export namespace Tools {
  export function double(value: number): number {
    return value * 2;
  }
}
`,
  'square.ts': `import { Base, Color, type Pair } from './shapes';

export class Square extends Base {
  readonly #side: number;
  private extra?: Pair<number>;
  constructor(side: number) {
    super('square');
    this.#side = side;
    this.color = Color.Green;
  }
  override area(): number {
    const { first = 0, second = 0 } = this.extra ?? {};
    return this.#side ** 2 + first + second;
  }
  get diagonal(): number {
    return Math.SQRT2 * this.#side;
  }
}

export default function makeSquare({ side }: { side: number }): Square {
  return new Square(side);
}
`,
  'index.ts': `export { Base, Color as Paint, increase, unit, Tools } from './shapes';
export type { Pair, Shape } from './shapes';
export * from './square';
export { default as squareOf } from './square';
`,
  'use.ts': `import makeSquare, { Square } from './square';
import { Paint, increase, Tools, unit, type Shape } from './index';

const side = 3;
const made = makeSquare({ side });
const shapes: Shape[] = [made, new Square(unit)];
export const total = shapes.reduce((sum, shape) => sum + shape.area(), 0);
export const labels = shapes.map(({ label }) => label);
export const paints = { red: Paint.Red, side };
export const state = { [paints.red]: increase(Tools.double(total)), diagonal: made.diagonal };
export const text = \`\${labels.join()} \${state.diagonal} \${made.describe()}\`;
`,
  'generic.ts': `import type { Pair } from './index';

export function swap<Value>(pair: Pair<Value>): Pair<Value> {
  const { first, second } = pair;
  return { first: second, second: first };
}
export class Store<Key extends string, Entry> {
  private entries = new Map<Key, Entry>();
  put(key: Key, entry: Entry): this {
    this.entries.set(key, entry);
    return this;
  }
  find(key: Key): Entry | undefined {
    return this.entries.get(key);
  }
}
export const store = new Store<'a' | 'b', Pair<number>>().put('a', swap({ first: 1, second: 2 }));
export const found = store.find('a')?.first;
`,
  'plain.js': `import { increase, unit } from './index';
import { helper, settings } from './helpers.js';

/** @param {number} amount */
export function grow(amount) {
  const before = increase(amount);
  for (const name of Object.keys(settings)) helper(name, before);
  return { before, unit };
}
export const grown = grow(2).before;
`,
  'helpers.js': `/** @typedef {{ depth: number }} Options */

/** @type {Options} */
export const settings = { depth: 3 };

/**
 * @param {string} name
 * @param {number} [times]
 */
export function helper(name, times = 1) {
  const repeated = name.repeat(times);
  return repeated + settings.depth;
}
export class Counter {
  count = 0;
  add() {
    this.count += 1;
    return this;
  }
}
export const counted = new Counter().add().count;
`,
  'view.tsx': `import { total } from './use';
import { grown } from './plain.js';

declare global {
  namespace JSX {
    interface IntrinsicElements {
      p: { title: string };
    }
  }
}
export function View({ heading }: { heading: string }) {
  const shown = \`\${heading} \${total} \${grown}\`;
  return <p title={shown} />;
}
export const view = <View heading="a" />;
`,
};

/** A file, a part of one of its lines in which the name occurs once, and the name. Some from the declaration, some from a use. */
const renames: readonly [file: string, line: string, symbol: string][] = [
  ['shapes.ts', 'export interface Shape {', 'Shape'],
  ['shapes.ts', 'readonly label: string;', 'label'],
  ['shapes.ts', 'export enum Color', 'Color'],
  ['shapes.ts', 'Green,', 'Green'],
  ['shapes.ts', 'export type Pair<Item>', 'Pair'],
  ['shapes.ts', 'Pair<Item> =', 'Item'],
  ['shapes.ts', 'first: Item;', 'first'],
  ['shapes.ts', 'export abstract class Base', 'Base'],
  ['shapes.ts', 'static made = 0;', 'made'],
  ['shapes.ts', 'protected color =', 'color'],
  ['shapes.ts', 'describe(): string', 'describe'],
  ['shapes.ts', 'export const unit = 1;', 'unit'],
  ['shapes.ts', 'export let counter = 0;', 'counter'],
  ['shapes.ts', 'export function increase(', 'increase'],
  ['shapes.ts', 'increase(step', 'step'],
  ['shapes.ts', 'export namespace Tools', 'Tools'],
  ['shapes.ts', 'export function double(', 'double'],
  ['shapes.ts', 'return value * 2', 'value'],
  ['square.ts', 'export class Square', 'Square'],
  ['square.ts', 'readonly #side: number;', '#side'],
  ['square.ts', 'private extra?', 'extra'],
  ['square.ts', 'get diagonal()', 'diagonal'],
  ['square.ts', 'export default function makeSquare(', 'makeSquare'],
  ['square.ts', 'constructor(side: number)', 'side'],
  ['square.ts', '}: { side: number }', 'side'],
  ['square.ts', 'override area()', 'area'],
  ['use.ts', 'const side = 3;', 'side'],
  ['use.ts', 'const made =', 'made'],
  ['use.ts', 'const shapes:', 'shapes'],
  ['use.ts', 'export const total', 'total'],
  ['use.ts', '=> sum + shape', 'shape'],
  ['use.ts', '((sum,', 'sum'],
  ['use.ts', 'export const labels', 'labels'],
  ['use.ts', '{ red:', 'red'],
  ['use.ts', 'export const paints', 'paints'],
  ['use.ts', 'export const state', 'state'],
  ['generic.ts', 'export function swap<', 'swap'],
  ['generic.ts', 'swap<Value>', 'Value'],
  ['generic.ts', 'const { first, second }', 'second'],
  ['generic.ts', 'export class Store<', 'Store'],
  ['generic.ts', 'Store<Key extends', 'Key'],
  ['generic.ts', 'private entries', 'entries'],
  ['generic.ts', 'put(key: Key, entry', 'entry'],
  ['generic.ts', 'find(key', 'find'],
  ['generic.ts', 'export const store =', 'store'],
  ['plain.js', 'export function grow(', 'grow'],
  ['plain.js', 'const before =', 'before'],
  ['plain.js', 'for (const name of', 'name'],
  ['helpers.js', 'export const settings', 'settings'],
  ['helpers.js', 'export function helper(', 'helper'],
  ['helpers.js', 'const repeated =', 'repeated'],
  ['helpers.js', 'export class Counter', 'Counter'],
  ['helpers.js', 'count = 0;', 'count'],
  ['view.tsx', 'export function View(', 'View'],
  ['view.tsx', 'const shown =', 'shown'],
  ['view.tsx', 'View({ heading }', 'heading'],
];

/** The compiler that VS Code comes with, apart from its server. */
function compiler(): typeof TypeScript {
  const file = path.join(vscode.env.appRoot, 'extensions/node_modules/typescript/lib/typescript.js');
  assert.ok(existsSync(file), file);
  return createRequire(file)(file) as typeof TypeScript;
}

/** Type errors of a folder's sources, as often as it is asked. */
function typeChecker(folder: string, names: readonly string[]): () => string[] {
  const ts = compiler();
  const files = names.map((name) => path.join(folder, name));
  const { options } = ts.convertCompilerOptionsFromJson(
    (JSON.parse(config) as { compilerOptions: unknown }).compilerOptions,
    folder,
  );
  const versionOf = (file: string): string => (existsSync(file) ? disk(file) : '');
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: (file) => (files.includes(file) ? versionOf(file) : '1'),
    getScriptSnapshot: (file) => (existsSync(file) ? ts.ScriptSnapshot.fromString(disk(file)) : undefined),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  return () =>
    files.flatMap((file) =>
      [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
        ({ messageText }) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
    );
}

/** What the same change costs as a Read of each file and an Edit of each line, as short as they can be. */
function byEdits(folder: string, content: Readonly<Record<string, string>>): { edits: number; bytes: number } {
  const cost = { edits: 0, bytes: 0 };
  for (const [name, before] of Object.entries(content)) {
    const after = disk(path.join(folder, name)).split('\n');
    const changed = before.split('\n').flatMap((old, at) => (old === after[at] ? [] : [[old, after[at] ?? '']]));
    if (changed.length > 0) cost.bytes += before.length;
    cost.edits += changed.length;
    cost.bytes += changed.reduce((sum, [old = '', now = '']) => sum + name.length * 2 + old.length + now.length, 0);
  }
  return cost;
}

describe('Refactor in VS Code', () => {
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  const refactorings = createRefactorings(files);
  let diagnostics: VscodeDiagnostics;

  before(() => {
    diagnostics = createDiagnostics({ delay: () => 1_000 });
  });
  after(() => diagnostics.dispose());
  afterEach(closeAll);

  function project(name: string, content = sources): string {
    const folder = newFolder(name);
    put(folder, 'tsconfig.json', config);
    for (const [file, text] of Object.entries(content)) put(folder, file, text);
    return folder;
  }

  /** Runs calls one after the other as a session does; returns what the model reads of each. */
  function use(
    folder: string,
    calls: readonly [tool: 'Refactor' | 'Problems', input: Record<string, unknown>][],
    answer?: (request: ApprovalRequest) => ApprovalDecision,
  ): Promise<string[]> {
    return runCalls(folder, calls, {
      tools: [refactorTool, problemsTool],
      ports: { files, refactorings, diagnostics, problems: diagnostics, clock: createSystemClock() },
      ...(answer === undefined ? {} : { answer }),
    });
  }
  const rename = (
    file: string,
    lineContent: string,
    symbol: string,
    newName: string,
  ): ['Refactor', Record<string, unknown>] => [
    'Refactor',
    { action: 'rename', filePath: file, lineContent, symbol, newName },
  ];

  it('a server that has read nothing yet renames in all files, not only in those that it knows', async function () {
    this.timeout(120_000);
    const content = {
      'a.ts': 'export function sum(x: number) {\n  return x;\n}\n',
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, index) => [
          `use${index}.ts`,
          `import { sum } from './a';\nexport const value${index} = sum(${index});\n`,
        ]),
      ),
    };
    const folder = project('cold', content);
    await vscode.extensions.getExtension('vscode.typescript-language-features')?.activate();
    await vscode.commands.executeCommand('typescript.restartTsServer');
    const [text = ''] = await use(folder, [rename('a.ts', 'export function sum(', 'sum', 'total')]);
    assert.match(text, /^Done: rename sum to total\. 17 lines in 9 files\n/);
    for (const name of Object.keys(content)) assert.doesNotMatch(disk(path.join(folder, name)), /\bsum\b/, name);
    assert.deepEqual(typeChecker(folder, Object.keys(content))(), []);
  });

  it(`${renames.length} renames in TypeScript and JavaScript, each in one call, type-check`, async function () {
    this.timeout(300_000);
    const folder = project('renames');
    const check = typeChecker(folder, Object.keys(sources));
    assert.deepEqual(check(), [], 'the sources themselves');
    const failed: string[] = [];
    const cost = { refactor: 0, edit: 0, edits: 0 };
    for (const [index, [file, line, symbol]] of renames.entries()) {
      const newName = `${symbol}R${index}`;
      for (const [name, text] of Object.entries(sources)) put(folder, name, text);
      const [text = ''] = await use(folder, [rename(file, line, symbol, newName)]);
      cost.refactor += JSON.stringify({ file, line, symbol, newName }).length + text.length;
      const { edits, bytes } = byEdits(folder, sources);
      cost.edits += edits;
      cost.edit += bytes;
      const errors = check();
      if (!text.startsWith(`Done: rename ${symbol} to ${newName}.`) || errors.length > 0)
        failed.push(`${file} ${symbol}: ${text} ${errors.join('; ')}`);
    }
    console.log(
      `${renames.length} renames: ${cost.refactor} bytes; by ${cost.edits} edits: ${cost.edit} bytes at least`,
    );
    assert.deepEqual(failed, []);
  });

  it('a name in fifty files takes one call, for 2 % of the bytes that edits take', async () => {
    const rest = Array.from(
      { length: 60 },
      (_, line) => `export const other${line} = 'some code around it, ${line}';\n`,
    );
    const content: Record<string, string> = {
      'a.ts': 'export function sum(x: number) {\n  return x;\n}\n',
      ...Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [
          `use${index}.ts`,
          `import { sum } from './a';\n${rest.join('')}export const value${index} = sum(${index}) + sum(2);\n`,
        ]),
      ),
    };
    const folder = project('bytes', content);
    const call = rename('a.ts', 'export function sum(', 'sum', 'total');
    const [text = ''] = await use(folder, [call]);
    assert.match(text, /^Done: rename sum to total\. 101 lines in 51 files\n/);
    const { edits, bytes } = byEdits(folder, content);
    const own = JSON.stringify(call[1]).length + text.length;
    console.log(
      `one rename: ${own} bytes; by ${edits} edits: ${bytes} bytes at least, ${((own / bytes) * 100).toFixed(2)} %`,
    );
    assert.ok(edits >= 8 && own / bytes <= 0.02, `${own} of ${bytes} bytes`);
    assert.deepEqual(typeChecker(folder, Object.keys(content))(), []);
  });

  it('a fix that creates a file is applied, with the file', async () => {
    const folder = project('creates', { 'a.ts': 'export const a = 1;\n' });
    const file = vscode.Uri.file(path.join(folder, 'a.ts'));
    const problems = vscode.languages.createDiagnosticCollection('deft-creates');
    const provider = vscode.languages.registerCodeActionsProvider(
      { pattern: `${folder}/**` },
      {
        provideCodeActions() {
          const action = new vscode.CodeAction('Move a to its own file', vscode.CodeActionKind.QuickFix);
          const target = vscode.Uri.file(path.join(folder, 'lib/own.ts'));
          action.edit = new vscode.WorkspaceEdit();
          action.edit.createFile(target, { ignoreIfExists: true });
          action.edit.insert(target, new vscode.Position(0, 0), 'export const a = 1;\n');
          action.edit.replace(file, new vscode.Range(0, 0, 0, 19), "export * from './lib/own';");
          return [action];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    );
    try {
      await show(file.fsPath);
      problems.set(file, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 6), 'Too much', 1)]);
      const [found = ''] = await use(folder, [['Problems', { paths: ['a.ts'], fixes: true }]]);
      const [, id = ''] = /(fix-\d+): Move a to its own file/.exec(found) ?? assert.fail(found);
      const [text = ''] = await use(folder, [['Refactor', { action: 'applyFix', id }]]);
      assert.match(text, /^Done: apply “Move a to its own file”\. 2 lines in 2 files\n/);
      assert.equal(disk(path.join(folder, 'lib/own.ts')), 'export const a = 1;\n');
      assert.equal(disk(file.fsPath), "export * from './lib/own';\n");
      const [again = ''] = await use(folder, [['Refactor', { action: 'applyFix', id }]]);
      assert.match(again, /own\.ts, which exists already; nothing was changed\./);
    } finally {
      provider.dispose();
      problems.dispose();
    }
  });

  it('a use that the user leaves out stays, is named, and the compiler agrees', async () => {
    const content = {
      'a.ts': 'export function sum(x: number) {\n  return x;\n}\n',
      'b.ts': "import { sum } from './a';\n\n\n\n\n\n\n\nexport const one = sum(1);\n",
    };
    const folder = project('left-out', content);
    const asked: ApprovalRequest[] = [];
    const [text = ''] = await use(folder, [rename('a.ts', 'export function sum(', 'sum', 'total')], (request) => {
      asked.push(request);
      const other = request.proposal?.others?.[0] ?? assert.fail();
      return { behavior: 'allow', texts: { [other.path]: other.text.replace('total(1)', 'sum(1)') } };
    });
    assert.equal(asked.length, 1);
    assert.match(text, /These uses no longer fit what was renamed:\nb\.ts:9 export const one = sum\(1\);/);
    assert.equal(disk(path.join(folder, 'b.ts')), content['b.ts'].replace('{ sum }', '{ total }'));
    assert.match(typeChecker(folder, Object.keys(content))().join(), /b\.ts: Cannot find name 'sum'/);
  });

  it('unsaved text counts, and is not lost', async () => {
    const content = {
      'a.ts': 'export const one = 1;\n',
      'b.ts': "import { one } from './a';\nexport const two = one;\n",
    };
    const folder = project('unsaved', content);
    const editor = await show(path.join(folder, 'b.ts'));
    await type(editor, 'export const three = 3;\n');
    const [text = ''] = await use(folder, [rename('a.ts', 'export const one = 1;', 'one', 'first')]);
    assert.match(text, /^Done: rename one to first\./);
    assert.match(editor.document.getText(), /^export const three = 3;\nimport \{ first(?: as one)? \} from/);
  });

  it('imports are organized, and a file is formatted', async () => {
    const folder = project('imports', {
      'a.ts': 'export const a = 1;\nexport const b = 2;\n',
      'b.ts': "import { b, a } from './a';\nexport   const c = b\n",
    });
    const [imports = '', format = ''] = await use(folder, [
      ['Refactor', { action: 'organizeImports', filePath: 'b.ts' }],
      ['Refactor', { action: 'format', filePath: 'b.ts' }],
    ]);
    assert.match(imports, /^Done: organize the imports of b\.ts\. 1 line in 1 file/);
    assert.match(format, /^Done: format b\.ts\./);
    assert.match(disk(path.join(folder, 'b.ts')), /^import \{ b \} from '\.\/a';\nexport const c = b;?\n$/);
  });

  it('what cannot be renamed is refused in the words of the server', async () => {
    const folder = project('refused', { 'a.ts': 'export const list = [1].map(String);\n' });
    const [text = ''] = await use(folder, [rename('a.ts', 'map(', 'map', 'each')]);
    assert.match(text, /The language server refuses to rename this: |outside the workspace/);
    assert.equal(disk(path.join(folder, 'a.ts')), 'export const list = [1].map(String);\n');
  });

  it('a problem is named with a fix, and the fix is applied by its id', async () => {
    const folder = project('fixes', {
      'a.ts': 'export const helper = 1;\n',
      'b.ts': 'export const two: number = helpr + 1;\nconst helper = 1;\nexport { helper };\n',
    });
    const file = path.join(folder, 'b.ts');
    await show(file);
    await until('TypeScript reports it', () => vscode.languages.getDiagnostics(vscode.Uri.file(file)).length > 0);
    const [problems = ''] = await use(folder, [['Problems', { paths: ['b.ts'], fixes: true }]]);
    const [, id = ''] = /(fix-\d+): Change spelling to 'helper'/.exec(problems) ?? assert.fail(problems);
    const [text = ''] = await use(folder, [['Refactor', { action: 'applyFix', id }]]);
    assert.match(text, /^Done: apply “Change spelling to 'helper'”\. 1 line in 1 file\nb\.ts: line 1/);
    assert.match(disk(file), /^export const two: number = helper \+ 1;\n/);
  });
});
