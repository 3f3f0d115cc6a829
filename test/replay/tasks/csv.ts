// Tasks in a command-line program for CSV, written in Rust.
import { edit, find, lines, read, recorded, slip, symbol, type Task } from '../intents';

const results = (
  tests: readonly string[],
  bad?: { test: string; place: string; left: string; right: string },
): string => {
  const count = tests.length + (bad === undefined ? 0 : 1);
  const list = [
    ...tests.map((test) => `test ${test} ... ok`),
    ...(bad === undefined ? [] : [`test ${bad.test} ... FAILED`]),
  ];
  const failure =
    bad === undefined
      ? ''
      : `
failures:

---- ${bad.test} stdout ----
thread '${bad.test}' panicked at ${bad.place}:
assertion \`left == right\` failed
  left: ${bad.left}
 right: ${bad.right}
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    ${bad.test}
`;
  return `   Compiling tidycsv v0.4.0 (/repo)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.61s
     Running unittests src/lib.rs (target/debug/deps/tidycsv-7d1f0c3a5b2e4f68)

running ${count} tests
${list.sort().join('\n')}
${failure}
test result: ${bad === undefined ? 'ok' : 'FAILED'}. ${tests.length} passed; ${count - tests.length} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`;
};

const now = ['reader::tests::keeps_the_delimiter_in_quotes', 'reader::tests::splits', 'table::tests::aligns'];
const lastReaderTest = `        assert_eq!(parse("\\"a,b\\",c", ','), vec![vec!["a,b", "c"]]);
    }
`;

