// What VS Code's own TypeScript server reports through the LSP tool, and that its errors reach the model after an edit.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { editTool } from '../../src/core/tools/edit/edit';
import { lspTool } from '../../src/core/tools/lsp/lsp';
import { readTool } from '../../src/core/tools/read/read';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createLanguages } from '../../src/vscode/languages/vscode-languages';
import { reply, toolUse } from '../support/messages-api/script';
import { createScriptedModel } from '../support/scripted-model';
import { createHarness } from '../support/session-harness';
import { closeAll, disk, newFolder, put, show, type, until } from './workspace-file';

const addSource = `/** Adds numbers. */
export function add(a: number, b: number): number {
  return a + b;
}

export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private readonly side: number) {}
  area(): number {
    return add(this.side, 0) * this.side;
  }
}
`;
const useSource = `import { add, Square } from './add';

export function total(): number {
  return add(1, 2) + new Square(3).area();
}

export const text: string = 'a'.trim();
`;

describe('LSP in VS Code', () => {
  let folder: string;
  let add: string;
  let use: string;
  const files = createVscodeFileSystem({ settings: () => ({ autosave: false }) });
  const languages = createLanguages(files);

  before(async () => {
    folder = newFolder('languages');
    put(
      folder,
      'tsconfig.json',
      '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "node", "types": [] } }\n',
    );
    add = put(folder, 'add.ts', addSource);
    use = put(folder, 'use.ts', useSource);
    put(folder, 'secret.ts', "import { add } from './add';\nexport const hidden = add(7, 7);\n");
    // A slow machine starts TypeScript's server for longer than the tool waits.
    await vscode.workspace.openTextDocument(use);
    await until('TypeScript has read the project', async () => {
      const found = await vscode.commands.executeCommand<vscode.LocationLink[] | vscode.Location[] | undefined>(
        'vscode.executeDefinitionProvider',
        vscode.Uri.file(use),
        new vscode.Position(3, 10),
      );
      return (found ?? []).some((place) => ('targetUri' in place ? place.targetUri : place.uri).path === add);
    });
  });
  // Others may have left editors.
  before(closeAll);
  afterEach(closeAll);

  /** Runs a call as a session does, with permissions; returns what the model reads. */
  async function ask(input: Record<string, unknown>): Promise<string> {
    const model = createScriptedModel([reply(toolUse('LSP', input, 'toolu_1')), reply('Done.')]);
    const clock = createSystemClock();
    const harness = createHarness({
      model,
      tools: [lspTool],
      ports: { files, languages, clock },
      session: {
        permission: () => ({
          rules: [
            {
              behavior: 'deny',
              value: { toolName: 'Read', ruleContent: '**/secret.ts' },
              source: 'userSettings',
              root: folder,
            },
          ],
          folders: [folder],
          ownFolders: [],
          home: '/home/ann',
          ignoreCase: false,
          trusted: true,
        }),
        environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
      },
    });
    assert.deepEqual(await harness.run('Go'), { reason: 'completed' });
    assert.deepEqual(harness.approvals, []);
    return resultOf(model.requests[1]?.messages);
  }
  const position = (line: number, character: number, filePath = use) => ({ filePath, line, character });

  it('goToDefinition, in a file that no editor shows', async () => {
    assert.equal(
      await ask({ operation: 'goToDefinition', ...position(4, 10) }),
      '1 definition in 1 file\nadd.ts\n  2:17 export function add(a: number, b: number): number {',
    );
    assert.equal(vscode.window.visibleTextEditors.length, 0);
  });

  it('findReferences names all files also if the server has read nothing yet', async function () {
    this.timeout(120_000);
    put(folder, 'cold/tsconfig.json', '{ "compilerOptions": { "strict": true, "types": [] } }\n');
    const sum = put(folder, 'cold/sum.ts', 'export function sum(x: number) {\n  return x;\n}\n');
    for (let index = 0; index < 8; index++)
      put(folder, `cold/use${index}.ts`, `import { sum } from './sum';\nexport const value${index} = sum(${index});\n`);
    await vscode.commands.executeCommand('typescript.restartTsServer');
    // A slow machine reads the project for longer than the tool waits: it says so then, and never names a part.
    let text = '';
    await until('it has read the project', async () => {
      text = await ask({ operation: 'findReferences', ...position(1, 17, sum) });
      return !text.includes('still loading');
    });
    assert.match(text, /^17 references in 9 files\n/);
  });

  it('goToDefinition into the standard library shows the place and does not open it', async () => {
    const text = await ask({ operation: 'goToDefinition', ...position(7, 33) });
    assert.match(text, /^1 definition in 1 file\n\/.*\/lib\.es5\.d\.ts\n {2}\d+:\d+$/);
    assert.ok(vscode.workspace.textDocuments.every(({ uri }) => !uri.path.endsWith('lib.es5.d.ts')));
  });

  it('findReferences, without what rules hide', async () => {
    const text = await ask({ operation: 'findReferences', ...position(2, 17, add) });
    assert.match(text, /^4 references in 2 files\n/);
    assert.ok(text.includes('use.ts\n  1:10 import { add, Square }'), text);
    assert.ok(text.includes('add.ts\n') && !text.includes('secret.ts'), text);
  });

  it('hover: type and documentation', async () => {
    const text = await ask({ operation: 'hover', ...position(4, 10) });
    assert.match(text, /add\(a: number, b: number\): number/);
    assert.match(text, /Adds numbers\./);
  });

  it('documentSymbol, nested, by a relative path', async () => {
    assert.equal(
      await ask({ operation: 'documentSymbol', filePath: 'add.ts' }),
      [
        '7 symbols in 1 file',
        'add.ts',
        '  2:17 function add',
        '  6:18 interface Shape',
        '    7:3 method area',
        '  10:14 class Square',
        '    11:3 constructor constructor',
        '    11:32 property side',
        '    12:3 method area',
      ].join('\n'),
    );
  });

  it('workspaceSymbol', async () => {
    const text = await ask({ operation: 'workspaceSymbol', query: 'Square', filePath: use });
    assert.match(text, /add\.ts\n {2}10:\d+ class Square/);
  });

  it('goToImplementation', async () => {
    assert.equal(
      await ask({ operation: 'goToImplementation', ...position(6, 18, add) }),
      '1 implementation in 1 file\nadd.ts\n  10:14 export class Square implements Shape {',
    );
  });

  it('incomingCalls', async () => {
    const text = await ask({ operation: 'incomingCalls', ...position(2, 17, add) });
    assert.match(text, /^2 callers in 2 files\n/);
    assert.match(text, /use\.ts\n {2}3:17 function total \(calls it in line 4\)/);
    assert.match(text, /add\.ts\n {2}12:3 method area \(calls it in line 13\)/);
  });

  it('outgoingCalls', async () => {
    const text = await ask({ operation: 'outgoingCalls', ...position(3, 17) });
    assert.match(text, /2:17 function add \(called in line 4\)/);
    assert.match(text, /12:3 method area \(called in line 4\)/);
  });

  it('renamePreview shows the lines before and after, and writes nothing', async () => {
    const text = await ask({ operation: 'renamePreview', ...position(10, 15, add), newName: 'Box' });
    // Whether an import gets an alias is the server's choice.
    assert.match(text, /^[23] changes in 2 files\. Nothing was written\.\n/);
    assert.ok(
      text.includes(
        'add.ts\n  10:14\n    - export class Square implements Shape {\n    + export class Box implements Shape {',
      ),
      text,
    );
    assert.match(
      text,
      / {4}- import \{ add, Square \} from '\.\/add';\n {4}\+ import \{ add, Box(?: as Square)? \} from '\.\/add';/,
    );
  });

  it('renamePreview leaves out what rules hide', async () => {
    const text = await ask({ operation: 'renamePreview', ...position(2, 17, add), newName: 'plus' });
    assert.match(text, /^[34] changes in 2 files\./);
    assert.ok(!text.includes('secret.ts'), text);
    assert.deepEqual([disk(add), disk(use)], [addSource, useSource]);
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  });

  it('a rename that cannot be is refused in the words of the server', async () => {
    assert.match(
      await ask({ operation: 'renamePreview', ...position(3, 27), newName: 'x' }),
      /^<tool_use_error>The language server refuses to rename this: ./,
    );
  });

  it('counts unsaved text', async () => {
    const editor = await show(use);
    await type(editor, 'const fresh = 1;\nfresh;\n');
    assert.equal(
      await ask({ operation: 'goToDefinition', ...position(2, 1) }),
      '1 definition in 1 file\nuse.ts\n  1:7 const fresh = 1;',
    );
  });

  it('says where nothing is, where the file ends, and where nobody answers', async () => {
    assert.match(
      await ask({ operation: 'goToDefinition', ...position(2, 1) }),
      /^No definitions found for use\.ts:2:1\./,
    );
    assert.match(
      await ask({ operation: 'goToDefinition', ...position(900, 1) }),
      /has \d+ lines; there is no line 900/,
    );
    const plain = put(folder, 'notes.unheardof', 'add\n');
    assert.match(
      await ask({ operation: 'goToDefinition', ...position(1, 1, plain) }),
      /^<tool_use_error>No language server answers for .*notes\.unheardof\.<\/tool_use_error>$/,
    );
    const binary = put(folder, 'data.bin', new Uint8Array([0, 1, 2, 0, 255]));
    assert.match(
      await ask({ operation: 'documentSymbol', filePath: binary }),
      /cannot be opened as text|No language server answers/,
    );
  });

  it('takes answers of any provider, as links too', async () => {
    const plain = put(folder, 'linked.unheardof', 'add\n');
    const target = vscode.Uri.file(add);
    const registration = vscode.languages.registerDefinitionProvider(
      { pattern: '**/*.unheardof' },
      {
        provideDefinition: () => [
          {
            targetUri: target,
            targetRange: new vscode.Range(0, 0, 3, 1),
            targetSelectionRange: new vscode.Range(1, 16, 1, 19),
          },
        ],
      },
    );
    try {
      assert.match(
        await ask({ operation: 'goToDefinition', ...position(1, 1, plain) }),
        /^1 definition in 1 file\nadd\.ts\n {2}2:17 export function add/,
      );
    } finally {
      registration.dispose();
    }
  });

  it('does not believe a server that still reads the project', async () => {
    const slow = put(folder, 'slow.ts', '// here\nexport const slow = 1;\n');
    let asked = 0;
    const isLoading = (): boolean => asked < 3;
    const selector = { pattern: '**/slow.ts' };
    const registrations = [
      vscode.languages.registerHoverProvider(selector, {
        provideHover: () => {
          asked += 1;
          return new vscode.Hover({
            language: 'typescript',
            value: `${isLoading() ? '(wird geladen...) ' : ''}const here`,
          });
        },
      }),
      vscode.languages.registerDefinitionProvider(selector, {
        provideDefinition: (document) =>
          new vscode.Location(isLoading() ? document.uri : vscode.Uri.file(add), new vscode.Position(1, 16)),
      }),
    ];
    try {
      assert.match(
        await ask({ operation: 'goToDefinition', ...position(1, 5, slow) }),
        /^1 definition in 1 file\nadd\.ts\n/,
      );
      assert.equal(asked, 3);
    } finally {
      for (const registration of registrations) registration.dispose();
    }
  });

  it('a type error that an edit brings reaches the model with its result', async () => {
    const file = put(folder, 'broken.ts', 'export const count: number = 1;\n');
    await show(file);
    await until(
      'TypeScript looks after it',
      async () =>
        (
          await vscode.commands.executeCommand<unknown[] | undefined>(
            'vscode.executeDocumentSymbolProvider',
            vscode.Uri.file(file),
          )
        )?.length === 1,
    );
    const diagnostics = createDiagnostics({ delay: () => 20_000 });
    try {
      const model = createScriptedModel([
        reply(toolUse('Read', { file_path: file }, 'toolu_1')),
        reply(toolUse('Edit', { file_path: file, old_string: '= 1', new_string: "= 'one'" }, 'toolu_2')),
        reply('Done.'),
      ]);
      const harness = createHarness({
        model,
        tools: [readTool, editTool],
        ports: { files, diagnostics, clock: createSystemClock() },
        session: {
          environment: { cwd: folder, folders: [folder], platform: 'linux', shell: 'bash', date: '2026-11-21' },
        },
      });
      assert.deepEqual(await harness.run('Break it'), { reason: 'completed' });
      const text = resultOf(model.requests[2]?.messages);
      assert.match(
        text,
        new RegExp(
          `${path.basename(file)}:1:14 error: Type 'string' is not assignable to type 'number'\\. \\(ts 2322\\)`,
        ),
      );
    } finally {
      diagnostics.dispose();
    }
  });
});

/** The text of the last tool result. */
function resultOf(messages: readonly { content: unknown }[] | undefined): string {
  const blocks = (messages ?? []).flatMap(({ content }) => content as { type: string; content?: unknown }[]);
  return String(blocks.findLast((block) => block.type === 'tool_result')?.content);
}
