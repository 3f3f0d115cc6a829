// Moves of files and folders in VS Code: the compiler agrees after each, nothing is asked or done twice, and Keep and Undo know them.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type TypeScript from 'typescript';
import * as vscode from 'vscode';
import { type ApprovalDecision, type ApprovalRequest } from '../../src/core/ports/approver';
import { type FileSystem } from '../../src/core/ports/files';
import { type Log } from '../../src/core/ports/log';
import { refactorTool } from '../../src/core/tools/refactor/refactor';
import { createRipgrepSearch } from '../../src/node/search/ripgrep-search';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { findWindowRipgrep } from '../../src/vscode/agent/window-ports';
import { createRefactorings } from '../../src/vscode/languages/refactorings';
import { type ChangeReview, createChangeReview } from '../../src/vscode/review/change-review';
import { registerReviewFiles, type ReviewFiles } from '../../src/vscode/review/review-files';
import { runCalls } from './run-calls';
import { closeAll, dirtyDocuments, disk, newFolder, put, show, type, until } from './workspace-file';

const log: Log = { debug() {}, info() {}, warn() {}, error() {} };

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  allowJs: true,
  checkJs: true,
  noEmit: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  types: [],
  paths: { '@/*': ['./src/*'], '@shared': ['./src/shared/index.ts'] },
};

const sources: Readonly<Record<string, string>> = {
  'src/shared/index.ts': `export * from './dates';\nexport { money, type Money } from './money';\n`,
  'src/shared/dates.ts': `export function today(): string {\n  return new Date(0).toISOString();\n}\n`,
  'src/shared/money.ts': `import type { Rate } from './rates';
import rates from './rates.json';

export type Money = { amount: number; rate: Rate };
export const money = (amount: number): Money => ({ amount, rate: rates.euro });
`,
  'src/shared/rates.ts': `export type Rate = number;\n`,
  'src/shared/rates.json': `{ "euro": 2 }\n`,
  'src/app/types.ts': `export interface Options {\n  label: string;\n}\n`,
  'src/app/format.ts': `import type { Options } from './types';\n\nexport const format = ({ label }: Options): string => label.trim();\n`,
  'src/app/labels.js': `/** @import { Options } from './types' */
import { format } from './format.js';

/** @type {import('./types').Options} */
export const options = { label: "import x from './types'" };
/** @param {Options} given */
export function label(given = options) {
  return format(given);
}
`,
  'src/app/lazy.ts': `import { today } from '@shared';\n\nexport const now = today();\n`,
  'src/app/ui/button.tsx': `import { label, options } from '../labels.js';
import { size } from './icon';

declare global {
  namespace JSX {
    interface IntrinsicElements {
      p: { title: string };
    }
  }
}
export const button = <p title={\`\${label()} \${options.label} it's \${size}\`} />;
`,
  'src/app/ui/icon.ts': `import type { Options } from '../types';\n\nexport const size = 1;\nexport const icon: Options = { label: 'icon' };\n`,
  'src/app/main.ts': `import { money as euros } from '@/shared/money';
import { today, type Money } from '../shared';
import { format } from './format.js';
import * as ui from './ui/button';

type Types = typeof import('./types');
export type { Options } from './types';
export const all: Money[] = [euros(1)];
export const lazy = () => import('./lazy'); // './types'
export const parts = { ...ui, types: {} as Types, text: format({ label: today() }) };
`,
  'src/app/twice.cjs': `/** @param {number} value */\nexports.twice = (value) => value * 2;\n`,
  'src/app/legacy.cjs': `const { twice } = require('./twice.cjs');\n\nexports.four = twice(2);\n`,
  'test/main.test.ts': `import { all, lazy } from '../src/app/main';
import { icon } from '@/app/ui/icon';
import legacy from '../src/app/legacy.cjs';

export const checked = [all.length, legacy.four, icon.label, lazy().then(({ now }) => now)];
`,
};

