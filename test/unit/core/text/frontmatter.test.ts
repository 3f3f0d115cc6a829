// The head of agent and skill files, as users write it.
import assert from 'node:assert/strict';
import {
  booleanField,
  listField,
  numberField,
  readFrontmatter,
  textField,
} from '../../../../src/core/text/frontmatter';

describe('frontmatter', () => {
  it('reads fields and leaves the text below as it is, whatever the line ends', () => {
    const read = readFrontmatter(
      '\uFEFF---\r\nname: reviewer\r\ntools: [Read, Grep]\r\n---\r\n\r\nYou review.\r\n---\r\nAnd more.\r\n',
    );
    assert.deepEqual(read, {
      fields: { name: 'reviewer', tools: ['Read', 'Grep'] },
      body: '\nYou review.\n---\nAnd more.\n',
    });
  });

  it('takes a file without fields as text alone', () => {
    assert.deepEqual(readFrontmatter('# Title\n---\nname: x\n---\n'), {
      fields: {},
      body: '# Title\n---\nname: x\n---\n',
    });
    assert.deepEqual(readFrontmatter('---\n---\nText'), { fields: {}, body: 'Text' });
  });

  it('reads plain values with a colon or a hash in them, which YAML does not', () => {
    const { fields, problem } = readFrontmatter(
      '---\nname: a\ndescription: Use it so: first this, then "that"\nhooks:\n  Stop:\n    - hooks: [{type: command, command: x}]\n---\n',
    );
    assert.equal(problem, undefined);
    assert.equal(fields.description, 'Use it so: first this, then "that"');
    assert.deepEqual(fields.hooks, { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] });
  });

  it('reads words that YAML takes for something else: several lists, a mention, bold, a lone star', () => {
    const { fields, problem } = readFrontmatter(
      '---\nargument-hint: [pr-number] [priority]\ndescription: @file is **read**\nwhen_to_use: *Always* after "x"\ntools: *\nmodel: opus\n---\nText',
    );
    assert.equal(problem, undefined);
    assert.deepEqual(fields, {
      'argument-hint': '[pr-number] [priority]',
      description: '@file is **read**',
      when_to_use: '*Always* after "x"',
      tools: '*',
      model: 'opus',
    });
    assert.deepEqual(readFrontmatter('---\ndescription: [a,\n  b]\nargument-hint: [x] [y]\n---\n').fields, {
      description: ['a', 'b'],
      'argument-hint': '[x] [y]',
    });
    // What forbids something is not guessed at.
    assert.match(readFrontmatter('---\ndisallowed-tools: [Bash] [Write]\n---\n').problem ?? '', /not valid YAML/);
  });

  it('reads a description with examples over several lines, as agents of plugins have it', () => {
    const examples = `<example>
Context: The user has written a function.
user: "Please check: is it right?"
assistant: "I'll use the reviewer."
<commentary>
model: none of this is a field
</commentary>
</example>`;
    const { fields, problem, body } = readFrontmatter(
      `---\nname: reviewer\ndescription: Use this agent after changes. Examples:\n\n${examples}\n\nmodel: inherit\ncolor: green\ntools: ["Read", "Grep"]\n---\n\nYou review.\n`,
    );
    assert.equal(problem, undefined);
    assert.deepEqual(fields, {
      name: 'reviewer',
      description: `Use this agent after changes. Examples:\n\n${examples}`,
      model: 'inherit',
      color: 'green',
      tools: ['Read', 'Grep'],
    });
    assert.equal(body, '\nYou review.\n');
  });

  it('reads tabs, half a quote, and tools apart by commas next to what is no YAML', () => {
    const { fields, problem } = readFrontmatter(
      '---\nname: a\ndescription: "Reviews" code: see <example>, and more\n  as: needed\nskills:\n\t- one\n\t- two\ntools: Read, Bash(git log:*)\nmodel: \'opus\'\n---\nText',
    );
    assert.equal(problem, undefined);
    assert.deepEqual(fields, {
      name: 'a',
      description: '"Reviews" code: see <example>, and more\n  as: needed',
      skills: ['one', 'two'],
      tools: 'Read, Bash(git log:*)',
      model: 'opus',
    });
    assert.deepEqual(listField(fields, 'tools'), ['Read', 'Bash(git log:*)']);
  });

  it('guesses nothing about what runs, allows or forbids something', () => {
    for (const field of ['hooks: [open', 'tools: [Read', 'disallowedTools: {Bash', 'permissionMode: "plan'])
      assert.match(
        readFrontmatter(`---\nname: a\ndescription: x: y\n${field}\n---\n`).problem ?? '',
        /not valid YAML/,
        field,
      );
  });

  it('says why fields cannot be read', () => {
    assert.match(readFrontmatter('---\nname: x\n').problem ?? '', /no closing ---/);
    assert.match(readFrontmatter('---\n- a\n- b\n---\n').problem ?? '', /no fields of the form/);
    assert.match(readFrontmatter('---\nname: [a\n---\n').problem ?? '', /not valid YAML/);
    assert.match(
      readFrontmatter(
        `---\na: &a [x]\n${Array.from(
          { length: 9 },
          (_, n) =>
            `b${n}: &b${n} [${Array(20)
              .fill(n === 0 ? '*a' : `*b${n - 1}`)
              .join(', ')}]`,
        ).join('\n')}\n---\n`,
      ).problem ?? '',
      /not valid YAML/,
    );
  });

  it('reads truth values, numbers, texts and lists in every spelling', () => {
    const { fields } = readFrontmatter(
      '---\na: yes\nb: "off"\nc: 1\nd: perhaps\ne: 7\nf: "12"\ng: Read, Bash(git log, x) , Edit\nh: [Read, 3]\ni:\nj: ""\n---\n',
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'z'].map((name) => booleanField(fields, name)),
      [true, false, true, undefined, undefined],
    );
    assert.deepEqual(
      ['e', 'f', 'd', 'z'].map((name) => numberField(fields, name)),
      [7, 12, undefined, undefined],
    );
    assert.deepEqual(
      ['c', 'd', 'j', 'z'].map((name) => textField(fields, name)),
      ['1', 'perhaps', undefined, undefined],
    );
    assert.deepEqual(
      ['g', 'h', 'i', 'j', 'z'].map((name) => listField(fields, name)),
      [['Read', 'Bash(git log, x)', 'Edit'], ['Read', '3'], [], [], undefined],
    );
  });
});
