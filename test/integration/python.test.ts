// Refactor and Problems over a language server of npm, Pyright: the program says the same after every rename.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import { problemsTool } from '../../src/core/tools/problems/problems';
import { refactorTool } from '../../src/core/tools/refactor/refactor';
import { createSystemClock } from '../../src/node/system-clock';
import { createDiagnostics, type VscodeDiagnostics } from '../../src/vscode/diagnostics/vscode-diagnostics';
import { createVscodeFileSystem } from '../../src/vscode/files/vscode-file-system';
import { createRefactorings } from '../../src/vscode/languages/refactorings';
import { runCalls } from './run-calls';
import { closeAll, newFolder, put } from './workspace-file';

const sources: Readonly<Record<string, string>> = {
  'shop/__init__.py': `from .cart import Cart
from .prices import Item, Kind

__all__ = ['Cart', 'Item', 'Kind']
`,
  'shop/prices.py': `from dataclasses import dataclass
from enum import Enum

TAX = 0.25


class Kind(Enum):
    BOOK = 1
    FOOD = 2


@dataclass
class Item:
    name: str
    price: float
    kind: Kind = Kind.BOOK

    def total(self, count: int = 1) -> float:
        rate = 1 + TAX
        return self.price * rate * count

    @property
    def label(self) -> str:
        return f'{self.name} ({self.kind.value})'


def cheapest(items: list[Item]) -> Item:
    return min(items, key=lambda item: item.price)
`,
  'shop/cart.py': `from typing import Callable

from . import prices
from .prices import Item, cheapest as best

calls: list[int] = []


def counted(function: Callable[..., float]) -> Callable[..., float]:
    def wrapper(*given: object) -> float:
        calls.append(len(given))
        return function(*given)

    return wrapper


class Cart:
    limit = 3

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self._items: list[Item] = []

    def add(self, item: Item, *, times: int = 1) -> 'Cart':
        for step in range(min(times, self.limit)):
            self._items.append(item)
        return self

    @counted
    def sum(self) -> float:
        return sum(each.total() for each in self._items) * prices.TAX

    def least(self) -> Item:
        return best(self._items)
`,
  'main.py': `from shop import Cart, Item, Kind
from shop.cart import calls

tea = Item(name='tea', price=4, kind=Kind.FOOD)
book = Item('book', price=8)
cart = Cart(owner='Ann').add(tea, times=2).add(book)
print(cart.owner, cart.sum(), cart.least().label, book.total(count=2), Cart.limit, calls)
`,
};

/** A file, a part of one of its lines in which the name occurs once, and the name: from declarations and from uses. */
const renames: readonly [file: string, line: string, symbol: string][] = [
  ['shop/prices.py', 'TAX = 0.25', 'TAX'],
  ['shop/prices.py', 'class Kind(Enum)', 'Kind'],
  ['shop/prices.py', 'FOOD = 2', 'FOOD'],
  ['shop/prices.py', 'class Item:', 'Item'],
  ['shop/prices.py', 'price: float', 'price'],
  ['shop/prices.py', 'def total(', 'total'],
  ['shop/prices.py', 'count: int = 1', 'count'],
  ['shop/prices.py', 'rate = 1', 'rate'],
  ['shop/prices.py', 'def label(self)', 'label'],
  ['shop/prices.py', 'def cheapest(', 'cheapest'],
  ['shop/prices.py', 'lambda item:', 'item'],
  ['shop/cart.py', 'calls: list[int]', 'calls'],
  ['shop/cart.py', 'def counted(', 'counted'],
  ['shop/cart.py', 'def wrapper(', 'wrapper'],
  ['shop/cart.py', 'class Cart:', 'Cart'],
  ['shop/cart.py', 'limit = 3', 'limit'],
  ['shop/cart.py', 'self._items: list', '_items'],
  ['shop/cart.py', '*, times: int', 'times'],
  ['shop/cart.py', 'def least(', 'least'],
  ['main.py', 'tea = Item', 'tea'],
  ['main.py', 'cart.sum()', 'sum'],
];

describe('a language server of npm in VS Code', function () {
  this.timeout(120_000);
  const files = createVscodeFileSystem({ settings: () => ({ autosave: true }) });
  const refactorings = createRefactorings(files);
  let folder: string;
  let server: vscode.Disposable | undefined;
  let diagnostics: VscodeDiagnostics;

  before(async function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      console.log('  Python is not installed: nothing can be run after a rename.');
      this.skip();
    }
    diagnostics = createDiagnostics({ delay: () => 1_000 });
    folder = newFolder('python');
    for (const [name, text] of Object.entries(sources)) put(folder, name, text);
    const pyright = createRequire(__filename).resolve('pyright/langserver.index.js');
    server = await vscode.commands.executeCommand('deft-test.serve', { server: pyright, languageId: 'python', folder });
  });
  after(() => {
    server?.dispose();
    diagnostics?.dispose();
  });
  afterEach(closeAll);

  /** A rename waits for no problems: the program tells more. */
  const quiet = { current: () => [], newSince: async () => [] };
  const use = async (tool: 'Refactor' | 'Problems', input: Record<string, unknown>): Promise<string> => {
    const own = diagnostics.of('session-1');
    const [text = ''] = await runCalls(folder, [[tool, input]], {
      tools: [refactorTool, problemsTool],
      ports: { files, refactorings, diagnostics: quiet, problems: own, clock: createSystemClock() },
    });
    return text;
  };
  const output = (): string =>
    execFileSync('python3', ['main.py'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });

  it(`${renames.length} renames in Python, after each of which the program runs as before`, async () => {
    const expected = output();
    const failed: string[] = [];
    for (const [index, [file, lineContent, symbol]] of renames.entries()) {
      const newName = `${symbol}_r${index}`;
      for (const [name, text] of Object.entries(sources)) put(folder, name, text);
      const text = await use('Refactor', { action: 'rename', filePath: file, lineContent, symbol, newName });
      let now = '';
      try {
        now = output();
      } catch (error) {
        now = String(error);
      }
      if (!text.startsWith(`Done: rename ${symbol} to ${newName}.`) || now !== expected)
        failed.push(`${file} ${symbol}: ${text}\n${now}`);
    }
    assert.deepEqual(failed, []);
  });

  it('its problems are those of a file that no editor shows', async () => {
    put(folder, 'wrong.py', `from shop import Nothing\n\ncount: int = 'one'\n`);
    const text = await use('Problems', { paths: ['wrong.py'] });
    assert.match(
      text,
      /^2 errors in 1 file\.\nwrong\.py\n {2}1:18 error: "Nothing" is unknown import symbol[^]*\n {2}3:14 error: /,
    );
  });
});
