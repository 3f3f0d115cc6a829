// Tasks in a reader of bank statements written in Python.
import { edit, find, lines, list, read, readLines, recorded, slip, symbol, write, type Task } from '../intents';

const passed = (tests: number): string => `${'.'.repeat(tests)}${' '.repeat(67 - tests)}[100%]
${tests} passed in 0.04s
`;

const failed = (test: string, shown: string, error: string): string => `......F${' '.repeat(60)}[100%]
=================================== FAILURES ===================================
${'_'.repeat(30)} ${test} ${'_'.repeat(30)}

    def ${test}():
${shown}
E       ${error}

tests/test_report.py:38: AssertionError
=========================== short test summary info ============================
FAILED tests/test_report.py::${test} - ${error}
1 failed, 7 passed in 0.06s
`;

const monthTest = `def test_month():
    assert len(statement().month(2026, 2).entries) == 2
`;

export const ledgerTasks: readonly Task[] = [
  {
    name: 'ledger/month-of-another-year',
    repository: 'ledger',
    prompt: 'The report for 2026-02 also counts entries of February 2025. Write a failing test first, then fix it.',
    steps: [
      [lines('month', '*.py')],
      read('ledger/model.py', 'tests/test_report.py'),
      [
        edit(
          'tests/test_report.py',
          monthTest,
          `${monthTest}

def test_month_of_one_year():
    both = Statement([Entry(date(year, 2, 1), "rent", Decimal(-1)) for year in (2025, 2026)])
    assert len(both.month(2026, 2).entries) == 1
`,
        ),
        recorded(
          'pytest -q',
          failed(
            'test_month_of_one_year',
            '        both = Statement([Entry(date(year, 2, 1), "rent", Decimal(-1)) for year in (2025, 2026)])\n>       assert len(both.month(2026, 2).entries) == 1',
            'assert 2 == 1',
          ),
          1,
        ),
      ],
      [
        edit('ledger/model.py', 'if e.day.month == month]', 'if (e.day.year, e.day.month) == (year, month)]'),
        recorded('pytest -q', passed(8)),
      ],
    ],
    answer: '`Statement.month` compares the year too (`ledger/model.py:28`).',
  },
  {
    name: 'ledger/thousands-in-amounts',
    repository: 'ledger',
    prompt: 'Amounts such as "1.234,56" and "1,234.56" fail. Support both.',
    steps: [
      [symbol('parse_amount')],
      [readLines('ledger/reader.py', 20, 10), ...read('tests/test_reader.py')],
      [
        edit(
          'ledger/reader.py',
          '    return Decimal(text.replace(",", "."))\n',
          `    text = text.strip()
    # The last mark separates the cents; the other one groups thousands.
    point = max(text.rfind("."), text.rfind(","))
    if point == -1:
        return Decimal(text)
    whole = text[:point].replace(".", "").replace(",", "")
    return Decimal(f"{whole}.{text[point + 1:]}")
`,
        ),
        edit(
          'tests/test_reader.py',
          '    assert parse_amount("-12,50") == Decimal("-12.50")\n',
          `    assert parse_amount("-12,50") == Decimal("-12.50")
    assert parse_amount("1.234,56") == Decimal("1234.56")
    assert parse_amount("1,234.56") == Decimal("1234.56")
    assert parse_amount("700") == Decimal(700)
`,
        ),
        recorded('pytest -q', passed(7)),
      ],
    ],
    answer:
      'The last "." or "," separates the cents, whichever it is; the other is ignored. A bare "1.234" is read as 1.234.',
  },
  {
    name: 'ledger/categories-by-any-case',
    repository: 'ledger',
    prompt: 'Entries such as "RENT March" are categorised as other. Fix it.',
    steps: [
      [find('categorise'), lines('re\\.search', '*.py', 2)],
      [
        slip(
          'ledger/categories.py',
          '\tif re.search(pattern, entry.text):',
          '\tif re.search(pattern, entry.text, re.I):',
        ),
      ],
      read('ledger/categories.py'),
      [
        edit(
          'ledger/categories.py',
          'if re.search(pattern, entry.text):',
          'if re.search(pattern, entry.text, re.IGNORECASE):',
        ),
        recorded('pytest -q', passed(7)),
      ],
    ],
    answer: 'Patterns ignore the case now (`ledger/categories.py:18`).',
  },
  {
    name: 'ledger/json-report',
    repository: 'ledger',
    prompt:
      'Add `--format json` to the report command: an object with totals by category and the balance, amounts as strings. With tests and a line in the README.',
    steps: [
      [list('**/*.py')],
      read('ledger/__main__.py', 'ledger/report.py', 'tests/test_report.py', 'README.md'),
      [
        edit(
          'ledger/report.py',
          'from collections import defaultdict\n',
          'import json\nfrom collections import defaultdict\n',
        ),
        edit(
          'ledger/report.py',
          'def render(statement: Statement) -> str:',
          `def render_json(statement: Statement) -> str:
    return json.dumps(
        {
            "totals": {category: str(amount) for category, amount in sorted(totals(statement).items())},
            "balance": str(statement.balance),
        },
        indent=2,
    )


def render(statement: Statement) -> str:`,
        ),
        edit('ledger/__main__.py', 'from .report import render\n', 'from .report import render, render_json\n'),
        edit(
          'ledger/__main__.py',
          '    report.add_argument("--month")\n',
          '    report.add_argument("--month")\n    report.add_argument("--format", choices=("text", "json"), default="text")\n',
        ),
        edit(
          'ledger/__main__.py',
          '    print(render(statement))\n',
          '    print(render_json(statement) if args.format == "json" else render(statement))\n',
        ),
        edit(
          'README.md',
          '    python -m ledger report statements.csv --month 2026-02\n',
          '    python -m ledger report statements.csv --month 2026-02\n\n`--format json` prints an object instead of a table.\n',
        ),
        write(
          'tests/test_json.py',
          `import json
from datetime import date
from decimal import Decimal

from ledger import Entry, Statement
from ledger.report import render_json


def test_json():
    statement = Statement([Entry(date(2026, 2, 1), "rent", Decimal("-700.10"), "home")])
    assert json.loads(render_json(statement)) == {"totals": {"home": "-700.10"}, "balance": "-700.10"}
`,
        ),
      ],
      [recorded('pytest -q', passed(8))],
    ],
    answer: '`--format json` prints totals and balance (`ledger/report.py:17`). 8 tests pass.',
  },
  {
    name: 'ledger/question-about-rounding',
    repository: 'ledger',
    prompt: 'Where are amounts rounded, and which file formats of dates do we read? Change nothing.',
    steps: [
      [lines('round|quantize|Decimal\\('), lines('strptime|FORMATS'), list('ledger/*.py')],
      read('ledger/reader.py', 'ledger/report.py'),
    ],
    answer:
      'Nowhere: amounts stay `Decimal` as read (`ledger/reader.py:25`). Dates: `2026-02-01` and `01.02.2026` (`ledger/reader.py:10`).',
  },
];
