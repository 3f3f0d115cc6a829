// "@symbol:name" with VS Code's own TypeScript server: what is suggested, and the text of a definition.
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { mentionedSymbol, suggestSymbols } from '../../src/vscode/languages/symbol-mention';
import { closeAll, newFolder, put, show, until } from './workspace-file';

const nothing = (): boolean => false;

describe('@symbol', () => {
  let folder: string;
  const shown = (file: string): string => vscode.workspace.asRelativePath(path.join(folder, file));

  before(async () => {
    folder = newFolder('symbols');
    put(folder, 'tsconfig.json', '{ "compilerOptions": { "strict": true, "types": [] } }\n');
    const file = put(
      folder,
      'a.ts',
      '// A file.\nexport function deftWeighs(text: string): number {\n  // All of it.\n  return text.length;\n}\n\nexport class DeftScale {\n  read(): number {\n    return deftWeighs("x");\n  }\n}\n',
    );
    put(folder, 'b.ts', "import './a';\nexport function deftWeighs(): void {}\n");
    await show(file);
    await until('the server knows the symbols', async () => (await suggestSymbols('deftWeighs', nothing)).length === 2);
  });
  after(closeAll);

  it('is suggested with its place, and with its file where several have the name', async () => {
    const weighs = await suggestSymbols('deftWeighs', nothing);
    assert.deepEqual(
      weighs.map(({ path: text, detail }) => [text, detail]),
      [
        [`symbol:${shown('a.ts')}#deftWeighs`, `${shown('a.ts')}:2`],
        [`symbol:${shown('b.ts')}#deftWeighs`, `${shown('b.ts')}:2`],
      ],
    );
    const [scale] = await suggestSymbols('DeftSca', nothing);
    assert.equal(scale?.path, 'symbol:DeftScale');
    const hidden = await suggestSymbols('deftWeighs', (file) => file.endsWith('a.ts'));
    assert.deepEqual(
      hidden.map(({ path: text }) => text),
      ['symbol:deftWeighs'],
    );
  });

  it('attaches the whole definition with its lines', async () => {
    const one = await mentionedSymbol(`${shown('a.ts')}#deftWeighs`, nothing);
    assert.equal(
      one,
      `${shown('a.ts')}:2 deftWeighs\n2\texport function deftWeighs(text: string): number {\n3\t  // All of it.\n4\t  return text.length;\n5\t}`,
    );
    const both = await mentionedSymbol('deftWeighs', nothing);
    assert.match(both, /a\.ts:2 deftWeighs\n[^]*\n\n[^]*b\.ts:2 deftWeighs\n2\texport function/);
    assert.match(await mentionedSymbol('DeftScale', nothing), /a\.ts:7 DeftScale\n7\texport class[^]*\n11\t\}$/);
  });

  it('shows nothing of a file that rules hide, and says what is not found', async () => {
    const none = 'No running language server knows a symbol';
    assert.match(await mentionedSymbol('DeftScale', (file) => file.endsWith('a.ts')), new RegExp(none));
    assert.match(await mentionedSymbol('noSuchNameAnywhere', nothing), new RegExp(none));
  });
});