export const csvTasks: readonly Task[] = [
  {
    name: 'csv/doubled-quotes',
    repository: 'csv',
    prompt: 'A doubled quote in a quoted field should be one quote. It is lost. Test and fix.',
    steps: [
      [lines("'\"'", 'src/**', 2)],
      read('src/reader.rs'),
      [
        edit(
          'src/reader.rs',
          lastReaderTest,
          `${lastReaderTest}
    #[test]
    fn doubled_quotes() {
        assert_eq!(parse("\\"say \\"\\"hi\\"\\"\\",b", ','), vec![vec!["say \\"hi\\"", "b"]]);
    }
`,
        ),
        recorded(
          'cargo test',
          results(now, {
            test: 'reader::tests::doubled_quotes',
            place: 'src/reader.rs:43:9',
            left: '[["say hi", "b"]]',
            right: '[["say \\"hi\\"", "b"]]',
          }),
          101,
        ),
      ],
      [
        edit(
          'src/reader.rs',
          `            '"' if quoted => quoted = false,`,
          `            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,`,
        ),
        recorded('cargo test', results([...now, 'reader::tests::doubled_quotes'])),
      ],
    ],
    answer: 'Doubled quotes are one quote now (`src/reader.rs:18`). 4 tests pass.',
  },
  {
    name: 'csv/wide-characters',
    repository: 'csv',
    prompt: 'Columns with umlauts are misaligned. Count characters, not bytes.',
    steps: [
      [lines('\\.len\\(\\)', 'src/table.rs')],
      [slip('src/table.rs', 'widths[i].max(field.size())', 'widths[i].max(field.chars().count())')],
      read('src/table.rs'),
      [
        edit('src/table.rs', 'widths[i].max(field.len())', 'widths[i].max(field.chars().count())'),
        edit('src/table.rs', 'widths[i] - field.len() + 2', 'widths[i] - field.chars().count() + 2'),
        edit(
          'src/table.rs',
          '        assert_eq!(render(&rows("name,age\\nAnn,7")), "name  age\\nAnn   7\\n");\n    }\n',
          `        assert_eq!(render(&rows("name,age\\nAnn,7")), "name  age\\nAnn   7\\n");
    }

    #[test]
    fn counts_characters() {
        assert_eq!(render(&rows("Jörg,1\\nAnna,2")), "Jörg  1\\nAnna  2\\n");
    }
`,
        ),
        recorded('cargo test', results([...now, 'table::tests::counts_characters'])),
      ],
    ],
    answer:
      'Widths count characters (`src/table.rs:7` and 15). Double-width characters such as CJK still count as one.',
  },
  {
    name: 'csv/missing-delimiter-value',
    repository: 'csv',
    prompt: '`tidycsv -d` panics. Print an error instead, also for an empty value.',
    steps: [
      [symbol('from_args'), find('unwrap\\(\\)')],
      read('src/options.rs', 'src/main.rs'),
      [
        edit(
          'src/options.rs',
          `                    let value = rest.next().unwrap();
                    options.delimiter = value.chars().next().unwrap();
`,
          `                    let value = rest.next().ok_or(format!("{arg} needs a value"))?;
                    options.delimiter = value.chars().next().ok_or(format!("{arg} needs a character"))?;
`,
        ),
        recorded('cargo test', results(now)),
        recorded(
          'cargo clippy -- -D warnings',
          '    Checking tidycsv v0.4.0 (/repo)\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.38s\n',
        ),
      ],
    ],
    answer: 'Both cases return an error that main prints with exit code 2 (`src/options.rs:14`).',
  },
  {
    name: 'csv/newlines-in-quotes',
    repository: 'csv',
    prompt: 'Quoted fields with line breaks are split into two rows. Parse the whole text instead of lines.',
    steps: [
      read('src/reader.rs'),
      [
        edit(
          'src/reader.rs',
          `    let mut rows = Vec::new();
    for line in text.lines() {
        rows.push(parse_line(line, delimiter));
    }
    rows
}

fn parse_line(line: &str, delimiter: char) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted => quoted = false,
            '"' => quoted = true,
            c if c == delimiter && !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}
`,
          `    let mut rows = Vec::new();
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '\\r' if !quoted => {}
            '\\n' if !quoted => {
                fields.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut fields));
            }
            c if c == delimiter && !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    if !field.is_empty() || !fields.is_empty() {
        fields.push(field);
        rows.push(fields);
    }
    rows
}
`,
        ),
        edit(
          'src/reader.rs',
          lastReaderTest,
          `${lastReaderTest}
    #[test]
    fn keeps_line_breaks_in_quotes() {
        assert_eq!(parse("\\"a\\nb\\",c\\n", ','), vec![vec!["a\\nb", "c"]]);
    }
`,
        ),
      ],
      [
        recorded(
          'cargo test',
          `   Compiling tidycsv v0.4.0 (/repo)
error[E0282]: type annotations needed for \`Vec<_>\`
 --> src/reader.rs:3:9
  |
3 |     let mut rows = Vec::new();
  |         ^^^^^^^^   ---------- type must be known at this point
  |
help: consider giving \`rows\` an explicit type, with the type parameters specified
  |
3 |     let mut rows: Vec<T> = Vec::new();
  |                 ++++++++

For more information about this error, try \`rustc --explain E0282\`.
error: could not compile \`tidycsv\` (lib test) due to 1 previous error
`,
          101,
        ),
      ],
      [
        edit('src/reader.rs', '    let mut rows = Vec::new();\n', '    let mut rows: Vec<Vec<String>> = Vec::new();\n'),
        recorded('cargo test', results([...now, 'reader::tests::keeps_line_breaks_in_quotes'])),
      ],
    ],
    answer: 'The reader goes over the whole text, so quoted line breaks stay in their field (`src/reader.rs`).',
  },
  {
    name: 'csv/header-line',
    repository: 'csv',
    prompt: 'Underline the first row with dashes unless --no-header is given.',
    steps: [
      [lines('header')],
      read('src/table.rs', 'src/main.rs', 'src/options.rs', 'README.md'),
      [
        edit(
          'src/table.rs',
          'pub fn render(rows: &[Vec<String>]) -> String {',
          'pub fn render(rows: &[Vec<String>], header: bool) -> String {',
        ),
        edit(
          'src/table.rs',
          '    for row in rows {\n        for (i, field) in row.iter().enumerate() {\n            out',
          '    for (line, row) in rows.iter().enumerate() {\n        for (i, field) in row.iter().enumerate() {\n            out',
        ),
        edit(
          'src/table.rs',
          "        out.push('\\n');\n",
          `        out.push('\\n');
        if header && line == 0 {
            let dashes: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            out.push_str(&dashes.join("  "));
            out.push('\\n');
        }
`,
        ),
        edit(
          'src/table.rs',
          'assert_eq!(render(&rows("name,age\\nAnn,7")), "name  age\\nAnn   7\\n");',
          'assert_eq!(render(&rows("name,age\\nAnn,7"), true), "name  age\\n----  ---\\nAnn   7\\n");',
        ),
        edit(
          'src/main.rs',
          'table::render(&reader::parse(&text, options.delimiter))',
          'table::render(&reader::parse(&text, options.delimiter), options.header)',
        ),
        edit(
          'README.md',
          "    tidycsv --delimiter ';' < people.csv\n",
          "    tidycsv --delimiter ';' < people.csv\n\nThe first row is underlined; `--no-header` prints it as any other.\n",
        ),
        recorded('cargo test', results(now)),
      ],
    ],
    answer: 'The first row is underlined unless `--no-header` is given (`src/table.rs:19`).',
  },
];
