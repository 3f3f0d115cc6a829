// A suite with four failures in a shop written in Python, by the shell and by the tool for tests.
import { readFileSync } from 'node:fs';
import { bySense, edit, read, type Intent, type Task } from '../intents';

/** What pytest really printed, for people and as its own report. */
const printed = (name: string): string => readFileSync(`test/fixtures/test-reports/${name}.txt`, 'utf8');

const passing = `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0
rootdir: /w
configfile: pyproject.toml
collected 11 items

test_cart.py ..........s                                                 [100%]

======================== 10 passed, 1 skipped in 0.85s =========================
`;

const byShell = (output: string, code: number): Intent => ({
  kind: 'run',
  command: 'python3 -m pytest',
  recorded: { output, code },
});
const byTool = (output: string): Intent => ({
  kind: 'sense',
  tool: 'Tests',
  input: {},
  programs: [{ program: 'python3', output, code: 0 }],
});

function failingTests(name: string, [before, after]: readonly [Intent, Intent]): Task {
  return {
    name,
    repository: 'cart',
    prompt: 'The tests fail. The tests are right: fix the shop.',
    steps: [
      [before],
      read('cart.py'),
      [
        edit('cart.py', '    return sum(prices) + 1\n', '    return sum(prices)\n'),
        edit('cart.py', '    return code.strip()\n', '    return "x" if code is None else code.strip()\n'),
        edit('cart.py', '"tags": ["new"]', '"tags": ["old"]'),
        edit(
          'cart.py',
          'def fetch_price(item):\n    raise LookupError(f"no price for {item}")\n',
          'prices = {"pen": 2}\n\n\ndef fetch_price(item):\n    return prices[item]\n',
        ),
        after,
      ],
    ],
    answer: 'All four are fixed in `cart.py`: 10 tests pass, 1 is skipped.',
  };
}

export const cartTasks: readonly Task[] = [
  failingTests('cart/failing-tests', [byShell(printed('pytest-terminal'), 1), byShell(passing, 0)]),
  failingTests(`cart/failing-tests${bySense}`, [byTool(printed('pytest')), byTool(printed('pytest-passing'))]),
];