const moves: readonly [from: string, to: string][] = [
  ['src/shared/dates.ts', 'src/time/dates.ts'],
  ['src/shared/dates.ts', 'src/shared/days.ts'],
  ['src/shared/dates.ts', 'dates.ts'],
  ['src/shared/money.ts', 'src/money.ts'],
  ['src/shared/money.ts', 'src/app/money.ts'],
  ['src/shared/rates.json', 'data/rates.json'],
  ['src/shared/rates.ts', 'src/shared/rates/index.ts'],
  ['src/shared/index.ts', 'src/shared/all.ts'],
  ['src/shared/index.ts', 'src/index.ts'],
  ['src/app/types.ts', 'src/app/model/types.ts'],
  ['src/app/types.ts', 'src/shared/options.ts'],
  ['src/app/format.ts', 'src/format.ts'],
  ['src/app/format.ts', 'src/app/format.tsx'],
  ['src/app/labels.js', 'src/app/ui/labels.js'],
  ['src/app/labels.js', 'labels/labels.js'],
  ['src/app/lazy.ts', 'src/lazy/index.ts'],
  ['src/app/ui/button.tsx', 'src/button.tsx'],
  ['src/app/ui/icon.ts', 'src/app/icon.ts'],
  ['src/app/twice.cjs', 'src/old/twice.cjs'],
  ['src/app/legacy.cjs', 'src/legacy.cjs'],
  ['src/app/main.ts', 'src/main.ts'],
  ['test/main.test.ts', 'src/app/tests/main.test.ts'],
  ['src/app/ui', 'src/ui'],
  ['src/app/ui', 'src/app/parts/ui'],
  ['src/shared', 'src/common'],
  ['src/shared', 'shared'],
  ['src/app', 'src/application'],
  ['src/app', 'app'],
  ['src', 'lib'],
  ['test', 'src/test'],
];

/** The compiler that VS Code comes with. */
function compiler(): typeof TypeScript {
  const file = path.join(vscode.env.appRoot, 'extensions/node_modules/typescript/lib/typescript.js');
  assert.ok(existsSync(file), file);
  return createRequire(file)(file) as typeof TypeScript;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort();
}

