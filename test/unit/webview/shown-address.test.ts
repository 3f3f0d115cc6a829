// A link whose text shows one address and opens another says which one it opens.
import assert from 'node:assert/strict';
import { otherAddress } from '../../../webview-ui/markdown/shown-address';

describe('a link says where it leads', () => {
  const rows: [text: string, target: string, shown: string | undefined][] = [
    ['https://github.com/a/b', 'https://evil.test/a/b', 'evil.test/a/b'],
    ['github.com', 'https://github.com.evil.test/', 'github.com.evil.test'],
    ['see https://github.com/a here', 'http://evil.test', 'evil.test'],
    ['https://github.com/good', 'https://github.com/bad', 'github.com/bad'],
    ['www.bank.test', 'https://bank.test.evil.test/login', 'bank.test.evil.test/login'],
    ['https://github.com@evil.test/', 'https://evil.test/', undefined],
    ['https://evil.test@github.com', 'https://evil.test', 'evil.test'],
    ['bank@bank.test', 'mailto:thief@evil.test', 'thief@evil.test'],
    ['https://a.test', 'command:deft.run', 'command:deft.run'],
    ['https://a.test', 'src/a.ts', 'src/a.ts'],
    ['https://аpple.com', 'https://apple.com', 'apple.com'],
    // The same address, however it is written.
    ['https://github.com/a/b', 'https://github.com/a/b', undefined],
    ['github.com', 'https://www.github.com/', undefined],
    ['https://github.com/a…', 'https://github.com/a/very/long', undefined],
    ['http://a.test/x', 'https://a.test/x/', undefined],
    ['(https://a.test/x).', 'https://a.test/x', undefined],
    ['GitHub.com', 'https://github.com/x', undefined],
    ['a@b.test', 'mailto:A@b.test?subject=x', undefined],
    // No address.
    ['the docs', 'https://evil.test', undefined],
    ['config.ts', 'https://evil.test', undefined],
    ['v1.2', 'https://evil.test', undefined],
    ['e.g. this', 'https://evil.test', undefined],
  ];
  for (const [text, target, shown] of rows) {
    it(`${text} → ${target}`, () => assert.equal(otherAddress(text, target), shown));
  }

  it('in short', () => assert.equal(otherAddress('https://a.test', `https://b.test/${'x'.repeat(100)}`)?.length, 61));
});
