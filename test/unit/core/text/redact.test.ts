// Whatever form a program prints a secret in, and wherever it wraps or cuts it: no text keeps the secret.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import querystring from 'node:querystring';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { hiddenNames, redactPart, redactText, type Secrets } from '../../../../src/core/text/redact';

const named = (value: string, besideName = false): Secrets => [{ name: 'A_TOKEN', value, besideName }];
const mark = '[A_TOKEN: hidden by Deft]';

/** Characters that some form of quoting changes, among others. */
const characters = [...'abcXYZ0189', ...`"'\\$\`!&<>%+=/ ?#@:;,.~-_(){}[]|*^`, 'ä', '漢', '🔑'];
const some = fc.array(fc.constantFrom(...characters), { maxLength: 20 }).map((all) => all.join(''));
/** With a word in it, as all have that anybody uses. */
const secret = fc
  .tuple(some, fc.stringMatching(/^[A-Za-z0-9]{6,20}$/), some)
  .map((parts) => parts.join('').trim())
  .filter((text) => text.length >= 12);

const forms: Record<string, (value: string) => string> = {
  itself: (value) => value,
  JSON: (value) => JSON.stringify({ value }),
  'JSON in JSON': (value) => JSON.stringify(JSON.stringify({ value })),
  'ASCII JSON': (value) =>
    JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'inspected by Node': (value) => inspect({ value }),
  'part of an address': encodeURIComponent,
  'a form field': (value) => new URLSearchParams({ value }).toString(),
  'a query': (value) => querystring.escape(value),
  'base64 behind other text': (value) => Buffer.from(`user:${value}@x`).toString('base64'),
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 with a line end': (value) => Buffer.from(`${value}\n`).toString('base64'),
  'base64 for addresses': (value) => Buffer.from(`ab${value}`).toString('base64url'),
  hexadecimal: (value) => Buffer.from(`x${value}`).toString('hex'),
  'capital hexadecimal': (value) => Buffer.from(value).toString('hex').toUpperCase(),
  HTML: (value) =>
    value.replace(
      /[&<>"']/g,
      (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
    ),
};

describe('redactText', () => {
  for (const [name, print] of Object.entries(forms))
    it(`hides a secret printed as ${name}`, () => {
      fc.assert(
        fc.property(secret, (value) => {
          const plain = print('');
          const text = redactText(`before ${print(value)} after`, named(value));
          assert.ok(text.includes(mark), text);
          // What is left beside the mark is what the form adds, and at most the edges that base64 mixes with other text.
          assert.ok(text.length - mark.length - 'before  after'.length <= plain.length + 12, text);
        }),
        { numRuns: 300 },
      );
    });

  it('hides it however it is wrapped', () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(...Object.values(forms)),
        fc.integer({ min: 5, max: 40 }),
        (value, print, width) => {
          const printed = print(value);
          const wrapped = printed.replace(new RegExp(`[^]{${width}}`, 'gu'), (part) => `${part}\n`);
          const text = redactText(wrapped, named(value));
          assert.ok(text.includes(mark), text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('hides what bash prints of its variables', () => {
    const lines = [
      'env',
      'export -p',
      'set',
      'declare -p A_TOKEN',
      'printf %q "$A_TOKEN"',
      'echo "${A_TOKEN@Q}"',
      'set -x; : "$A_TOKEN"',
    ];
    for (const value of fc.sample(secret, 40)) {
      const env = { PATH: process.env['PATH'], A_TOKEN: value, LC_ALL: 'C.UTF-8' };
      const script = `exec 2>&1\n${lines.map((line) => `(${line}); printf '\\f'`).join('\n')}`;
      const printed = execFileSync('/bin/bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\f');
      for (const [index, line] of lines.entries()) {
        // What ran is a variable of bash too, and has nothing of the secret.
        const text = redactText(printed[index] ?? '', named(value));
        assert.ok(text.includes(mark), `${line} of ${value}: ${text}`);
        assert.ok(!text.includes(value), line);
      }
    }
  });

  it('hides each line of a key of several lines', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B'}\n${'AQEFAASCBKcwggSjAgEAAoIB'}\n-----END PRIVATE KEY-----`;
    const secrets = named(key);
    assert.equal(redactText(`a\n${key}\nb`, secrets), `a\n${mark}\nb`);
    assert.equal(redactText(JSON.stringify({ key }), secrets), `{"key":"${mark}"}`);
    assert.equal(redactText('2: AQEFAASCBKcwggSjAgEAAoIB', secrets), `2: ${mark}`);
  });

  it('keeps all else, and the places of line ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '  ', 'S3cr3t-value', 'S3cr3t-valu'), { maxLength: 40 }),
        (parts) => {
          const text = parts.join('');
          const expected = text.replace(/S3cr3t-value/g, mark);
          assert.equal(redactText(text, named('S3cr3t-value')), expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('hides short values and ordinary words beside their name alone', () => {
    const secrets = named('postgres', true);
    const shown = [
      'A_TOKEN=postgres',
      'declare -x A_TOKEN="postgres"',
      "  A_TOKEN: 'postgres',",
      '"A_TOKEN": "postgres"',
      '{\\"A_TOKEN\\":\\"postgres\\"}',
      'A_TOKEN => postgres',
      "b'A_TOKEN': b'postgres'",
      'A_TOKEN                       postgres',
    ];
    for (const text of shown) assert.equal(redactText(text, secrets), text.replace('postgres', mark), text);
    for (const text of ['postgres starts', 'A_TOKEN=postgresql', 'B_TOKEN=postgres', 'the A_TOKEN of postgres'])
      assert.equal(redactText(text, secrets), text);
  });

  it('takes the name of the longest of several secrets at one place', () => {
    const secrets = [...named('S3cr3t-value'), { name: 'B_KEY', value: 'S3cr3t-value-and-more', besideName: false }];
    const text = redactText('S3cr3t-value-and-more S3cr3t-value', secrets);
    assert.equal(text, `[B_KEY: hidden by Deft] ${mark}`);
    assert.deepEqual(hiddenNames(text, secrets), ['A_TOKEN', 'B_KEY']);
  });

  it('costs little, however many secrets there are', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      name: `T_${index}_TOKEN`,
      value: `value-${index}-${'x'.repeat(30)}${index}`,
      besideName: false,
    }));
    const text = 'value of nothing in particular, \n'.repeat(30_000);
    assert.equal(redactText(text, many), text);
  });

  it('comes to an end where a word of a secret is everywhere, and lets none of them through', () => {
    const secrets = named(`tok-"1"-abcDEF!'x'`);
    const text = `${'\\'.repeat(50)}abcDEF`.repeat(20_000);
    assert.ok(!redactText(`${text}tok-"1"-abcDEF!'x'`, secrets).includes(`"1"-abcDEF!`));
  });
});

describe('redactPart', () => {
  it('leaves no more than a few characters of a secret that an edge cuts', () => {
    fc.assert(
      fc.property(secret, fc.nat(), (value, seed) => {
        const at = 1 + (seed % (value.length - 1));
        const [first, second] = [value.slice(0, at), value.slice(at)];
        const shown = [redactPart(`so far ${first}`, named(value)), redactPart(`${second} and more`, named(value))];
        const kept = [first, second].filter((part, index) => shown[index]?.includes(part) === true);
        const part = Math.min(8, Math.ceil(value.length / 2));
        assert.ok(
          kept.every(({ length }) => length < part),
          shown.join(' | '),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