/** What the compiler says of the folder as it is now; libraries are parsed once. */
function typeChecker(): (folder: string) => string[] {
  const ts = compiler();
  const libraries = new Map<string, TypeScript.SourceFile | undefined>();
  return (folder) => {
    const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);
    assert.deepEqual(errors, []);
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    host.getSourceFile = (file, ...rest) => {
      if (file.startsWith(folder)) return getSourceFile(file, ...rest);
      if (!libraries.has(file)) libraries.set(file, getSourceFile(file, ...rest));
      return libraries.get(file);
    };
    const names = filesBelow(folder).filter((name) => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(name));
    const program = ts.createProgram(
      names.map((name) => path.join(folder, name)),
      // What reading a tsconfig.json adds, so that `paths` start at it.
      { ...options, pathsBasePath: folder },
      host,
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${path.basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
  };
}

describe('Refactor moves files in VS Code', () => {
  let storage: string;
  let reviewFiles: ReviewFiles;
  let changes: ChangeReview;
  let files: FileSystem;

  beforeEach(() => {
    storage = mkdtempSync(path.join(tmpdir(), 'deft-moves-'));
    reviewFiles = registerReviewFiles({ original: 'deft-moves-original', proposed: 'deft-moves-proposed' });
    changes = createChangeReview({ storage, files: reviewFiles, log });
    files = createVscodeFileSystem({ settings: () => ({ autosave: true }), watch: changes.watch });
  });
  afterEach(async () => {
    await closeAll();
    changes.keep();
    await changes.flush();
    changes.dispose();
    reviewFiles.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  function project(name: string, content = sources): string {
    const folder = newFolder(name);
    put(folder, 'tsconfig.json', JSON.stringify({ compilerOptions }));
    for (const [file, text] of Object.entries(content)) put(folder, file, text);
    return folder;
  }

  /** `diagnostics`: with those of the window, which take their time. */
  async function move(
    folder: string,
    [from, to]: readonly [string, string],
    { answer, told = false }: { answer?: (request: ApprovalRequest) => ApprovalDecision; told?: boolean } = {},
  ): Promise<string> {
    const own = told ? createDiagnostics({ delay: () => 3_000 }) : undefined;
    const [text = ''] = await runCalls(folder, [['Refactor', { action: 'move', from, to }]], {
      tools: [refactorTool],
      ports: {
        files,
        refactorings: createRefactorings(files),
        search: createRipgrepSearch(findWindowRipgrep),
        diagnostics: own ?? { current: () => [], newSince: async () => [] },
        clock: createSystemClock(),
      },
      ...(answer === undefined ? {} : { answer }),
    });
    own?.dispose();
    return text;
  }

  const contents = (folder: string): Record<string, string> =>
    Object.fromEntries(filesBelow(folder).map((name) => [name, disk(path.join(folder, name))]));

  it(`${moves.length} moves of files and folders type-check, and each is undone whole`, async function () {
    this.timeout(300_000);
    const check = typeChecker();
    const folder = project('moves');
    const before = contents(folder);
    assert.deepEqual(check(folder), [], 'the sources themselves');
    const failed: string[] = [];
    for (const one of moves) {
      const text = await move(folder, one);
      const errors = check(folder);
      const isThere = existsSync(path.join(folder, one[1])) && !existsSync(path.join(folder, one[0]));
      if (!text.startsWith(`Done: move ${one[0]} to ${one[1]}.`) || !isThere || errors.length > 0)
        failed.push(`${one.join(' → ')}: ${text}\n${errors.join('\n')}`);
      const refused = (await changes.undo()).filter(({ outcome }) => outcome !== 'undone');
      if (refused.length > 0) failed.push(`${one.join(' → ')}: ${JSON.stringify(refused)}`);
      assert.deepEqual(contents(folder), before, `${one.join(' → ')} is undone`);
      assert.deepEqual(changes.changes(), []);
    }
    assert.deepEqual(failed, []);
    assert.deepEqual(dirtyDocuments(), []);
  });

  it('an editor that shows the file shows it where it is now, and VS Code updates nothing itself', async () => {
    const folder = project('tabs');
    const main = path.join(folder, 'src/app/main.ts');
    await show(path.join(folder, 'src/app/types.ts'));
    await show(main);
    const text = await move(folder, ['src/app', 'src/application'], { told: true });
    assert.match(text, /^Done: move src\/app to src\/application\. 9 files moved, /);
    assert.doesNotMatch(text, /<new-diagnostics>/);
    const tabs = (): string[] =>
      vscode.window.tabGroups.all.flatMap((group) =>
        group.tabs.map(({ input, isActive }) =>
          input instanceof vscode.TabInputText
            ? `${path.relative(folder, input.uri.fsPath)}${isActive ? '*' : ''}`
            : '?',
        ),
      );
    assert.deepEqual(tabs().sort(), ['src/application/main.ts*', 'src/application/types.ts']);
    assert.deepEqual(dirtyDocuments(), []);
    assert.equal(vscode.workspace.getConfiguration('typescript').get('updateImportsOnFileMove.enabled'), 'prompt');
    assert.match(disk(path.join(folder, 'test/main.test.ts')), /from '\.\.\/src\/application\/main'/);
  });

  it('new problems are told, old ones are not new at the new place', async () => {
    const folder = project('problems', {
      'a.ts': `export const a: number = 'wrong';\n`,
      'b.ts': `import { a } from './a';\n\n\n\n\n\n\n\nexport const b = a;\n`,
    });
    await show(path.join(folder, 'a.ts'));
    await until(
      'TypeScript reports it',
      () => vscode.languages.getDiagnostics(vscode.Uri.file(path.join(folder, 'a.ts'))).length > 0,
    );
    const text = await move(folder, ['a.ts', 'lib/a.ts'], {
      told: true,
      answer: (request) => {
        const proposal = request.proposal ?? assert.fail();
        assert.equal(path.basename(proposal.path), 'b.ts');
        return { behavior: 'allow', text: proposal.base?.text ?? '' };
      },
    });
    assert.match(text, /These imports no longer resolve:\nb\.ts:1 import \{ a \} from '\.\/a';/);
    assert.doesNotMatch(text, /not assignable/);
    assert.equal(existsSync(path.join(folder, 'lib/a.ts')), true);
  });

  it('unsaved text of an importer counts; of the file itself, it is left where it is', async () => {
    const content = { 'a.ts': 'export const a = 1;\n', 'b.ts': `import { a } from './a';\nexport const b = a;\n` };
    const folder = project('unsaved', content);
    await type(await show(path.join(folder, 'b.ts')), '// typed\n');
    assert.match(
      await move(folder, ['a.ts', 'lib/a.ts']),
      /^Done: move a\.ts to lib\/a\.ts\. 1 file moved, 1 line in 1 file/,
    );
    assert.equal(disk(path.join(folder, 'b.ts')), `// typed\nimport { a } from './lib/a';\nexport const b = a;\n`);
    await type(await show(path.join(folder, 'lib/a.ts')), '// typed\n');
    assert.match(await move(folder, ['lib/a.ts', 'a.ts']), /lib\/a\.ts has changes in an editor that are not saved/);
    assert.equal(existsSync(path.join(folder, 'a.ts')), false);
  });

  it('what waits for review goes along, and undoing a part of a move leaves the rest', async () => {
    const content = { 'a.ts': 'export const a = 1;\n', 'b.ts': `import { a } from './a';\nexport const b = a;\n` };
    const folder = project('review', content);
    const [a, lib, b] = ['a.ts', 'lib/a.ts', 'b.ts'].map((name) => path.join(folder, name)) as [string, string, string];
    const read = await files.readText(a, 1_000);
    assert.ok(read.outcome === 'read');
    await files.writeText({ path: a, base: read.file, text: 'export const a = 2;\n', approved: false });
    await move(folder, ['a.ts', 'lib/a.ts']);
    assert.deepEqual(changes.changes(), [
      { path: b, added: 1, removed: 1 },
      { path: lib, added: 1, removed: 1 },
    ]);
    assert.deepEqual(await changes.undo(b), [{ outcome: 'undone' }]);
    assert.deepEqual([existsSync(lib), disk(b)], [true, content['b.ts']]);
    assert.deepEqual(await changes.undo(lib), [{ outcome: 'undone' }]);
    assert.deepEqual([existsSync(lib), disk(a)], [false, content['a.ts']]);
    assert.equal(existsSync(path.dirname(lib)), false);
    await move(folder, ['a.ts', 'lib/a.ts']);
    changes.keep(lib);
    assert.deepEqual(changes.changes(), [{ path: b, added: 1, removed: 1 }]);
  });

  it('a picture moves with its imports, and back', async () => {
    const folder = project('picture', { 'b.js': `new URL('./a.png', import.meta.url);\n` });
    put(folder, 'a.png', new Uint8Array([137, 80, 0, 255]));
    await move(folder, ['a.png', 'img/a.png']);
    assert.equal(disk(path.join(folder, 'b.js')), `new URL('./img/a.png', import.meta.url);\n`);
    assert.deepEqual(await changes.undo(), [{ outcome: 'undone' }, { outcome: 'undone' }]);
    assert.deepEqual([existsSync(path.join(folder, 'img')), statSync(path.join(folder, 'a.png')).size], [false, 4]);
  });
});
